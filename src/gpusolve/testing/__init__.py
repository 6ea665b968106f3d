"""Test CUDA kernels without a GPU, also those of other packages. ``docs/testing.md`` is the introduction.

`checks` contains the rules for every program, `emulation` runs CUDA text on a CPU, `stand_in` replaces CuPy, `emulated`
is the GPU backend on top of both, `nvrtc` calls NVIDIA's compiler, and `plugin` is the pytest plugin with the fixtures
``backend`` and ``run``. The extra ``gpusolve[testing]`` installs what they need.

`profiling` profiles a launch and finds races (``docs/profiling.md``), and `counting` counts its instructions.
"""
