"""Rule files of other programs, read as rules of ours: never to a wider allow, and with a word on all that is lost."""
