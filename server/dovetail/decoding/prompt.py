"""The prompt of a completion: as much of both contexts as the model's window has room for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.decoding.formats import Side, format_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.proposer import Proposer

# The right context gets at least a quarter of the window if it is that long: what precedes the cursor says
# more about what comes next, and most of what the right context says is in its first lines.
_RIGHT_SHARE = 4

# Text farther away than this many characters for each token that is left is not looked at, so that a huge
# file costs no more than a long one. Source code has three to four characters a token; only runs of blanks
# have more than sixteen.
_DENSEST = 16

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model reads before it writes."""

    tokens: tuple[int, ...]
    """Never empty."""
    room: int
    """How many tokens the model's window leaves for the completion, at most as many as were asked for."""
    left: str
    """The part of the left text that the model sees, a suffix of it."""
    right: str
    """The part of the right text that the model sees, a prefix of it; empty if the model takes none."""


def build(proposer: Proposer, left: str, right: str, max_tokens: int) -> Prompt:
    """Return the prompt in the model's own format.

    Contexts that are too long are cut at line starts, the farthest lines first; only a line that is longer
    than the window is cut inside. The completion's room is kept free, but never more than half of the window.
    """
    vocabulary = proposer.vocabulary
    form = format_for(vocabulary.specials)
    room = min(max_tokens, proposer.window // 2)
    space = proposer.window - room - len(form.marks)

    kept_right: list[int] = []
    seen_right = ""
    if Side.RIGHT in form.parts:
        kept_right, seen_right = _nearest(right, space // _RIGHT_SHARE, proposer.encode, Side.RIGHT)
    kept_left, seen_left = _nearest(left, space - len(kept_right), proposer.encode, Side.LEFT)
    if Side.RIGHT in form.parts and len(seen_right) < len(right):
        kept_right, seen_right = _nearest(right, space - len(kept_left), proposer.encode, Side.RIGHT)

    tokens: list[int] = []
    for part in form.parts:
        if part is Side.LEFT:
            tokens += kept_left
        elif part is Side.RIGHT:
            tokens += kept_right
        else:
            assert isinstance(part, str)
            tokens.append(vocabulary.specials[part])
    if not tokens:
        # A model without a start token was trained on texts that its end token separates. One that has
        # neither gets its first token: it has to be asked with something.
        tokens.append(min(vocabulary.ends, default=0))
    return Prompt(tuple(tokens), room, seen_left, seen_right)


def _nearest(
    text: str, space: int, encode: Callable[[str], list[int]], side: Side
) -> tuple[list[int], str]:
    """Return the tokens of the part of a text next to the cursor that fits into `space`, and that part."""
    reach = max(space, 0) * _DENSEST
    near = text[len(text) - min(reach, len(text)) :] if side is Side.LEFT else text[:reach]
    lines = _LINE.findall(near)
    if side is Side.LEFT:
        lines.reverse()                            # nearest first
    if len(near) < len(text):
        del lines[-1:]                             # not, or not certainly, a whole line

    # Lines that are encoded one by one have about as many tokens as together; the true count is taken below.
    count = kept = 0
    for line in lines:
        count += len(encode(line))
        if count > space:
            break
        kept += 1
    for many in range(kept, 0, -1):
        part = "".join(reversed(lines[:many]) if side is Side.LEFT else lines[:many])
        tokens = encode(part)
        if len(tokens) <= space:
            return tokens, part
    return _within_line(lines[0] if lines else near, space, encode, side)


def _within_line(
    line: str, space: int, encode: Callable[[str], list[int]], side: Side
) -> tuple[list[int], str]:
    """Return the tokens of the end of a line that fits, the end next to the cursor, and that end."""
    reach = len(line)
    while reach > 0:
        part = line[-reach:] if side is Side.LEFT else line[:reach]
        tokens = encode(part)
        if len(tokens) <= space:
            return tokens, part
        reach = reach * 3 // 4
    return [], ""
