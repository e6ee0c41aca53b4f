"""Mistakes in an experiment that the user can correct."""

from __future__ import annotations


class EvaluationError(Exception):
    """An experiment that cannot be made or continued; the message is one sentence with the place and the remedy."""
