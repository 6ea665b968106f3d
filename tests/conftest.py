"""What all tests share; the devices come from ``gpusolve.testing.plugin``."""

from hypothesis import HealthCheck, settings

# The first example of a test compiles kernels, and a device keeps nothing between them.
settings.register_profile("ours", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
settings.load_profile("ours")
