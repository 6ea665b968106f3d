"""One folder a game; the command line finds them by their ``cli.py``."""
