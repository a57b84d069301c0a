"""Definitions in source files: what is defined, of which kind, on which lines, and what is said of it."""
