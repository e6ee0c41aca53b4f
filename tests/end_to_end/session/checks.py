"""Faults that a person must never see in a text that is offered while typing."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.session.record import Offer

_WORD = re.compile(r"\w")


def tears_a_word(offer: Offer) -> bool:
    """Return whether the text stands between two parts of a word, or makes one word of its end and the next."""
    return bool((_WORD.match(offer.left[-1:]) or _WORD.match(offer.text[-1:])) and _WORD.match(offer.right[:1]))


def moves_text(offer: Offer) -> bool:
    """Return whether what stands right of the cursor on its line comes to another line, or is indented anew."""
    line, rest = offer.left.rpartition("\n")[2], offer.right.partition("\n")[0]
    return bool(rest.strip()) and ("\n" in offer.text or (not line.strip() and offer.text[:1].isspace()))


def comments_out(offer: Offer) -> bool:
    """Return whether what stands right of the cursor on its line comes into a comment or a string, or out of one."""
    rest = offer.right.partition("\n")[0].strip()
    if not rest or not _parses(offer.left + offer.right):
        return False
    return _kinds(offer.left, offer.right) != _kinds(offer.left + offer.text, offer.right)


def shallower_than_a_due_block(offer: Offer) -> bool:
    """Return whether the text stands in the first line below a header and is not deeper than it."""
    line = offer.left.rpartition("\n")[2] + offer.text
    above = [line for line in offer.left.rpartition("\n")[0].splitlines() if line.strip()]
    if (
        not above
        or not above[-1].rstrip().endswith(":")
        or not re.match(r"\s*(if|for|while|def|class|try)\b", above[-1])
    ):
        return False
    first = next((line for line in line.splitlines() if line.strip()), "")
    return bool(first) and _indentation(first) <= _indentation(above[-1])


def is_too_long(offer: Offer) -> bool:
    """Return whether the text has more than three lines although no header was just opened."""
    lines = [line for line in offer.text.split("\n") if line.strip()]
    return len(lines) > 3 and not offer.left.rstrip().endswith(":")


def breaks_the_program(offer: Offer) -> bool:
    """Return whether the text makes no program of a document that is one."""
    return _parses(offer.left + offer.right) and not _parses(offer.left + offer.text + offer.right)


CHECKS: tuple[Callable[[Offer], bool], ...] = (
    tears_a_word,
    moves_text,
    comments_out,
    shallower_than_a_due_block,
    is_too_long,
    breaks_the_program,
)


def problems(offers: list[Offer]) -> list[str]:
    """Return a sentence for each offer that fails a check."""
    return [
        f"{check.__name__}: {offer.left[-80:]!r} + {offer.text!r} + {offer.right[:40]!r}"
        for offer in offers
        for check in CHECKS
        if check(offer)
    ]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _kinds(left: str, right: str) -> list[tuple[int, str]]:
    """Return the tokens of the rest of the line of a program: their kinds and their texts right of the cursor."""
    row, column = left.count("\n") + 1, len(left.rpartition("\n")[2])
    found = []
    for token in tokenize.generate_tokens(io.StringIO(left + right).readline):
        if token.start[0] == row and token.end > (row, column) and token.string.strip():
            kind = token.type if token.type in (tokenize.COMMENT, tokenize.STRING) else -1
            found.append((kind, token.string[max(column - token.start[1], 0) :]))
    return found


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())
