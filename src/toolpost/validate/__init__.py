"""The first stage: wire arguments to typed arguments, or every fault at once."""
