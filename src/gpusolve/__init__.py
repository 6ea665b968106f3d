"""Solve word games and puzzles quickly, with or without a GPU."""

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    if name == "__version__":  # looked up when asked for: it takes longer than the rest of this import
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("gpusolve")
        except PackageNotFoundError:
            return "not installed"
    raise AttributeError(f"module 'gpusolve' has no attribute {name!r}")
