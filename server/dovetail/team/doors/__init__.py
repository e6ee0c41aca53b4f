"""The doors: requests as clients of other programs send them, and the answers that they read."""
