"""git's standard tools, a tool a module."""
