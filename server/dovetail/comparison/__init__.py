"""Comparisons of a language with its real parser: the harness of grammar authors and of the tests."""
