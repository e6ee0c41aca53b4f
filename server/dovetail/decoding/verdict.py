"""The verdicts of decoding rules.

A rule returns one of five values for a candidate:

- None: the rule says nothing, and the next rule is asked.
- A `Cause`: the candidate is refused for it, and the model's next one is tried.
- `End`: the text ends before or inside of the candidate.
- `Take`: the candidate is appended to the text.
- `Instead`: the candidate is written otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.completion import Cause

if TYPE_CHECKING:
    from dovetail.decoding.completion import Stop
    from dovetail.decoding.progress import Mark
    from dovetail.decoding.token_budget import TokenBudget


class End(NamedTuple):
    """The text ends here."""

    stop: Stop
    first: bytes | None
    """The bytes that would have come next; None if the model ended the text. Another attempt may begin otherwise."""
    mark: Mark | None = None
    """The place to cut the text at, maybe inside of the candidate; None for the text as it is."""
    refused: Cause | None = None
    """The cause for which the candidate counts as refused, if it does."""


class Take(NamedTuple):
    """The candidate is appended."""

    budget: TokenBudget
    """The budget after it."""


class Instead(NamedTuple):
    """The file writes otherwise what the candidate means."""

    piece: bytes
    """The text in its place. Its first token is appended, as the model would spell it."""
    refused: Cause
    """The cause for which the candidate counts as refused."""


Verdict = Cause | End | Take | Instead | None
