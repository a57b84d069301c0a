"""Keeping an index true: what changed since it was built is found before every answer."""
