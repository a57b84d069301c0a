"""The standard tools, a family a module. Each is made for a context: its workspace, its plan, its outputs."""
