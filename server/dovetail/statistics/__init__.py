"""Counts of shown, accepted and kept completions, on this machine only and without any text."""
