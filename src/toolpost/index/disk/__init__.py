"""The index on disk: files of checked sections, generations of them, and the reader that maps one."""
