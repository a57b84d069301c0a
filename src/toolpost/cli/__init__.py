"""The command line: a command a module. It may import everything, and does so only when a command runs."""
