"""Searching the text of an index: the answers of `workspace.walking.search`, without opening a file."""
