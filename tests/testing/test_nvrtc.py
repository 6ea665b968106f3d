"""NVIDIA's compiler and its report."""

from __future__ import annotations

import pytest

from gpusolve.backend.program import insert_headers
from gpusolve.testing import nvrtc
from gpusolve.testing.tools import need_nvrtc

# 128 values are live at once, but with 1024 threads per block each thread has only 64 registers.
SPILLING = """
extern "C" __global__ void __launch_bounds__(1024) crowded(int first, int last, float* x /*[]*/) {
    float a[128];
#pragma unroll
    for (int i = 0; i < 128; ++i) a[i] = x[i * 1024 + threadIdx.x];
    for (int k = first; k < last; ++k) {
#pragma unroll
        for (int i = 0; i < 128; ++i) a[i] = a[i] * a[(i + 1) % 128] + x[k];
    }
#pragma unroll
    for (int i = 0; i < 128; ++i) x[i * 1024 + threadIdx.x] = a[i];
}
extern "C" __global__ void roomy(int first, int last, float* x /*[]*/) {
    __shared__ float row[256];
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = row[255 - threadIdx.x];
}
"""


@pytest.mark.parametrize("arch", nvrtc.ARCHITECTURES)
def test_a_spill_is_found(arch: str) -> None:
    need_nvrtc()
    found = nvrtc.compile(SPILLING, "spilling.cu", arch)
    crowded, roomy = found["crowded"], found["roomy"]
    assert crowded.spill_stores > 0
    assert crowded.spill_loads > 0
    assert crowded.stack > 0
    assert crowded.registers == 64
    assert (roomy.spill_stores, roomy.spill_loads, roomy.stack, roomy.shared) == (0, 0, 0, 1024)


def test_an_error_names_file_and_line() -> None:
    need_nvrtc()
    text = insert_headers('#include "common.cuh"\n\n__global__ void wrong() { missing(); }\n', "wrong.cu")
    with pytest.raises(RuntimeError, match=r"wrong\.cu\(3\): error"):
        nvrtc.compile(text, "wrong.cu", "sm_80")


def test_a_report_in_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a report"):
        nvrtc.resources("ptxas info    : Compiling entry function 'twice' for 'sm_80'\nsomething new")
