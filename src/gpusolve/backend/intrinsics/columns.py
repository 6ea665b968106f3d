"""Operations on 64 columns of a table of bytes or of 16-bit numbers at once, comparing row with row.

LLVM turns each comparison of two rows into one instruction. Numba's own loops would check for each pair of rows that
nothing overlaps. For Numba functions only. A table is a flat array, and a row is given by its start in that array.
Nothing is checked: the 64 columns from `column` on must be inside the array.
"""

from __future__ import annotations

from gpusolve.backend.intrinsics import cgutils, intrinsic, ir, types

WIDTH = 64
"""Number of columns that are processed at once."""


def _vector(bits):
    """Return the type of WIDTH integers."""
    return ir.VectorType(ir.IntType(bits), WIDTH)


def _word():
    return ir.IntType(64)


def _data(context, builder, kind, array):
    return context.make_array(kind)(context, builder, array).data


def _row(builder, table, starts, j, column):
    """Load 64 entries of a row, which need not be aligned."""
    start = builder.load(builder.gep(starts, [j]))
    place = builder.gep(table, [builder.add(start, column)])
    return _entries(builder, place)


def _entries(builder, place):
    """Load 64 entries of a table from a place."""
    return builder.load(builder.bitcast(place, ir.VectorType(place.type.pointee, WIDTH).as_pointer()), align=1)


@intrinsic
def distinct(typing_context, table, starts, count, column, out):
    """Count the distinct bytes of each column in `count` rows (at most 255) into out[:64]; return the maximum."""

    def generate(context, builder, signature, arguments):
        bytes_, rows, count, column, found = arguments
        bytes_ = _data(context, builder, signature.args[0], bytes_)
        rows = _data(context, builder, signature.args[1], rows)
        found = _data(context, builder, signature.args[4], found)
        total = cgutils.alloca_once_value(builder, ir.Constant(_vector(8), [0] * WIDTH))
        seen = cgutils.alloca_once(builder, _vector(1))
        with cgutils.for_range(builder, count, intp=_word()) as this:
            row = _row(builder, bytes_, rows, this.index, column)
            builder.store(ir.Constant(_vector(1), [0] * WIDTH), seen)
            with cgutils.for_range(builder, this.index, intp=_word()) as before:
                same = builder.icmp_unsigned("==", _row(builder, bytes_, rows, before.index, column), row)
                builder.store(builder.or_(builder.load(seen), same), seen)
            new = builder.zext(builder.not_(builder.load(seen)), _vector(8))
            builder.store(builder.add(builder.load(total), new), total)
        result = builder.load(total)
        builder.store(result, builder.bitcast(found, _vector(8).as_pointer()), align=1)
        kind = ir.FunctionType(ir.IntType(8), [_vector(8)])
        greatest = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.umax.v{WIDTH}i8")
        return builder.zext(builder.call(greatest, [result]), _word())

    return types.int64(table, starts, types.int64, types.int64, out), generate


@intrinsic
def same(typing_context, table, left, right, count, column, among):
    """Return the columns in which row left[j] equals row right[j] for all of `count` pairs.

    The result has a bit for each column, uint64. Only the columns in `among` are compared.
    """

    def generate(context, builder, signature, arguments):
        bytes_, left, right, count, column, among = arguments
        bytes_ = _data(context, builder, signature.args[0], bytes_)
        left = _data(context, builder, signature.args[1], left)
        right = _data(context, builder, signature.args[2], right)
        mask = cgutils.alloca_once_value(builder, among)
        with cgutils.for_range(builder, count, intp=_word()) as pair:
            equal = builder.icmp_unsigned(
                "==",
                _row(builder, bytes_, left, pair.index, column),
                _row(builder, bytes_, right, pair.index, column),
            )
            remaining = builder.and_(builder.load(mask), builder.bitcast(equal, _word()))
            builder.store(remaining, mask)
            with builder.if_then(builder.icmp_unsigned("==", remaining, ir.Constant(_word(), 0))):
                pair.do_break()
        return builder.load(mask)

    return types.uint64(table, left, right, types.int64, types.int64, types.uint64), generate


@intrinsic
def add_ranked(typing_context, table, starts, first, count, column, steps, step, out):
    """Add the cost of each row in each column, where k is the number of earlier rows with the same entry there.

    out[column:][:64] += steps[step + 1] + ... + steps[step + k] for each of `count` rows, at most 256, which start at
    starts[first], starts[first + 1], ...; `steps` and `out` are int32. The number of rows that reach each step is
    counted in bytes and multiplied once.
    """

    def generate(context, builder, signature, arguments):
        bytes_, rows, first, count, column, steps, step, found = arguments
        bytes_ = _data(context, builder, signature.args[0], bytes_)
        rows = builder.gep(_data(context, builder, signature.args[1], rows), [first])
        steps = builder.gep(_data(context, builder, signature.args[5], steps), [step])
        found = builder.gep(_data(context, builder, signature.args[7], found), [column])
        found = builder.bitcast(found, _vector(32).as_pointer())
        ranks = cgutils.alloca_once(builder, _vector(8))
        reached = cgutils.alloca_once(builder, _vector(8), size=256)  # the number of rows that reach step k
        one = ir.Constant(_word(), 1)
        highest = cgutils.alloca_once_value(builder, ir.Constant(_word(), 0))
        with cgutils.for_range(builder, count, start=one, intp=_word()) as this:
            row = _row(builder, bytes_, rows, this.index, column)
            builder.store(ir.Constant(_vector(8), [0] * WIDTH), ranks)
            with cgutils.for_range(builder, this.index, intp=_word()) as before:
                same = builder.icmp_unsigned("==", _row(builder, bytes_, rows, before.index, column), row)
                builder.store(builder.sub(builder.load(ranks), builder.sext(same, _vector(8))), ranks)
            with cgutils.for_range(builder, builder.add(this.index, one), start=one, intp=_word()) as k:
                least = _all(builder, builder.trunc(k.index, ir.IntType(8)))
                these = builder.icmp_unsigned(">=", builder.load(ranks), least)
                none = builder.icmp_unsigned("==", builder.bitcast(these, _word()), ir.Constant(_word(), 0))
                with builder.if_then(none):
                    k.do_break()
                row_count = builder.gep(reached, [k.index])
                with builder.if_then(builder.icmp_unsigned(">", k.index, builder.load(highest)), likely=False):
                    builder.store(ir.Constant(_vector(8), [0] * WIDTH), row_count)
                    builder.store(k.index, highest)
                builder.store(builder.sub(builder.load(row_count), builder.sext(these, _vector(8))), row_count)
        total = cgutils.alloca_once_value(builder, builder.load(found, align=4))
        with cgutils.for_range(builder, builder.add(builder.load(highest), one), start=one, intp=_word()) as k:
            row_count = builder.zext(builder.load(builder.gep(reached, [k.index])), _vector(32))
            more = _all(builder, builder.load(builder.gep(steps, [k.index])))
            builder.store(builder.add(builder.load(total), builder.mul(row_count, more)), total)
        builder.store(builder.load(total), found, align=4)
        return context.get_dummy_value()

    return types.none(table, starts, *[types.int64] * 3, steps, types.int64, out), generate


@intrinsic
def add_before(typing_context, table, starts, first, count, weights, column, out):
    """Add up, in each column, the weights of the rows that have the same entry there as the last row.

    out[:64] = the sums over `count` rows, which start at starts[first], starts[first + 1], ... and whose weights are
    weights[first], ...; the last row is the one after them. `weights` and `out` are uint16, and so must the sums be.
    """

    def generate(context, builder, signature, arguments):
        bytes_, rows, first, count, weights, column, found = arguments
        bytes_ = _data(context, builder, signature.args[0], bytes_)
        rows = builder.gep(_data(context, builder, signature.args[1], rows), [first])
        weights = builder.gep(_data(context, builder, signature.args[4], weights), [first])
        found = builder.bitcast(_data(context, builder, signature.args[6], found), _vector(16).as_pointer())
        none = ir.Constant(_vector(16), [0] * WIDTH)
        total = cgutils.alloca_once_value(builder, none)
        row = _row(builder, bytes_, rows, count, column)
        with cgutils.for_range(builder, count, intp=_word()) as before:
            same = builder.icmp_unsigned("==", _row(builder, bytes_, rows, before.index, column), row)
            weight = _all(builder, builder.load(builder.gep(weights, [before.index])))
            builder.store(builder.add(builder.load(total), builder.select(same, weight, none)), total)
        builder.store(builder.load(total), found, align=2)
        return context.get_dummy_value()

    return types.none(table, starts, types.int64, types.int64, weights, types.int64, out), generate


def _all(builder, value):
    """Return a vector that contains this value WIDTH times."""
    kind = ir.VectorType(value.type, WIDTH)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


@intrinsic
def gather(typing_context, table, start, columns, count, out, place):
    """Copy entries: out[place:][:count] = table[start:][columns[:count]]."""

    def generate(context, builder, signature, arguments):
        bytes_, start, columns, count, found, place = arguments
        bytes_ = builder.gep(_data(context, builder, signature.args[0], bytes_), [start])
        columns = _data(context, builder, signature.args[2], columns)
        found = builder.gep(_data(context, builder, signature.args[4], found), [place])
        with cgutils.for_range(builder, count, intp=_word()) as this:
            byte = builder.load(builder.gep(bytes_, [builder.load(builder.gep(columns, [this.index]))]))
            builder.store(byte, builder.gep(found, [this.index]))
        return context.get_dummy_value()

    return types.none(table, types.int64, columns, types.int64, out, types.int64), generate


@intrinsic
def copy(typing_context, table, start, out, place):
    """Copy 64 entries: out[place:][:64] = table[start:][:64]."""

    def generate(context, builder, signature, arguments):
        bytes_, start, found, place = arguments
        there = builder.gep(_data(context, builder, signature.args[0], bytes_), [start])
        here = builder.gep(_data(context, builder, signature.args[2], found), [place])
        value = _entries(builder, there)
        builder.store(value, builder.bitcast(here, value.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.none(table, types.int64, out, types.int64), generate
