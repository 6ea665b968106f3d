"""What all tests share; the devices come from ``gpusolve.testing.plugin``."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # the first example of a test compiles kernels
settings.load_profile("untimed")
