"""Parsing of the left text: terminals to a graph of LR stacks."""
