"""Training samples: documents cut in three at random characters, packed into rows of equal length.

Fill in the middle by rearranging the text: Bavarian et al., *Efficient Training of Language Models to Fill in
the Middle* (2022). Half of the samples come prefix first (PSM), half suffix first (SPM); cuts are of
characters, so a cut may fall inside a word, as a cursor may. Unlike the paper, most cuts are those of an
editor: the rest of a line, a line, a few lines.

Some samples begin with pieces of other files of the same package, each after the mark of a file and its path, then
the file's own path; what a completion finds in other files is put before it in the same form.

A row is a function of (seed, step, row) alone, so a run that goes on after a stop sees what it would have.
"""

from __future__ import annotations

import math
import random
from bisect import bisect
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from dovetail.model.neighbours import Pieces
from dovetail.model.tokenizer import END, FILE, MIDDLE, PADDING, PREFIX, SUFFIX

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from dovetail.model.dataset import Dataset

IGNORED = -100
"""The target of a position that the loss leaves out: padding, and markers that stand at random places."""

_PLAIN_SHARE = 0.08
_LONGEST_SPAN = 240
_MOST_LINES = 6

# The kinds of middles: (share, kind).
_KINDS = (
    (0.34, "rest of the line"),
    (0.14, "part of the line"),
    (0.20, "one line"),
    (0.20, "a few lines"),
    (0.12, "any span"),
)

_SMALLEST_ROOM = 64
"""Tokens."""

_MOST_PIECES = 3
_MOST_CONTEXT = 512
"""Tokens of pieces of other files."""
_CONTEXT_SHARE = 0.4
"""The largest share of a sample's room that they take."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """Tokens and what should follow each."""

    inputs: list[int]
    targets: list[int]
    in_middle: list[bool]
    """True if the target belongs to a middle or ends one."""


def cut(text: str, choice: random.Random) -> tuple[int, int]:
    """Choose a middle: its start and end in the text."""
    kind = choice.choices([kind for _, kind in _KINDS], [share for share, _ in _KINDS])[0]
    start = choice.randrange(len(text))
    if kind == "any span":
        return start, min(len(text), start + choice.randint(1, _LONGEST_SPAN))
    line_start = text.rfind("\n", 0, start) + 1
    line_end = _line_end(text, start)
    if kind == "part of the line":
        return start, choice.randint(start, line_end)
    if kind == "rest of the line":
        return start, line_end
    if kind == "one line":
        # The editor has already inserted the indentation.
        indentation = len(text[line_start:line_end]) - len(text[line_start:line_end].lstrip(" \t"))
        return line_start + indentation, line_end
    end = line_end
    for _ in range(choice.randint(1, _MOST_LINES - 1)):
        end = _line_end(text, end + 1)
    return start, end


def _line_end(text: str, position: int) -> int:
    """Return where the line at a position ends: before its newline, or at the end of the text."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


class Sampler:
    """Makes rows from documents."""

    def __init__(
        self, dataset: Dataset, tokenizer: Tokenizer, seed: int, context_share: float = 0.0, path_share: float = 0.0
    ) -> None:
        """Draw from documents; `context_share` and `path_share` are those of a recipe.

        A tokenizer that has no mark for files gives samples without.
        """
        self._dataset = dataset
        self._seed = seed
        self._shares = (context_share, path_share)
        self._pieces = Pieces(dataset.documents, dataset.neighbours)
        self._reach = list(accumulate(document.weight for document in dataset.documents))
        token = tokenizer.get_vocab()  # str → int
        self._prefix, self._suffix, self._middle = token[PREFIX], token[SUFFIX], token[MIDDLE]
        self._padding, self._end, self._file = token[PADDING], token[END], token.get(FILE)

    def row(self, step: int, index: int, length: int) -> SampleRow:
        """Return one row of a step's batch, of so many tokens."""
        choice = random.Random(f"{self._seed} {step} {index}")
        tokens: list[int] = []
        middle: list[bool] = []
        while len(tokens) <= length:
            sample, first = self._sample(choice, _room(choice, length))
            tokens += sample
            middle += [place >= first for place in range(len(sample))]
        # The last sample is cut off where the row ends.
        del tokens[length + 1 :], middle[length + 1 :]
        markers = (self._prefix, self._suffix, self._middle, self._padding, self._file)
        targets = [IGNORED if token in markers else token for token in tokens[1:]]
        return SampleRow(tokens[:-1], targets, middle[1:])

    def _sample(self, choice: random.Random, room: int) -> tuple[list[int], int]:
        """Return at most `room` tokens, and where their middle begins (their number if there is none)."""
        dataset = self._dataset
        number = bisect(self._reach, choice.random() * self._reach[-1], hi=len(self._reach) - 1)
        text = dataset.documents[number].text
        if choice.random() < _PLAIN_SHARE:
            begin = text.rfind("\n", 0, choice.randrange(len(text))) + 1
            header = self._header(choice, number, begin, len(text), room)
            tokens = [*header, *dataset.right(number, begin, room - len(header))]
            tokens = [*tokens, self._end] if len(tokens) < room else tokens
            return tokens, len(tokens)
        while True:
            start, end = cut(text, choice)
            middle = dataset.encode(text[start:end])
            if len(middle) <= room // 2 - 4:
                break
        header = self._header(choice, number, start, end, room - len(middle) - 4)
        context = room - 4 - len(middle) - len(header)
        left, right = dataset.left(number, start, context), dataset.right(number, end, context)
        # The left text gets its share and the part that the right text does not need; the right text gets the rest.
        most_left = max(int(context * choice.uniform(0.4, 0.9)), context - len(right))
        left = left[max(0, len(left) - most_left) :]
        right = right[: context - len(left)]
        if choice.random() < 0.5:
            tokens = [self._prefix, *left, self._suffix, *right, self._middle]
        else:
            tokens = [self._prefix, self._suffix, *right, self._middle, *left]
        tokens = [*header, *tokens]
        return [*tokens, *middle, self._end], len(tokens)

    def _header(self, choice: random.Random, number: int, start: int, end: int, room: int) -> list[int]:
        """Return the tokens of pieces of other files and of the file's own path, either or none of them.

        Each begins with the mark of a file; a path, a newline and the text are encoded as one.
        """
        of_contexts, of_paths = self._shares
        if self._file is None or not of_contexts + of_paths:
            return []
        drawn = choice.random()
        if drawn >= of_contexts + (1 - of_contexts) * of_paths:
            return []
        dataset = self._dataset
        own = [self._file, *dataset.encode(dataset.documents[number].name + "\n")]
        space = min(_MOST_CONTEXT, int(room * _CONTEXT_SHARE)) - len(own)
        if space < 0:
            return []
        if drawn >= of_contexts:
            return own
        header: list[int] = []
        found = self._pieces.find(choice, number, start, end, choice.randint(1, _MOST_PIECES))
        for name, piece in reversed(found):  # the most similar first, because there may not be room for all
            tokens = [self._file, *dataset.encode(f"{name}\n{piece}")]
            if len(header) + len(tokens) <= space:
                header = [*tokens, *header]
        return [*header, *own]


def _room(choice: random.Random, length: int) -> int:
    """Return how many tokens a sample may have in rows of a length."""
    # Half are as long as can be, as prompts from long files are, and half of every size: a sample fills its room,
    # so rooms of few sizes would teach that a middle ends at a place, not where the right goes on.
    least = _SMALLEST_ROOM if choice.random() < 0.5 else length // 2
    return int(math.exp(choice.uniform(math.log(least), math.log(length + 2))))
