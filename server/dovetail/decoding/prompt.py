"""The prompt of a completion: as much of both contexts as the model's window has room for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.decoding.formats import Side, forms_for
from dovetail.decoding.healing import held_back
from dovetail.decoding.repository import render, show, starting_tokens
from dovetail.vocabulary.prefix_index import PrefixIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.formats import Order, PromptForm
    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import ProjectContext, ProjectTokens, ShownPart

# The right context gets at least a quarter of the window if it is that long: what precedes the cursor says
# more about what comes next, and most of what the right context says is in its first lines.
_RIGHT_SHARE = 4

# A left context that has outgrown the window since the last prompt is cut so that an eighth of the window is free
# again. Cut as sparingly as the first time it would lose a line with every line that is typed, and the model would
# have to read all of it again each time.
_SLACK_SHARE = 8

# Text farther away than this many characters for each token that is left is not looked at, so that a huge
# file costs no more than a long one. Source code has three to four characters a token; only runs of blanks
# have more than sixteen.
_DENSEST = 16

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text that a model reads before it writes."""

    tokens: tuple[int, ...]
    """Never empty."""
    room: int
    """Tokens that the model's window leaves for the completion, at most as many as were asked for."""
    left: str
    """The part of the left text that the model sees, a suffix of it; `held` belongs to it."""
    right: str
    """The part of the right text that the model sees, a prefix of it; empty if the model's format has no right text."""
    right_is_whole: bool
    left_tokens: tuple[int, ...]
    right_tokens: tuple[int, ...]
    """Their tokens, as they stand in the prompt."""
    held: bytes
    """The end of `left` that is held back from the prompt, because its last token may go on beyond the cursor."""
    held_tokens: tuple[int, ...]
    """The tokens that spell it, as the model's tokenizer has them."""
    spare: int
    """Tokens of the window beside the prompt and the room; at least as many as were held back."""
    parts: tuple[ShownPart, ...] = ()
    """The parts of other files that are shown."""


class Prompts:
    """Makes the prompts of one model."""

    def __init__(self, proposer: Proposer, order: Order | None = None) -> None:
        """Take the form that was found to be the model's, or the likeliest one by its special tokens.

        `order` is used if there is a form in it.
        """
        self.index = PrefixIndex(proposer.vocabulary.pieces)
        self.form = form_of(proposer, order)
        self._proposer = proposer
        self._parts = self.form.parts

    def build(
        self,
        left: str,
        right: str,
        max_tokens: int,
        last: Prompt | None = None,
        project: ProjectContext | None = None,
    ) -> Prompt:
        """Return the prompt in the model's own format.

        Contexts that are too long are cut at line starts, the farthest lines first; only a line that is longer
        than the window is cut inside. The completion's room is kept free, but never more than half of the window.
        `last` is the last prompt of the same document: where it began still, this one begins too if it can.
        `project` is told as the model was trained to be told, if there is a form for it.
        """
        window, encode, specials = self._proposer.window, self._proposer.encode, self._proposer.vocabulary.specials
        room = min(max_tokens, window // 2)
        shown = show(project, self.form, specials, encode, window)
        fixed = self._fixed(project, shown)
        space = window - room - sum(map(len, fixed))

        sides = self._again(left, right, space, last) if last is not None else None
        if sides is None:
            slack = space // _SLACK_SHARE if last is not None and last.left and last.left in left else 0
            sides = self._afresh(left, right, space - slack, encode)
        (kept_left, seen_left), (kept_right, seen_right) = sides

        count = held_back(kept_left, self._proposer.vocabulary.pieces, self.index)
        pieces = self._proposer.vocabulary.pieces
        kept_left, held_tokens = kept_left[: len(kept_left) - count], tuple(kept_left[len(kept_left) - count :])
        held = b"".join(pieces[token] or b"" for token in held_tokens)

        tokens: list[int] = []
        for part, before in zip(self._parts, fixed, strict=True):
            tokens += before
            if part is Side.LEFT:
                tokens += kept_left
            elif part is Side.RIGHT:
                tokens += kept_right
        if not tokens:
            # A model without a start token was trained on texts that its end token separates. One that has
            # neither gets its first token: it has to be asked with something.
            tokens.append(min(self._proposer.vocabulary.ends, default=0))
        return Prompt(
            tuple(tokens),
            room,
            left=seen_left,
            right=seen_right,
            right_is_whole=len(seen_right) == len(right),
            left_tokens=tuple(kept_left),
            right_tokens=tuple(kept_right),
            held=held,
            held_tokens=held_tokens,
            spare=window - len(tokens) - room,
            parts=shown.parts,
        )

    def _fixed(self, project: ProjectContext | None, shown: ProjectTokens) -> list[list[int]]:
        """Return for each part of the prompt the tokens that stand there, or before it if it is a text."""
        specials = self._proposer.vocabulary.specials
        fields = {} if project is None else project.fields()
        fixed: list[list[int]] = []
        for part in self._parts:
            if isinstance(part, Side):
                fixed.append(list(shown.inner) if part is Side.LEFT else [])
            else:
                fixed.append(render((part,), fields, specials, self._proposer.encode))
        first = starting_tokens(self._parts)
        fixed[first] = [*shown.front, *fixed[first]]
        return fixed

    def _afresh(
        self, left: str, right: str, space: int, encode: Callable[[str], list[int]]
    ) -> tuple[tuple[list[int], str], tuple[list[int], str]]:
        kept_right: tuple[list[int], str] = ([], "")
        if Side.RIGHT in self._parts:
            kept_right = _nearest(right, space // _RIGHT_SHARE, encode, Side.RIGHT)
        kept_left = _nearest(left, space - len(kept_right[0]), encode, Side.LEFT)
        if Side.RIGHT in self._parts and len(kept_right[1]) < len(right):
            kept_right = _nearest(right, space - len(kept_left[0]), encode, Side.RIGHT)
        return kept_left, kept_right

    def _again(
        self, left: str, right: str, space: int, last: Prompt
    ) -> tuple[tuple[list[int], str], tuple[list[int], str]] | None:
        """Return the sides as the last prompt cut them, or None where they are others or do not fit any more."""
        same = right == last.right if last.right_is_whole else right.startswith(last.right)
        if not same or not last.left:
            return None
        # What was typed or deleted since is at the end, in the last line; the lines before it say where to begin.
        stable = last.left[: max(last.left.rfind("\n"), last.left.rfind("\r")) + 1]
        start = left.rfind(stable) if stable else -1
        if start < 0 or (start > 0 and left[start - 1] not in "\r\n"):
            return None
        seen = left[start:]
        if len(seen) > space * _DENSEST:
            return None
        tokens = self._proposer.encode(seen)
        if len(tokens) + len(last.right_tokens) > space or len(seen) < len(last.left) // 2:
            return None
        if len(seen) < len(left) and len(tokens) + len(last.right_tokens) < space // 2:
            return None  # much was deleted: there is room for more
        return (tokens, seen), (list(last.right_tokens), last.right)


def form_of(proposer: Proposer, order: Order | None = None) -> PromptForm:
    """Return the form in which a model is asked; `order` is used if there is a form in it."""
    forms = forms_for(proposer.vocabulary.specials)
    known: PromptForm | None = getattr(proposer, "form", None)  # few models are loaded with a probe
    ranked = forms if known is None else (known, *forms)
    in_order = [form for form in ranked if form.order is order and form.sees_right]
    return (in_order or ranked)[0]


def _nearest(text: str, space: int, encode: Callable[[str], list[int]], side: Side) -> tuple[list[int], str]:
    """Return the tokens of the part of a text next to the cursor that fits into `space`, and that part."""
    reach = max(space, 0) * _DENSEST
    near = text[len(text) - min(reach, len(text)) :] if side is Side.LEFT else text[:reach]
    lines = _LINE.findall(near)
    if side is Side.LEFT:
        lines.reverse()  # nearest first
    if len(near) < len(text):
        del lines[-1:]  # not, or not certainly, a whole line

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


def _within_line(line: str, space: int, encode: Callable[[str], list[int]], side: Side) -> tuple[list[int], str]:
    """Return the tokens of the end of a line that fits, the end next to the cursor, and that end."""
    reach = len(line)
    while reach > 0:
        part = line[-reach:] if side is Side.LEFT else line[:reach]
        tokens = encode(part)
        if len(tokens) <= space:
            return tokens, part
        reach = reach * 3 // 4
    return [], ""
