"""Properties that always hold, at random places."""
