"""git, so that nothing a repository says is executed."""
