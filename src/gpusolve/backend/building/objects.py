"""Make the library of a part of the package: Numba compiles its twins, and a linker puts them together.

``python -m gpusolve.backend.building.objects FOLDER LEVEL PART LIST...`` writes ``FOLDER/LEVEL/PART.so`` and its JSON
file (see `library`) with the functions of this part that are in any of the lists (see `ahead`). `Level.variables` must
be set. Each function is printed when it is done.

Numba's function for a list of argument types has a plain C interface::

    int native(Result *result, Failure **failure, <words of the arguments>)

LLVM compiles it again for a library, whose code may lie anywhere in memory. The function is called by a `runner`, whose
arguments are the same for all functions: it takes the words from an array, and leaves those of the result in another.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from gpusolve.backend import just_in_time
from gpusolve.backend.ahead import entries, found
from gpusolve.backend.building import linking
from gpusolve.backend.building.linking import MOST_WORDS
from gpusolve.backend.levels import EVERY, Level
from gpusolve.backend.library import TABLE, about_library, library_file, part_of, save
from gpusolve.backend.signatures import LETTERS, code_of, types_of

types: Any = numba.types  # its annotations lack what tuples contain
HEAD = '#include "table.h"\n'
RUNNER = "int32_t run_{0}(const int64_t *, int64_t *, void **);"
_WORD, _STATUS = ir.IntType(64), ir.IntType(32)


def make_library(folder: Path, level: Level, part: str, lists: Iterable[Path]) -> None:
    """Write the library of a part for a level, and print the name of each function."""
    functions: dict[str, list[str]] = {}
    for function, signature in dict.fromkeys(entry for file in lists for entry in entries(file)):
        if part_of(function) == part:
            functions.setdefault(function, []).append(signature)
    just_in_time.is_ahead = True
    # Nothing is called here, so no function needs machine code in this process: anything stands for its address.
    cpu_target.target_context.get_executable = lambda library, description, environment: [].append
    JITCodeLibrary._finalize_specific = lambda library: None  # type: ignore[method-assign]
    machine = _machine(level)
    tables, objects = [HEAD], list[Path]()
    with TemporaryDirectory() as place:
        for function, signatures in functions.items():
            variants = []
            for signature in signatures:
                number = len(objects)
                objects.append(Path(place, f"{number}.o"))
                content, result = compiled(function, signature, f"run_{number}", machine)
                objects[-1].write_bytes(content)
                tables.append(RUNNER.format(number))
                variants.append(f'{{"{code_of(signature)}", run_{number}, "{result}"}}')
                print(function, flush=True)
            symbol = f'table_{len(objects)}[] __asm__("{TABLE}{function}")'
            tables.append(f"extern const Variant {symbol};\nconst Variant table_{len(objects)}[] = {{")
            tables.append("    " + ",\n    ".join([*variants, "{0, 0, 0}"]) + "};")
        content = linking.library("\n".join(tables), objects, Path(place), level.machine)
    save(library_file(folder, level, part), content, about_library(level, functions))


def compiled(function: str, signature: str, name: str, machine: Any) -> tuple[bytes, str]:
    """Compile a function for a list of argument types.

    Returns an object file, in which the runner has the given name, and the code of the result's type.
    """
    twin, arguments = found(function).numba, types_of(signature)
    twin.compile(arguments)
    made = twin.overloads[arguments]
    if not made.library._finalized:
        with global_compiler_lock:
            made.library.finalize()  # now LLVM has optimised it, together with all that it calls
    module = for_machine(llvm.parse_bitcode(made.library._final_module.as_bitcode()), machine)
    module.link_in(llvm.parse_assembly(str(runner(made.fndesc, name))))
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.linkage not in (llvm.Linkage.internal, llvm.Linkage.private):
            one.visibility = "hidden"
    return bytes(machine.emit_object(module)), result_code(made.fndesc.restype)


def for_machine(module: Any, machine: Any) -> Any:
    """Return a module for the kind of processor that a compiler compiles for; Numba makes it for this machine's.

    Up to here it is the same for all kinds with 64 bits. LLVM has only chosen the width of vectors.
    """
    if module.triple == machine.triple:
        return module
    lines = [line for line in str(module).splitlines() if not line.startswith("target ")]
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{machine.triple}"\n'
    return llvm.parse_assembly(head + "\n".join(lines))


def runner(description: Any, name: str) -> ir.Module:
    """Return a module with the function that calls a native function, given Numba's description of it."""
    module, context = ir.Module(), cpu_target.target_context
    kind = context.call_conv.get_function_type(description.restype, description.argtypes)
    native = ir.Function(module, kind, description.llvm_func_name)
    words = _WORD.as_pointer()
    function = ir.Function(module, ir.FunctionType(_STATUS, [words, words, kind.args[1]]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    given, results, failure = function.args
    place = builder.alloca(kind.args[0].pointee)
    arguments = [_argument(builder, _load(builder, given, i), each) for i, each in enumerate(kind.args[2:])]
    status = builder.call(native, [place, failure, *arguments])
    if result_code(description.restype):
        words_of_result = list(_words(builder, builder.load(place)))
        if len(words_of_result) > MOST_WORDS:
            raise ValueError(f"{name}: a result of {len(words_of_result)} words: expected at most {MOST_WORDS}")
        for i, word in enumerate(words_of_result):
            builder.store(word, builder.gep(results, [_WORD(i)]))
    builder.ret(status)
    return module


def result_code(kind: Any) -> str:
    """Return the code of a result's type, as `signatures.code_of` does for arguments; empty for None.

    Raises ValueError for another type than a number, an array, a tuple or None.
    """
    if kind == types.none:
        return ""
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple) and types.none not in kind:
        return f"({''.join(map(result_code, kind))})"
    if isinstance(kind, types.Array) and kind.layout == "C":
        return f"[{kind.ndim}C{LETTERS[str(kind.dtype)]}"
    if str(kind) not in LETTERS:
        raise ValueError(f"a twin cannot return {kind}")
    return LETTERS[str(kind)]


def _load(builder: Any, words: Any, i: int) -> Any:
    return builder.load(builder.gep(words, [_WORD(i)]))


def _argument(builder: Any, word: Any, kind: Any) -> Any:
    """Return a word as a value of a type."""
    if isinstance(kind, ir.PointerType):
        return builder.inttoptr(word, kind)
    if isinstance(kind, ir.DoubleType):
        return builder.bitcast(word, kind)
    if isinstance(kind, ir.FloatType):
        return builder.bitcast(builder.trunc(word, ir.IntType(32)), kind)
    return word if kind == _WORD else builder.trunc(word, kind)


def _words(builder: Any, value: Any) -> Iterator[Any]:
    """Yield the words of a value: of a structure, those of its parts."""
    kind = value.type
    if isinstance(kind, ir.Aggregate):
        for i in range(len(kind)):
            yield from _words(builder, builder.extract_value(value, i))
    elif isinstance(kind, ir.PointerType):
        yield builder.ptrtoint(value, _WORD)
    elif isinstance(kind, ir.DoubleType):
        yield builder.bitcast(value, _WORD)
    elif isinstance(kind, ir.FloatType):
        yield builder.zext(builder.bitcast(value, ir.IntType(32)), _WORD)
    else:
        yield value if kind == _WORD else builder.zext(value, _WORD)


def _machine(level: Level) -> Any:
    """Return LLVM's compiler for a level."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(f"{level.machine}-unknown-linux-gnu")
    features = level.variables["NUMBA_CPU_FEATURES"]
    return target.create_target_machine(cpu=level.cpu, features=features, opt=3, reloc="pic", codemodel="small")


def main(folder: str, level: str, part: str, *lists: str) -> None:
    """Run the module's command line."""
    make_library(Path(folder), next(each for each in EVERY if each.name == level), part, map(Path, lists))


if __name__ == "__main__":
    main(*sys.argv[1:])
