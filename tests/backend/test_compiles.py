"""Every CUDA file compiles for the architectures that matter, and none of its kernels spills registers."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from gpusolve.backend.source import inline_common, signatures

from gpusolve.resources import kernels_dir
from gpusolve.testing import nvrtc

FILES = sorted([*kernels_dir().glob("*.cu"), *Path(__file__).parents[1].glob("*.cu")])
ARCHITECTURES = ["sm_80", "sm_90", "sm_120"]
_MAY_SPILL = re.compile(r"^// spills: (\w+): \S", re.MULTILINE)  # followed by the reason

# 128 values live at once; 1024 threads leave each 64 registers.
_SPILLING = """
extern "C" __global__ void __launch_bounds__(1024) crowded(int first, int last, float* x) {
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
extern "C" __global__ void roomy(int first, int last, float* x) {
    __shared__ float row[256];
    row[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = row[255 - threadIdx.x];
}
"""


@pytest.fixture(scope="module", autouse=True)
def compiler() -> None:
    """Without the compiler: skips, or fails where ``GPUSOLVE_REQUIRE`` names nvrtc."""
    if os.environ.get("GPUSOLVE_SANITIZE") == "1":
        pytest.skip("nothing to sanitize here, and AddressSanitizer hides NVRTC's own files from it")
    if why := nvrtc.missing():
        if "nvrtc" in os.environ.get("GPUSOLVE_REQUIRE", ""):
            pytest.fail(why)
        pytest.skip(why)


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_compiles_without_spills(file: Path, arch: str) -> None:
    text = inline_common(file.read_text(encoding="utf-8"), file.name)
    found = nvrtc.compile(text, file.name, arch)
    assert sorted(found) == sorted(signatures(text)), "signatures() does not see the kernels that the compiler sees"
    allowed = _MAY_SPILL.findall(text)
    assert set(allowed) <= set(found), "a comment `// spills:` names no kernel"
    spilling = {kernel: used for kernel, used in found.items() if used.spill_stores or used.spill_loads}
    assert set(spilling) <= set(allowed), f"spilled registers on {arch}: {spilling}"


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_a_spill_is_seen(arch: str) -> None:
    found = nvrtc.compile(_SPILLING, "spilling.cu", arch)
    crowded, roomy = found["crowded"], found["roomy"]
    assert crowded.spill_stores > 0
    assert crowded.spill_loads > 0
    assert crowded.stack > 0
    assert crowded.registers == 64
    assert (roomy.spill_stores, roomy.spill_loads, roomy.stack, roomy.shared) == (0, 0, 0, 1024)


def test_an_error_names_file_and_line() -> None:
    text = inline_common('#include "common.cuh"\n\n__global__ void wrong() { missing(); }\n', "wrong.cu")
    with pytest.raises(RuntimeError, match=r"wrong\.cu\(3\): error"):
        nvrtc.compile(text, "wrong.cu", "sm_80")


def test_a_report_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="not the report"):
        nvrtc.resources("ptxas info    : Compiling entry function 'twice' for 'sm_80'\nsomething new")
