"""Prefetch memory before it is read, with an LLVM intrinsic that Numba does not offer. For Numba functions only."""

from __future__ import annotations

from gpusolve.backend.intrinsics import cgutils, intrinsic, ir, types


@intrinsic
def prefetch(typing_context, address):
    """Load the cache line at an address into the cache; an invalid address does no harm.

    Pass ``array.ctypes.data``, the address of the first byte: Numba would reference-count an array.
    """

    def generate(context, builder, signature, arguments):
        number = ir.IntType(32)
        place = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [place.type],
            ir.FunctionType(ir.VoidType(), [place.type, number, number, number]),
        )
        builder.call(function, [place, number(0), number(3), number(1)])  # for reading, into all caches, data
        return context.get_dummy_value()

    return types.void(types.uint64), generate
