"""Mends: changes of a broken text with which it fits beyond a fault, each for one kind of mistake."""
