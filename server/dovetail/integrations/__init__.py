"""Dovetail inside other people's programs."""
