"""The probe: the forms of a prompt that a model knows, measured by how likely it finds middles that are known.

Special tokens do not say what a model was trained with. Mellum has StarCoder's tokens and another order, and Mamba-
Codestral and many general models have tokens that no training used. So each form that the tokens allow is tried with a
few places whose middle follows from the text after the cursor: the form that makes these middles likeliest is the
model's own. It costs some dozens of short forward passes, once for each revision of a model.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.formats import LEFT_ONLY, Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.formats import PromptForm
    from dovetail.decoding.proposer import Proposer


class KnownPlace(NamedTuple):
    """A place whose middle is known."""

    left: str
    middle: str
    right: str


# The cuts lie where every tokenizer ends a token, and the middle is decided by what follows it. In Python, since hardly
# a model of code has not read it.
PLACES = (
    KnownPlace("import", " json", "\n\n\ndef read(path):\n    with open(path) as f:\n        return json.load(f)\n"),
    KnownPlace("def area(", "width, height", "):\n    return width * height\n\n\nprint(area(width=3, height=4))\n"),
    KnownPlace(
        "class Stack:\n    def __init__(self):\n        self.", "entries",
        " = []\n\n    def push(self, entry):\n        self.entries.append(entry)\n\n"
        "    def pop(self):\n        return self.entries.pop()\n",
    ),
    KnownPlace("for", " name, score", " in scores.items():\n    print(name, score)\n"),
    KnownPlace("try:\n    value = int(text)\nexcept", " ValueError", ":\n    value = None  # a ValueError\n"),
)  # fmt: skip

_LEAST = -20.0
"""The log-probability of a token that a model thinks impossible; lower ones say no more."""

_CLOSE = 0.1
"""Nats a token by which a form must be better than one that is preferred to it; less may be chance."""

_FAR = 0.3
"""The same for leaving out the text after the cursor: a model that was trained to see it gains far more by it."""


def probe(proposer: Proposer, forms: Sequence[PromptForm], places: Sequence[KnownPlace] = PLACES) -> list[float]:
    """Return for each form the mean log-probability of a token of the known middles, in nats.

    Raises what the model raises.
    """
    return [_measure(proposer, form, places) for form in forms]


def choose(forms: Sequence[PromptForm], measured: Sequence[float]) -> PromptForm:
    """Return the form that a model knows best; of forms that are about as good, the first.

    >>> from dovetail.decoding.formats import forms_for
    >>> starcoder, psm, mellum, left_only = forms_for({"<fim_prefix>": 0, "<fim_suffix>": 1, "<fim_middle>": 2})
    >>> choose((starcoder, psm, mellum, left_only), (-4.0, -4.0, -1.0, -3.0)).name
    'Mellum, spm'
    """
    best, most = forms[0], measured[0]
    for form, value in zip(forms[1:], measured[1:], strict=True):
        if value > most + (_FAR if form.format.name == LEFT_ONLY else _CLOSE):
            best, most = form, value
    return best


def _measure(proposer: Proposer, form: PromptForm, places: Sequence[KnownPlace]) -> float:
    scores: list[float] = []
    for place in places:
        middle = proposer.encode(place.middle)
        generation = proposer.begin(_prompt(proposer, form, place))
        generation.start(middle)
        for token in middle:
            scores.append(max(_LEAST, *generation.scores([token])))
            generation.feed(token)
    return math.fsum(scores) / len(scores)


def _prompt(proposer: Proposer, form: PromptForm, place: KnownPlace) -> list[int]:
    tokens: list[int] = []
    for part in form.parts:
        if part is Side.LEFT:
            tokens += proposer.encode(place.left)
        elif part is Side.RIGHT:
            tokens += proposer.encode(place.right)
        elif isinstance(part, str):
            tokens.append(proposer.vocabulary.specials[part])
    return tokens
