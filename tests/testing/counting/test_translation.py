"""What is counted of a kernel in PTX, which is written here by hand."""

from __future__ import annotations

from gpusolve.testing.counting.translation import Block, translate

PTX = """
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<5>;
    .loc 1 7 3
    ld.param.u64 %rd1, [weigh_param_0];
    mov.u32 %r1, %tid.x;
    add.s32 %r2, %r1, 1;
    and.b64 %rd2, %rd1, 7;
    .loc 1 8 3
    div.u32 %r3, %r2, 3;
    rem.u64 %rd3, %rd1, %rd2;
    ld.global.v2.u32 {%r2, %r3}, [%rd1];
    mul.lo.s32 %r4, %r2, %r3;
    mul.f32 %f1, %f2, %f2;
    popc.b64 %r4, %rd3;
    setp.eq.s32 %p1, %r4, 0;
    @%p1 bra $L__BB0_2;
    st.global.u8 [%rd1], %r4;
    st.global.u64 [%rd1+8], %rd3;
$L__BB0_2:
    ret;
"""


def test_blocks_count_instructions_by_line_and_by_unit_and_bytes() -> None:
    """64-bit instructions count twice, divisions 20 times, and those that become no machine code not at all."""
    blocks = translate("weigh", PTX, PTX).blocks
    assert blocks == [
        Block(
            instructions=1 + 2 + 20 + 40 + 1 + 1 + 1 + 2 + 1 + 1,
            lines={(1, 7): 3, (1, 8): 67},  # type: ignore[arg-type]
            units={"logic": 2 + 1, "exchange": 1, "products": 1, "bits": 2},  # type: ignore[arg-type]
            read=8,
        ),
        Block(instructions=2, lines={(1, 8): 2}, units={"exchange": 2}, written=9),  # type: ignore[arg-type]
        Block(),
    ]
