"""Files as text: how they are written, parts of them, what was read before."""
