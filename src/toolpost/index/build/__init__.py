"""Building a generation: list the tree, read what is new, take the rest from before, and write it all down."""
