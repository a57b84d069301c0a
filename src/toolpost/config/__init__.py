"""Settings: what can be set, where each value came from, and how a file is changed without harm."""
