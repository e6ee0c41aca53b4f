"""Mistakes: those that a person makes in a way of its own, one kind in each module."""
