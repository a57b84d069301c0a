"""`python -m toolpost` is `toolpost`."""

from toolpost.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
