"""What goes wrong with an experiment for reasons that the user can mend."""

from __future__ import annotations


class EvaluationError(Exception):
    """An experiment that cannot be made or gone on with; the message is one sentence with the place and the remedy."""
