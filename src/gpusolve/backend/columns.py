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
