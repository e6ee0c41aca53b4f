"""The shortest closings."""
