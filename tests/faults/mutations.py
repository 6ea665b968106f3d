"""Changes of valid files and texts, as damage or a stranger would make them.

Each function takes a valid content and a source of chance, and returns another content. Changes of a structured file
keep its structure: the digests of a forged checkpoint, table or tree are right, so that the readers behind the
digests are reached.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import io
import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gpusolve.runs import store

Change: TypeAlias = Callable[[bytes, random.Random], bytes]

NUMBERS = [0, 1, -1, 2, 7, 255, 256, 65_535, 65_536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53 + 1, 2**63 - 1, 2**63]
NUMBERS += [-(2**63), 2**64 - 1, 2**64, 10**30, 10**400]
FLOATS = [0.5, -0.5, 1e308, -1e308, 5e-324, float("inf"), float("-inf"), float("nan")]
TEXTS = ["", " ", "x", "a" * 300, "caf\u00e9", "\u212aing", "\x1b[31mred", "two\nlines", "\x00", "\ud800", "\u0663"]
TEXTS += ["{0}", "%s%n", "../../etc/passwd", "/dev/zero", "\U0001f7e9", "1" * 5000, "1e400", "0x10", "1_000"]
PIECES = [
    b"\x00",
    b"\xff",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x1b[31m",
    b"\n",
    b"\r\n",
    b"\r",
    b"\t",
    b" ",
    b"/",
    b",",
    b":",
    b";",
]
PIECES += [
    b'"',
    b"'",
    b"[",
    b"]",
    b"{",
    b"}",
    b"-",
    b"--",
    b"=",
    b"#",
    b"0",
    b"-1",
    b"1" * 5000,
    b"9" * 30,
    b"1e400",
    b"nan",
]
PIECES += [
    "\u0663".encode(),
    "\u212a".encode(),
    "\u2028".encode(),
    "\U0001f7e9".encode(),
    b"[" * 2000,
    b"_",
    b".",
    b"x",
    b"|",
]


def change_bytes(content: bytes, chance: random.Random) -> bytes:
    """Flip bits, cut, repeat, insert, or replace a number: at one to eight places."""
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(content) + 1)
        end = min(len(content), at + chance.choice((1, 1, 2, 5, 30, 500)))
        kind = chance.randrange(8)
        if kind == 0:
            content = content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
        elif kind == 1:
            content = content[:at] + content[end:]
        elif kind == 2:
            content = content[:at] + content[at:end] * chance.choice((2, 3, 100)) + content[end:]
        elif kind == 3:
            content = content[:at] + chance.choice(PIECES) + content[at:]
        elif kind == 4:
            content = content[:at] if chance.random() < 0.5 else content[at:]
        elif kind == 5:
            numbers = list(re.finditer(rb"-?[0-9]+", content[at : at + 2000]))
            if numbers:
                found, new = chance.choice(numbers), str(chance.choice(NUMBERS)).encode()
                content = content[: at + found.start()] + new + content[at + found.end() :]
        elif kind == 6:
            lines = content.split(b"\n")
            one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[chance.choice((one, other))]
            content = b"\n".join(lines)
        else:
            swapped = bytes(chance.sample(sorted(content[at:end]), end - at))
            content = content[:at] + swapped + content[end:]
    return content


def change_value(value: Any, chance: random.Random) -> Any:
    """Change a JSON value at a random place: another number, text or type, an entry more or less, deep nesting."""
    inner = [value]
    at = value
    while isinstance(at, dict | list) and at and chance.random() < 0.8:
        at = at[chance.choice(sorted(at))] if isinstance(at, dict) else chance.choice(at)
        inner.append(at)
    changed = _other(at, chance)
    if len(inner) == 1:
        return changed
    value = copy.deepcopy(value)
    at = value
    for step in range(1, len(inner)):  # go the same way again, by identity of position
        keys = list(at) if isinstance(at, dict) else range(len(at))
        key = next(key for key in keys if _same(at[key], inner[step]))
        if step == len(inner) - 1:
            at[key] = changed
        at = at[key]
    return value


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and (one == other or one != one)


def _other(value: Any, chance: random.Random) -> Any:
    kind = chance.randrange(10)
    if kind == 0:
        return chance.choice([None, True, False, [], {}, "", 0, -1, 0.5, [value], {"x": value}, [[]], [None]])
    if kind == 1:
        return chance.choice([*NUMBERS, *FLOATS, *TEXTS])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, -value, value * 2, value + 0.5, float(value), str(value), *NUMBERS])
    if isinstance(value, float):
        return chance.choice([value + 1, -value, int(value) if abs(value) < 1e15 else 0, *FLOATS])
    if isinstance(value, str):
        if kind < 3:
            return chance.choice(TEXTS)
        try:
            return change_bytes(value.encode("utf-8", "surrogatepass"), chance).decode("utf-8", "replace")
        except UnicodeError:
            return "x"
    if isinstance(value, list) and value:
        at = chance.randrange(len(value))
        return chance.choice(
            [
                value[:at],
                value[:at] + value[at + 1 :],
                value * 2,
                [*value, chance.choice(value)],
                value[::-1],
                [*value[:at], _other(value[at], chance), *value[at + 1 :]],
                [*value, *[value[at]] * 300],
            ]
        )
    if isinstance(value, dict) and value:
        name = chance.choice(sorted(value))
        rest = {other: inner for other, inner in value.items() if other != name}
        return chance.choice(
            [
                rest,
                rest | {name + "x": value[name]},
                rest | {chance.choice(TEXTS): value[name]},
                value | {name: _other(value[name], chance)},
                value | {"x": 1},
                value | {name: value[chance.choice(sorted(value))]},
                value | {name: value},
            ]
        )
    return chance.choice([*NUMBERS, *FLOATS, *TEXTS])


def change_array(array: npt.NDArray[Any], chance: random.Random) -> npt.NDArray[Any]:
    """Change some elements, the type, or the shape of an array."""
    kind = chance.randrange(8)
    if kind < 4 and array.size:
        array = array.copy()
        for _ in range(chance.choice((1, 1, 3, 20))):
            at = chance.randrange(array.size)
            with np.errstate(all="ignore"):
                if array.dtype.kind in "iu":
                    info = np.iinfo(array.dtype)
                    near = int(array.flat[at]) + chance.choice((-1, 1, 2, -100, 100))
                    new = chance.choice(
                        [info.min, info.max, 0, 1, near, info.max // 2, int(array.flat[chance.randrange(array.size)])]
                    )
                    array.flat[at] = min(max(new, int(info.min)), int(info.max))
                elif array.dtype.kind == "f":
                    array.flat[at] = chance.choice([*FLOATS, 0.0, -float(array.flat[at]), float(array.flat[at]) + 1])
                elif array.dtype.kind == "b":
                    array.flat[at] = not array.flat[at]
        return array
    if kind == 4:
        kinds = ["<i1", "<u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8", ">i4", "|b1", "<U3"]
        with np.errstate(all="ignore"):
            return array.astype(chance.choice(kinds)) if array.dtype.kind in "iufb" else array.astype("<U2")
    if kind == 5:
        return (
            array[: chance.randrange(array.shape[0] + 1)] if array.ndim and array.shape[0] else np.zeros(3, array.dtype)
        )
    if kind == 6:
        return np.concatenate([array, array]) if array.ndim else array.reshape(1)
    return chance.choice(
        [array.reshape(-1), array.reshape(1, *array.shape), array[..., None], np.zeros(0, array.dtype), array.T]
    )


def change_arrays(arrays: dict[str, npt.NDArray[Any]], chance: random.Random) -> dict[str, npt.NDArray[Any]]:
    """Change an array, or leave it out, rename it, or exchange it for another."""
    if not arrays:
        return {"x": np.zeros(3)}
    arrays, name = dict(arrays), chance.choice(sorted(arrays))
    kind = chance.randrange(12)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        arrays[chance.choice([name + "x", "about", "x", "../x"])] = arrays.pop(name)
    elif kind == 2:
        arrays[name] = arrays[chance.choice(sorted(arrays))]
    else:
        arrays[name] = change_array(arrays[name], chance)
    return arrays


def change_json(content: bytes, chance: random.Random) -> bytes:
    """Change a JSON file. If it has a digest, that is right again."""
    value = json.loads(content)
    for _ in range(chance.choice((1, 1, 2))):
        value = change_value(value, chance)
    if isinstance(value, dict) and "sha256" in value and chance.random() < 0.9:
        rest = {name: inner for name, inner in value.items() if name != "sha256"}
        value = rest | {"sha256": hashlib.sha256(_dumps(rest, sort_keys=True).encode()).hexdigest()}
    text = _dumps(value)
    if chance.random() < 0.05:
        text = re.sub(r'("\w+": )', lambda match: match[1] + "0, " + match[1], text, count=1)  # a name twice
    return text.encode()


def change_json_text(content: bytes, chance: random.Random) -> bytes:
    """Change the JSON in a JavaScript module, or a JSON file."""
    module = content.startswith(b"export default")
    changed = change_json(content.removeprefix(b"export default").rstrip(b"; \n"), chance)
    return b"export default " + changed + b";" if module else changed


def _dumps(value: Any, **options: Any) -> str:
    try:
        return json.dumps(value, **options)
    except ValueError:  # a value within itself
        return "{}"


def change_checkpoint(content: bytes, chance: random.Random) -> bytes:
    """Change the values or arrays in a checkpoint, or its archive, and give it the right digest."""
    first, _, archive = content.partition(b"\n")
    if chance.random() < 0.15:
        archive = change_bytes(archive, chance)
    else:
        with np.load(io.BytesIO(archive)) as loaded:
            arrays = {name.removeprefix("state."): loaded[name] for name in loaded.files}
        about = json.loads(str(arrays.pop("about")))
        for _ in range(chance.choice((1, 1, 1, 2))):
            if arrays and chance.random() < 0.5:
                arrays = change_arrays(arrays, chance)
            elif chance.random() < 0.85:
                about["state"] = change_value(about["state"], chance)
            elif chance.random() < 0.85:
                about["settings"] = change_value(about["settings"], chance)
            else:
                about = change_value(about, chance)
                break
        archive = _archive(arrays, about, compressed=chance.random() < 0.02)
    header = json.loads(first) | {"sha256": hashlib.sha256(archive).hexdigest()}
    if chance.random() < 0.03:
        header = change_value(header, chance)
    return _dumps(header).encode() + b"\n" + archive


def _archive(arrays: dict[str, npt.NDArray[Any]], about: Any, *, compressed: bool) -> bytes:
    payload = io.BytesIO()
    named: dict[str, Any] = {f"state.{name}": array for name, array in arrays.items()}
    (np.savez_compressed if compressed else np.savez)(payload, **named, about=np.array(_dumps(about)))
    return payload.getvalue()


def change_table(content: bytes, chance: random.Random) -> bytes:
    """Change the header or the arrays of a table, with right sums and the right digest."""
    header = json.loads(content[: store.PAGE])
    digest = header.pop("sha256")
    if chance.random() < 0.4:
        header = change_value(header, chance)
        if isinstance(header, dict) and chance.random() < 0.5:
            header["bytes"] = len(content)
    else:
        arrays = {
            name: np.frombuffer(content, place["dtype"], int(np.prod(place["shape"])), place["offset"]).reshape(
                place["shape"]
            )
            for name, place in header["arrays"].items()
        }
        arrays = change_arrays(arrays, chance)
        about = change_value(header["about"], chance) if chance.random() < 0.2 else header["about"]
        return _table(about, arrays, header["schema"])
    if isinstance(header, dict):
        digest = hashlib.sha256(_dumps(header, sort_keys=True).encode()).hexdigest()
        header = header | {"sha256": digest}
    line = _dumps(header).encode()
    return line.ljust(store.PAGE - 1)[: store.PAGE - 1] + b"\n" + content[store.PAGE :]


def _table(about: Any, arrays: dict[str, npt.NDArray[Any]], schema: str) -> bytes:
    """Return the content of a table as `store.save` writes it, but of any arrays."""
    layout, pieces, offset = {}, [], store.PAGE
    for name, array in arrays.items():
        raw = np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8)
        size = -(-len(raw) // store.PAGE) * store.PAGE
        total = store._sum_of(raw)
        layout[name] = {"dtype": array.dtype.str, "shape": list(array.shape), "offset": offset, "sum": total}
        pieces.append(raw.tobytes().ljust(size, b"\0"))
        offset += size
    header = {"schema": schema, "about": about, "arrays": layout, "bytes": offset}
    digest = hashlib.sha256(_dumps(header, sort_keys=True).encode()).hexdigest()
    line = _dumps(header | {"sha256": digest}).encode()
    return line.ljust(store.PAGE - 1)[: store.PAGE - 1] + b"\n" + b"".join(pieces)


def change(content: bytes, structured: Sequence[Change], chance: random.Random) -> bytes:
    """Change a valid content: mostly by one of the structured changes, if there are any, else as bytes."""
    if structured and chance.random() < 0.8:
        with contextlib.suppress(ArithmeticError, LookupError, TypeError, ValueError):  # not every change is possible
            return chance.choice(structured)(content, chance)
    return change_bytes(content, chance)
