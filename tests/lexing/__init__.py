"""Lexing: columns, modes, lexemes, the seam."""
