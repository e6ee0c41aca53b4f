"""N-grams of the text around a cursor: the tokens that followed the last ones where these stood before.

Source code repeats itself nearby (Tu et al., *On the Localness of Software*, 2014; Hellendoorn and Devanbu, *Are Deep
Neural Networks the Best Choice for Modeling Source Code?*, 2017). A small model that has read the text still copies too
seldom. So the longest match of the last tokens is looked up in what the model was shown, in open documents and in other
files, and the tokens after it are mixed into the model's probabilities (`cache_weights.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.formats import Side, Words, forms_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.decoding.formats import PromptForm

_LONGEST = 16
"""Tokens of a match that are compared at most."""

_PLACES = 64
"""The last places of two tokens that are compared."""

BOUNDARY = -1
"""The token between two texts; no model has it, and no match goes beyond it."""

_MOST = 4
"""Tokens that a match proposes at most, those that followed most often."""


class Followers(NamedTuple):
    """The tokens that followed the longest match."""

    length: int
    """Tokens of the match."""
    shares: Mapping[int, float]
    """Token → its share of the places."""
    places: int
    """The number of places with a match of this length."""


class NgramCache:
    """The tokens of a text or of several, `BOUNDARY` between them, and the places after each one and each two."""

    def __init__(self, tokens: Sequence[int]) -> None:
        """Index some tokens; it takes about a microsecond for each. Of many places the last ones count."""
        self._tokens = tokens
        self._after_two: dict[tuple[int, int], list[int]] = {}
        self._after_one: dict[int, list[int]] = {}
        before = -1
        for place in range(1, len(tokens)):
            last = tokens[place - 1]
            if tokens[place] == BOUNDARY:
                before = last
                continue
            self._after_one.setdefault(last, []).append(place)
            self._after_two.setdefault((before, last), []).append(place)
            before = last

    def followers(self, context: Sequence[int]) -> Followers | None:
        """Return what followed the longest match of the end of a text; None if its last token never stood before."""
        if not context:
            return None
        last = context[-1]
        places, known = None, 1
        if len(context) > 1:
            places, known = self._after_two.get((context[-2], last)), 2
        if places is None:
            places, known = self._after_one.get(last), 1
        if places is None:
            return None
        tokens, best = self._tokens, 0
        counts: dict[int, int] = {}
        most = min(_LONGEST, len(context))
        for place in places[-_PLACES:]:
            length = known
            while length < most and length < place and tokens[place - 1 - length] == context[-1 - length]:
                length += 1
            if length > best:
                best, counts = length, {}
            if length == best:
                counts[tokens[place]] = counts.get(tokens[place], 0) + 1
        total = sum(counts.values())
        likeliest = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST]
        return Followers(best, {token: count / total for token, count in likeliest}, total)


def left_tokens(prompt: Sequence[int], specials: Mapping[str, int]) -> Sequence[int]:
    """Return the tokens of the text before the cursor in a prompt; the whole prompt if its form is not known."""
    for form in forms_for(specials):
        found = _left_in(prompt, form, specials)
        if found is not None:
            return found
    return prompt


def _left_in(prompt: Sequence[int], form: PromptForm, specials: Mapping[str, int]) -> Sequence[int] | None:
    """Return the tokens of the left text of a prompt in a form; None if the prompt is in another."""
    end, left = len(prompt), prompt[:0]
    between: Side | Words | None = None  # what stands after the next mark; words beside a side count as part of it
    # From the end, since other files, with marks of their own, stand at the beginning.
    for part in reversed(form.parts):
        if not isinstance(part, str):
            between = between or part
            continue
        mark, start = specials[part], end - 1
        while between is not None and start >= 0 and prompt[start] != mark:
            start -= 1
        if start < 0 or prompt[start] != mark:
            return None
        if between is Side.LEFT:
            left = prompt[start + 1 : end]
        end, between = start, None
    return prompt[:end] if between is Side.LEFT else left
