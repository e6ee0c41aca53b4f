"""What clients of other programs send, and what they read."""
