"""Testing CUDA kernels without a GPU, for programs of ours and of others. ``docs/testing.md`` tells how to start.

`checks` has what must hold for every program, `emulation` the backend that runs CUDA text on a processor, `nvrtc`
NVIDIA's compiler, and `plugin` is the pytest plugin with the fixtures ``backend`` and ``run``. The extra
``gpusolve[testing]`` installs what they need.
"""
