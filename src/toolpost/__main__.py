"""`python -m toolpost` is `toolpost`.

Python puts the folder we are in first among the places it imports from. That folder may be a stranger's:
whatever lies there would run in place of a library of ours, trusted or not. It is taken out again before
anything is imported that Python has not loaded by now.
"""

import sys
from importlib import import_module

if __name__ == "__main__":
    if not sys.flags.safe_path:  # with it, -m puts no folder there
        del sys.path[0]
    raise SystemExit(import_module("toolpost.cli.main").main())
