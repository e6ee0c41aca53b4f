"""Mistakes in markup: the tags, attributes and values of elements."""
