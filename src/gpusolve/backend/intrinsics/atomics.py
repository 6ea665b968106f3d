"""Atomic operations on int32 numbers, with LLVM instructions that Numba does not offer. For Numba functions only."""

from __future__ import annotations

from gpusolve.backend.intrinsics import intrinsic, ir, types


def _number(context, builder, signature, arguments, position):
    return context.cast(builder, arguments[position], signature.args[position], types.int32)


def _place(builder, address):
    return builder.inttoptr(address, ir.IntType(32).as_pointer())


@intrinsic
def compare_and_swap(typing_context, address, expected, value):
    """Write a value to an address if it holds the expected one; return what it held, as CUDA's ``atomicCAS``."""

    def generate(context, builder, signature, arguments):
        wanted = _number(context, builder, signature, arguments, 1)
        new = _number(context, builder, signature, arguments, 2)
        swapped = builder.cmpxchg(_place(builder, arguments[0]), wanted, new, "monotonic", "monotonic")
        return builder.extract_value(swapped, 0)

    return types.int32(types.uint64, expected, value), generate


@intrinsic
def least(typing_context, address, value):
    """Write a value to an address if it is less than what it holds, as CUDA's ``atomicMin``."""

    def generate(context, builder, signature, arguments):
        new = _number(context, builder, signature, arguments, 1)
        builder.atomic_rmw("min", _place(builder, arguments[0]), new, "monotonic")
        return context.get_dummy_value()

    return types.void(types.uint64, value), generate
