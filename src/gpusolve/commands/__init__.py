"""Commands: read from public functions, made for the command line, and run."""
