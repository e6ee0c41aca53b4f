"""Decoding: from a prompt and a quotient to a completion."""
