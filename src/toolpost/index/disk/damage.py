"""What a reader says when a file of the index is not what was written."""


class Damaged(Exception):
    """A file is missing, cut, changed, or of another version: build the index anew.

    No answer has been given from it.
    """
