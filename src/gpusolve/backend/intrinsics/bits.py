"""Bit-counting instructions that Numba does not offer; CUDA calls them __popc, __ffs and __clz.

Each takes a uint32 or a uint64 and returns a signed integer of the same width, so that LLVM can vectorise a loop over
an array at that width. For Numba functions only.
"""

from __future__ import annotations

from gpusolve.backend.intrinsics import intrinsic, ir, types


def _instruction(name, *flags):
    @intrinsic
    def count(typing_context, x):
        if x not in (types.uint32, types.uint64):
            return None  # Numba's own error names the type

        def generate(context, builder, signature, arguments):
            return getattr(builder, name)(arguments[0], *(ir.Constant(ir.IntType(1), flag) for flag in flags))

        return (types.int32 if x == types.uint32 else types.int64)(x), generate

    return count


popcount = _instruction("ctpop")
"""The number of 1 bits."""
trailing_zeros = _instruction("cttz", 0)
"""The position of the lowest 1 bit; the width for 0."""
leading_zeros = _instruction("ctlz", 0)
"""The number of 0 bits above the highest 1 bit; the width for 0."""
