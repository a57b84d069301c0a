"""The seventh stage: every call leaves one record, whatever became of it."""
