"""Dovetail: text that fits both sides of the cursor."""
