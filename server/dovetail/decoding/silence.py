"""Silence: places where nothing is offered while the user types; on request by hand it still is.

Inside a word a request by hand gets what leaves whole words (`whole_words.py`).

`SILENCES` are functions from a request to a reason or None. They are asked before the model is, so they cost nothing.
Then the model's text is judged: it is kept back if it is unlikely to be accepted (`reason_to_withhold`), and more
likely so where something is finished at the cursor.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.request import Request

LEAST = 0.2
"""The least probability of being accepted with which a text is shown while the user types."""

LEAST_FINISHED = 0.6
"""The same where a statement, or a line of a comment or a text, is finished at the cursor."""

_WORD = re.compile(r"\w")


def tears_a_word(request: Request) -> Stop | None:
    """Be silent inside a word: text between its two parts would tear it."""
    return Stop.WORD if _WORD.match(request.left[-1:]) and _WORD.match(request.right[:1]) else None


SILENCES: tuple[Callable[[Request], Stop | None], ...] = (tears_a_word,)
"""All rules; the first reason counts."""


def reason_for_silence(request: Request) -> Stop | None:
    """Return why nothing is offered at a place while the user types; None if something may be.

    >>> from dovetail.decoding.request import Request
    >>> from dovetail.decoding.unchecked import UncheckedQuotient
    >>> def reason(left, right, typing):
    ...     return reason_for_silence(Request(left, right, lambda: UncheckedQuotient(left), typing=typing))
    >>> reason("retur", "n x", True), reason("retur", "n x", False), reason("return", " x", True)
    (<Stop.WORD: 'there are letters on both sides of the cursor'>, None, None)
    """
    if not request.typing:
        return None
    return next((reason for rule in SILENCES if (reason := rule(request)) is not None), None)


def least_acceptance(request: Request) -> float:
    """Return the least probability of being accepted with which a text is shown in answer to a request; 0 for any."""
    return LEAST if request.typing and not request.eager else 0.0


def reason_to_withhold(finished: Stop | None, threshold: float, acceptance: float) -> Stop | None:
    """Return why a text is not shown that is accepted with a probability; None if it may be shown.

    `finished`: what was finished before the text (`CursorPlace.is_finished`). `threshold`: see `least_acceptance`.
    """
    if not threshold:
        return None
    if finished is not None and acceptance < LEAST_FINISHED:
        return finished
    return Stop.UNSURE if acceptance < threshold else None
