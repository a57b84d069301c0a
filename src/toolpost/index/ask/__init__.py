"""Questions to the index, each answered from one snapshot."""
