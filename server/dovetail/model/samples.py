"""Training samples: documents cut in three at random characters, packed into rows of equal length.

Fill in the middle by rearranging the text: Bavarian et al., *Efficient Training of Language Models to Fill in
the Middle* (2022). Half of the samples come prefix first (PSM), half suffix first (SPM); cuts are of
characters, so a cut may fall inside a word, as a cursor may. Unlike the paper, most cuts are those of an
editor: the rest of a line, a line, a few lines.

Some samples begin with parts of other files of the same package, each after the mark of a file and its path, then
the file's own path; what a completion finds in other files is put before it in the same form. Half of their middles
use a name that the file imports from one of them.

A row is a function of (seed, step, row) alone, so a run that goes on after a stop sees what it would have.
"""

from __future__ import annotations

import math
import random
import re
from bisect import bisect
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from dovetail.decoding.repository import MOST_TOKENS, SHARE
from dovetail.model.neighbours import Pieces
from dovetail.model.tokenizer import END, FILE, MIDDLE, PADDING, PREFIX, SUFFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

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

_CONTEXT_SHARE = 0.4
"""The largest share of a sample's room that parts of other files take; long prompts give less (`repository.py`)."""

_USES = 0.5
"""The share of the middles behind parts of other files that use an imported name, if the file has one."""
_FROM_NAME, _FROM_LINE = 0.5, 0.3
"""The shares of those that begin with the name, and with their line; the others begin somewhere before the name."""


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


def cut_at_use(text: str, names: Sequence[str], choice: random.Random) -> tuple[int, int] | None:
    """Choose a middle that uses one of some names, up to the end of its line; None if no line does.

    Lines that import them are left out.
    """
    if not names:
        return None
    word = re.compile(rf"^(?![ \t]*(?:from|import)\b)[^\n]*?(?<!\w)({'|'.join(map(re.escape, names))})\b", re.MULTILINE)
    uses = [match.span(1) for match in word.finditer(text)]
    if not uses:
        return None
    start, end = choice.choice(uses)
    line_start, line_end = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    drawn = choice.random()
    if drawn < _FROM_NAME:
        return start, line_end
    first = line_end - len(text[line_start:line_end].lstrip(" \t"))
    return (first if drawn < _FROM_NAME + _FROM_LINE else choice.randint(first, start)), line_end


def _line_end(text: str, position: int) -> int:
    """Return where the line at a position ends: before its newline, or at the end of the text."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


class Sampler:
    """Makes rows from documents."""

    def __init__(
        self,
        dataset: Dataset,
        tokenizer: Tokenizer,
        seed: int,
        context_share: float = 0.0,
        path_share: float = 0.0,
        window: int = SHARE * MOST_TOKENS,
        part: Sequence[int] | None = None,
    ) -> None:
        """Draw from documents; `context_share` and `path_share` are those of a recipe.

        `window`: the most tokens that the model reads, by which a prompt decides how much it shows of other files.
        `part`: the numbers of the documents to draw from; None for all.
        A tokenizer that has no mark for files gives samples without.
        """
        self._most_context = min(MOST_TOKENS, window // SHARE)
        self._dataset = dataset
        self._seed = seed
        self._shares = (context_share, path_share)
        self._pieces = Pieces(dataset.documents, dataset.neighbours)
        self._part = range(len(dataset.documents)) if part is None else part
        self._reach = list(accumulate(dataset.documents[number].weight for number in self._part))
        token = tokenizer.get_vocab()  # str → int
        self._prefix, self._suffix, self._middle = token[PREFIX], token[SUFFIX], token[MIDDLE]
        self._padding, self._end, self._file = token[PADDING], token[END], token.get(FILE)

    def row(self, step: int, index: int, length: int) -> SampleRow:
        """Return one row of a step's batch, of so many tokens."""
        choice = random.Random(f"{self._seed} {step} {index}")
        tokens: list[int] = []
        middle: list[bool] = []
        while (rest := length + 1 - len(tokens)) >= _SMALLEST_ROOM or not tokens:
            room = _room(choice, length)
            if tokens and room > rest:
                # Cut off where the row ends a sample would lose its middle. Where it ends says nothing of the text.
                room = rest - choice.randrange(min(rest - _SMALLEST_ROOM, length // 10) + 1)
            sample, first = self._sample(choice, room)
            tokens += sample
            middle += [place >= first for place in range(len(sample))]
        empty = max(0, length + 1 - len(tokens))
        tokens = [*tokens, *[self._padding] * empty][: length + 1]
        middle = [*middle, *[False] * empty][: length + 1]
        markers = (self._prefix, self._suffix, self._middle, self._padding, self._file)
        targets = [IGNORED if token in markers else token for token in tokens[1:]]
        return SampleRow(tokens[:-1], targets, middle[1:])

    def _sample(self, choice: random.Random, room: int) -> tuple[list[int], int]:
        """Return at most `room` tokens, and where their middle begins (their number if there is none)."""
        dataset = self._dataset
        number = self._part[bisect(self._reach, choice.random() * self._reach[-1], hi=len(self._reach) - 1)]
        text = dataset.documents[number].text
        has_parts, has_path = self._told(choice)
        if choice.random() < _PLAIN_SHARE:
            begin = text.rfind("\n", 0, choice.randrange(len(text))) + 1
            header = self._header(choice, number, (begin, len(text)), room, has_parts) if has_path else []
            tokens = [*header, *dataset.right(number, begin, room - len(header))]
            tokens = [*tokens, self._end] if len(tokens) < room else tokens
            return tokens, len(tokens)
        used = None
        if has_parts and choice.random() < _USES:
            used = cut_at_use(text, self._pieces.imported(number), choice)
        while True:
            start, end = used or cut(text, choice)
            middle, used = dataset.encode(text[start:end]), None
            if len(middle) <= room // 2 - 4:
                break
        space = room - len(middle) - 4
        header = self._header(choice, number, (start, end), space, has_parts) if has_path else []
        context = space - len(header)
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

    def _told(self, choice: random.Random) -> tuple[bool, bool]:
        """Choose if a sample is told of parts of other files, and of the path of its own."""
        of_contexts, of_paths = self._shares
        if self._file is None:
            return False, False
        drawn = choice.random()
        return drawn < of_contexts, drawn < of_contexts + (1 - of_contexts) * of_paths

    def _header(
        self, choice: random.Random, number: int, cut_out: tuple[int, int], room: int, has_parts: bool
    ) -> list[int]:
        """Return the tokens of parts of other files and of the file's own path; none where there is no room for that.

        Each begins with the mark of a file; a path, a newline and the text are encoded as one.
        """
        assert self._file is not None, "nothing is told without a mark"
        dataset = self._dataset
        own = [self._file, *dataset.encode(dataset.documents[number].name + "\n")]
        space = int(room * _CONTEXT_SHARE) - len(own)
        if space < 0:
            return []
        header: list[int] = []
        if has_parts:
            space = min(space, self._most_context)
            for name, part in reversed(self._pieces.find(choice, number, *cut_out)):  # the best first
                tokens = [self._file, *dataset.encode(f"{name}\n{part}")]
                if len(header) + len(tokens) <= space:
                    header = [*tokens, *header]
        return [*header, *own]


def _room(choice: random.Random, length: int) -> int:
    """Return how many tokens a sample may have in rows of a length."""
    # Half are as long as can be, as prompts from long files are, and half of every size: a sample fills its room,
    # so rooms of few sizes would teach that a middle ends at a place, not where the right goes on.
    least = _SMALLEST_ROOM if choice.random() < 0.5 else length // 2
    return int(math.exp(choice.uniform(math.log(least), math.log(length + 2))))
