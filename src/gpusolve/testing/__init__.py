"""Testing CUDA kernels without a GPU, for programs of ours and of others. ``docs/testing.md`` tells how to start.

`checks` has what must hold for every program, `emulation` runs CUDA text on a processor, `stand_in` takes CuPy's place,
`emulated` is the backend for GPUs over both, `nvrtc` NVIDIA's compiler, and `plugin` the pytest plugin with the
fixtures ``backend`` and ``run``. The extra ``gpusolve[testing]`` installs what they need.
"""
