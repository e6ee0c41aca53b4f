"""Comparisons of languages with their real parsers."""
