"""Sixty-four columns of a table of bytes at once: what a vector of bytes can tell of them, row against row.

LLVM makes each comparison of two rows one instruction. Numba's own loops would check for each pair of rows, again and
again, that nothing overlaps. Inside Numba functions only; a table is a flat array of bytes, and a row is told by where
it begins there. Nothing is checked: the 64 columns from `column` on must be in the array.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WIDTH = 64
"""Columns that are done at once."""
_BYTES = ir.VectorType(ir.IntType(8), WIDTH)
_BITS = ir.VectorType(ir.IntType(1), WIDTH)
_NUMBERS = ir.VectorType(ir.IntType(32), WIDTH)
_WORD = ir.IntType(64)


def _data(context, builder, kind, array):
    return context.make_array(kind)(context, builder, array).data


def _row(builder, table, starts, j, column):
    """The 64 bytes of a row, which need not be aligned."""
    start = builder.load(builder.gep(starts, [j]))
    place = builder.gep(table, [builder.add(start, column)])
    return builder.load(builder.bitcast(place, _BYTES.as_pointer()), align=1)


@intrinsic
def distinct(typing_context, table, starts, count, column, out):
    """out[:64] = how many different bytes each column holds in the `count` rows (at most 255); gives the most."""

    def generate(context, builder, signature, arguments):
        bytes_, rows, count, column, found = arguments
        bytes_ = _data(context, builder, signature.args[0], bytes_)
        rows = _data(context, builder, signature.args[1], rows)
        found = _data(context, builder, signature.args[4], found)
        total = cgutils.alloca_once_value(builder, ir.Constant(_BYTES, [0] * WIDTH))
        seen = cgutils.alloca_once(builder, _BITS)
        with cgutils.for_range(builder, count, intp=_WORD) as this:
            row = _row(builder, bytes_, rows, this.index, column)
            builder.store(ir.Constant(_BITS, [0] * WIDTH), seen)
            with cgutils.for_range(builder, this.index, intp=_WORD) as before:
                same = builder.icmp_unsigned("==", _row(builder, bytes_, rows, before.index, column), row)
                builder.store(builder.or_(builder.load(seen), same), seen)
            new = builder.zext(builder.not_(builder.load(seen)), _BYTES)
            builder.store(builder.add(builder.load(total), new), total)
        result = builder.load(total)
        builder.store(result, builder.bitcast(found, _BYTES.as_pointer()), align=1)
        kind = ir.FunctionType(ir.IntType(8), [_BYTES])
        greatest = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.umax.v{WIDTH}i8")
        return builder.zext(builder.call(greatest, [result]), _WORD)

    return types.int64(table, starts, types.int64, types.int64, out), generate


@intrinsic
def same(typing_context, table, left, right, count, column, among):
    """Which of the 64 columns hold the same byte in row left[j] as in row right[j], for all of `count` pairs.

    A bit for each column, uint64; only those `among` are asked.
    """

    def generate(context, builder, signature, arguments):
        bytes_, left, right, count, column, among = arguments
        bytes_ = _data(context, builder, signature.args[0], bytes_)
        left = _data(context, builder, signature.args[1], left)
        right = _data(context, builder, signature.args[2], right)
        mask = cgutils.alloca_once_value(builder, among)
        with cgutils.for_range(builder, count, intp=_WORD) as pair:
            equal = builder.icmp_unsigned(
                "==",
                _row(builder, bytes_, left, pair.index, column),
                _row(builder, bytes_, right, pair.index, column),
            )
            remaining = builder.and_(builder.load(mask), builder.bitcast(equal, _WORD))
            builder.store(remaining, mask)
            with builder.if_then(builder.icmp_unsigned("==", remaining, ir.Constant(_WORD, 0))):
                pair.do_break()
        return builder.load(mask)

    return types.uint64(table, left, right, types.int64, types.int64, types.uint64), generate


@intrinsic
def add_ranked(typing_context, table, starts, first, count, column, steps, step, out):
    """Adds what each row costs in a column, by the number k of those before it that hold the same byte there.

    out[column:][:64] += steps[step + 1] + ... + steps[step + k] for each of `count` rows, at most 256, that begin at
    starts[first], starts[first + 1], ...; `steps` and `out` are int32. How many rows come as far as each step is
    counted in bytes, and multiplied once.
    """

    def generate(context, builder, signature, arguments):
        bytes_, rows, first, count, column, steps, step, found = arguments
        bytes_ = _data(context, builder, signature.args[0], bytes_)
        rows = builder.gep(_data(context, builder, signature.args[1], rows), [first])
        steps = builder.gep(_data(context, builder, signature.args[5], steps), [step])
        found = builder.gep(_data(context, builder, signature.args[7], found), [column])
        found = builder.bitcast(found, _NUMBERS.as_pointer())
        ranks = cgutils.alloca_once(builder, _BYTES)
        reached = cgutils.alloca_once(builder, _BYTES, size=256)  # step k, by so many rows
        one = ir.Constant(_WORD, 1)
        highest = cgutils.alloca_once_value(builder, ir.Constant(_WORD, 0))
        with cgutils.for_range(builder, count, start=one, intp=_WORD) as this:
            row = _row(builder, bytes_, rows, this.index, column)
            builder.store(ir.Constant(_BYTES, [0] * WIDTH), ranks)
            with cgutils.for_range(builder, this.index, intp=_WORD) as before:
                same = builder.icmp_unsigned("==", _row(builder, bytes_, rows, before.index, column), row)
                builder.store(builder.sub(builder.load(ranks), builder.sext(same, _BYTES)), ranks)
            with cgutils.for_range(builder, builder.add(this.index, one), start=one, intp=_WORD) as k:
                least = _all(builder, builder.trunc(k.index, ir.IntType(8)))
                these = builder.icmp_unsigned(">=", builder.load(ranks), least)
                none = builder.icmp_unsigned("==", builder.bitcast(these, _WORD), ir.Constant(_WORD, 0))
                with builder.if_then(none):
                    k.do_break()
                so_many = builder.gep(reached, [k.index])
                with builder.if_then(builder.icmp_unsigned(">", k.index, builder.load(highest)), likely=False):
                    builder.store(ir.Constant(_BYTES, [0] * WIDTH), so_many)
                    builder.store(k.index, highest)
                builder.store(builder.sub(builder.load(so_many), builder.sext(these, _BYTES)), so_many)
        total = cgutils.alloca_once_value(builder, builder.load(found, align=4))
        with cgutils.for_range(builder, builder.add(builder.load(highest), one), start=one, intp=_WORD) as k:
            so_many = builder.zext(builder.load(builder.gep(reached, [k.index])), _NUMBERS)
            more = _all(builder, builder.load(builder.gep(steps, [k.index])))
            builder.store(builder.add(builder.load(total), builder.mul(so_many, more)), total)
        builder.store(builder.load(total), found, align=4)
        return context.get_dummy_value()

    return types.none(table, starts, *[types.int64] * 3, steps, types.int64, out), generate


def _all(builder, value):
    """A vector of this value, WIDTH times."""
    kind = ir.VectorType(value.type, WIDTH)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


@intrinsic
def gather(typing_context, table, start, columns, count, out, place):
    """out[place:][:count] = table[start:][columns[:count]], bytes."""

    def generate(context, builder, signature, arguments):
        bytes_, start, columns, count, found, place = arguments
        bytes_ = builder.gep(_data(context, builder, signature.args[0], bytes_), [start])
        columns = _data(context, builder, signature.args[2], columns)
        found = builder.gep(_data(context, builder, signature.args[4], found), [place])
        with cgutils.for_range(builder, count, intp=_WORD) as this:
            byte = builder.load(builder.gep(bytes_, [builder.load(builder.gep(columns, [this.index]))]))
            builder.store(byte, builder.gep(found, [this.index]))
        return context.get_dummy_value()

    return types.none(table, types.int64, columns, types.int64, out, types.int64), generate


@intrinsic
def copy(typing_context, table, start, out, place):
    """out[place:][:64] = table[start:][:64], bytes."""

    def generate(context, builder, signature, arguments):
        bytes_, start, found, place = arguments
        there = builder.gep(_data(context, builder, signature.args[0], bytes_), [start])
        here = builder.gep(_data(context, builder, signature.args[2], found), [place])
        value = builder.load(builder.bitcast(there, _BYTES.as_pointer()), align=1)
        builder.store(value, builder.bitcast(here, _BYTES.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.none(table, types.int64, out, types.int64), generate
