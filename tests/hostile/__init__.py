"""Input that is meant to hurt."""
