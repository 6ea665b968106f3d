"""Asks for memory before it is read, which Numba does not reach by itself. Inside Numba functions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

if TYPE_CHECKING:

    def prefetch(address: Any) -> None:
        """What compiled functions call."""

else:

    @intrinsic
    def prefetch(typing_context, address):
        """Has the cache line at an address brought into the cache; the address may be wrong.

        ``array.ctypes.data`` is that of an array's first byte: an array as the argument would be counted in and out.
        """

        def generate(context, builder, signature, arguments):
            number = ir.IntType(32)
            place = builder.inttoptr(arguments[0], cgutils.voidptr_t)
            function = builder.module.declare_intrinsic(
                "llvm.prefetch",
                [place.type],
                ir.FunctionType(ir.VoidType(), [place.type, number, number, number]),
            )
            builder.call(function, [place, number(0), number(3), number(1)])  # to read, into all caches, data
            return context.get_dummy_value()

        return types.void(types.uint64), generate
