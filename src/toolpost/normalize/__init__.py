"""The sixth stage: whatever a tool returned, in the one form every dialect can render."""
