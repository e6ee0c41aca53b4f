"""One random question: a left text, a middle handed over in pieces, a right text."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING

from tests.fuzz.mutations import mutated
from tests.fuzz.sources import passage
from tests.oracles.cpython import parses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Case:
    """Three texts, and how the middle is handed over."""

    source: str
    """The file that the text is from, and the seed and number that chose it."""
    left: str
    middle: str
    right: str
    grain: int
    """Bytes in a piece."""

    def pieces(self) -> Iterator[bytes]:
        """Yield the middle piece by piece; a piece may end inside a character."""
        encoded = self.middle.encode()
        for place in range(0, len(encoded), self.grain):
            yield encoded[place : place + self.grain]

    def to_json(self) -> str:
        """Return the case as one line."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(line: str) -> Case:
        """Return the case that a line holds."""
        return Case(**json.loads(line))


def _plain(text: str) -> str:
    return text


def _without_last_line_end(text: str) -> str:
    return text.rstrip("\n")


def _with_tabs(text: str) -> str:
    tabbed = text.replace("    ", "\t")
    return tabbed if parses(tabbed) else text


def _with_windows_line_ends(text: str) -> str:
    return text.replace("\n", "\r\n")


STYLES: list[Callable[[str], str]] = [
    *[_plain] * 6,
    _without_last_line_end,
    _without_last_line_end,
    _with_tabs,
    _with_windows_line_ends,
]
"""Ways to write the same program; the plain one most often."""


def make_case(seed: int, number: int, *, mutate: bool, largest: int = 2000, tests: bool = False) -> Case:
    """Return the same case for the same arguments and the same standard library."""
    random = Random(f"{seed}/{number}/{mutate}")
    name, text = passage(random, random.choice([largest // 8, largest // 2, largest]), tests)
    text = random.choice(STYLES)(text)
    low = random.randint(0, len(text))
    longest = random.choice([0, 4, 12, 40, 160])
    high = min(len(text), low + random.randint(0, longest))
    if random.random() < 0.2:
        # The line is written to its end, as it is while one types.
        high = max(high, text.find("\n", low))
    middle = text[low:high]
    return Case(
        source=f"{name}, seed {seed}, case {number}",
        left=text[:low],
        middle=mutated(random, middle) if mutate else middle,
        right=text[high:],
        grain=random.choice([1, 1, 2, 3, 4, 7, 30]),
    )
