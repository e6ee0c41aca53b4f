"""Remedies for what a model lacks, in the words of a terminal. An editor may have other ways (`lsp/ways.py`)."""

from __future__ import annotations

import shlex
import sys

LIST = "`dovetail models`"
"""The command that lists the models that are offered."""


def installation(*packages: str) -> str:
    """Return the command that installs packages beside Dovetail, whatever other Python the terminal would take."""
    return f"`{shlex.join([sys.executable, '-m', 'pip', 'install', *packages])}`"
