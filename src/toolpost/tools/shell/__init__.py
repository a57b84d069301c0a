"""Commands: running them, asking about those that still run, trying what one would change."""
