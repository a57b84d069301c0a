"""Trees walked in order: ignore files, globs, patterns, search."""
