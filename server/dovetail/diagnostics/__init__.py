"""Diagnostics: where a text does not fit, and the mistake that a person has made there, in words."""
