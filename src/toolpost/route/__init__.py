"""The fourth stage: which tool a name means, where it runs, and where tools come from."""
