"""Terminals to stacks, right contexts to automata over stacks."""
