"""A folder of this machine: opened beneath its descriptor, written whole."""
