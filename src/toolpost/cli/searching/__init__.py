"""Searching as ripgrep does: which files, which lines, and how they are shown."""
