"""Terminals to stacks, all parses at once."""
