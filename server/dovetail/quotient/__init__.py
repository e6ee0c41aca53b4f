"""The quotient of a language by a left and a right text, and the questions about it."""
