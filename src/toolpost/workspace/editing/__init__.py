"""Changes of text, pure: matching, patches, differences, and errors that show where."""
