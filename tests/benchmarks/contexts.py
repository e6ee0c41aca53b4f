"""Real texts of given sizes with a cursor in their middle."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.fuzz.sources import LIBRARY, files, program
from tests.oracles.cpython import parses

MIDDLE = 120
"""Characters between left and right that the benchmark writes again."""


@dataclass(frozen=True)
class Context:
    """A program in three parts."""

    source: str
    left: str
    middle: str
    right: str

    @property
    def text(self) -> str:
        """The whole program."""
        return self.left + self.middle + self.right


def contexts(size: int, count: int, seed: int = 1) -> list[Context]:
    """Return `count` programs of about `size` characters, each of another file; a seed fixes them."""
    random = Random(f"{seed}/{size}")
    found: list[Context] = []
    candidates = list(files())
    random.shuffle(candidates)
    for path in candidates:
        known = program(path)
        if known is None or len(known[0]) < size:
            continue
        text, offsets = known
        ends = [*offsets[1:], len(text)]
        spans = [(low, high) for low in offsets for high in ends if 0.9 * size <= high - low <= 1.15 * size]
        if not spans:
            continue
        low, high = random.choice(spans)
        chosen = text[low:high]
        if not parses(chosen):
            continue
        cut = random.randint(int(len(chosen) * 0.4), int(len(chosen) * 0.6))
        source = path.relative_to(LIBRARY).as_posix()
        found.append(Context(source, chosen[:cut], chosen[cut : cut + MIDDLE], chosen[cut + MIDDLE :]))
        if len(found) == count:
            break
    return found
