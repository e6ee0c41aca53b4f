"""Dovetail inside other libraries."""
