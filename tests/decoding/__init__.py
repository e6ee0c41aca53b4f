"""Completions: the decoder, its parts, and the long run over real files."""
