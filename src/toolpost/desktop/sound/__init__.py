"""The microphone: who holds it, and how it is let go; `microphone` does both."""
