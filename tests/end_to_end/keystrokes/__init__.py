"""Somebody types: real files are written again, key by key, at human speed, through the real protocol."""
