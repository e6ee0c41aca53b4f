"""Runtimes: what computes a model's probabilities, one file for each library."""
