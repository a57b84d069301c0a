"""The third stage: what a call will cost is set aside before it runs, and settled after."""
