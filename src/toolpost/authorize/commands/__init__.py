"""Command lines: what a shell line or an argument list would do, said in atoms, and the patterns of exec rules."""
