"""Injected faults; README.md is the table."""
