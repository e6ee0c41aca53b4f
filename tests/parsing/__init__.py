"""Parsing: stacks and configurations."""
