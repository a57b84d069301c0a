"""The user's desktop: which applications there are, starting one, and who holds the microphone."""
