"""Names of files, judged without a disk: how they fold, which are secret or protected, and the patterns of rules."""
