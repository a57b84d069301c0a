"""What was there before: changes kept, undone, and noticed."""
