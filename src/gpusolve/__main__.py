"""``python -m gpusolve``: the command line, also where nothing is installed."""

import sys

from gpusolve.cli import main

sys.exit(main())
