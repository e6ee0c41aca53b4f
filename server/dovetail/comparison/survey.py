"""Survey: what a comparison has judged so far, and what came of it; it is kept in a file and read again.

A long comparison takes hours. One that was interrupted goes on where it stood, as long as the grammar, the corpus and
the seed are those with which it began. The file has counts alone, so that it may be shared where the corpus may not:
blocks in which something was found are not in it, and are judged again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from dovetail.comparison.disagreement import Disagreements
from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from dovetail.comparison.deviation import ListedDeviation
    from dovetail.comparison.disagreement import Disagreement

REPORTED = "reported beside the grammar"
"""The name under which texts are counted that the grammar accepts, and in which `Language.errors` reports a mistake."""

_BLOCK = 20  # texts, or cuts, that a process judges at a time


class Block(NamedTuple):
    """Some consecutive texts of one kind."""

    kind: str
    """The name of a method of `LanguageComparison`."""
    first: int
    amount: int

    @property
    def numbers(self) -> range:
        """The numbers of its texts."""
        return range(self.first, self.first + self.amount)


def in_turn(amounts: Mapping[str, int]) -> list[Block]:
    """Return the blocks of some kinds (kind → texts), all kinds in step: what ends them early, ends all alike."""
    blocks = [
        Block(kind, first, min(_BLOCK, amount - first))
        for kind, amount in amounts.items()
        for first in range(0, amount, _BLOCK)
    ]
    return sorted(blocks, key=lambda block: (block.first + block.amount) / amounts[block.kind])


class Survey:
    """The counts of a comparison, by kind of text."""

    def __init__(self, conditions: str, deviations: Sequence[ListedDeviation] = ()) -> None:
        """Begin without a text; `conditions` is a digest of all that decides which texts they are (`digest`)."""
        self.conditions = conditions
        self.verdicts: Counter[tuple[str, bool | None]] = Counter()
        """Kind of text and verdict of the parser → how often it was given; None: undecided."""
        self.explained: Counter[tuple[str, str]] = Counter()
        """Name of a listed deviation, or `REPORTED`, and kind of text → how often it was met."""
        self.findings = Disagreements()
        """Those that no listed deviation explains."""
        self._deviations = deviations
        self._judged: defaultdict[str, set[int]] = defaultdict(set)
        self._again: list[tuple[Block, Counter[bool | None], Counter[str]]] = []
        """Blocks that are not kept, with their part of the verdicts and of what is explained."""

    def add(self, block: Block, found: Iterable[Disagreement], verdicts: Mapping[bool | None, int]) -> None:
        """Add what came of a block."""
        explained: Counter[str] = Counter()
        unexplained = []
        for finding in found:
            listed = (one.name for one in self._deviations if one.explains(finding))
            name = REPORTED if finding.reported else next(listed, None)
            if name is None:
                unexplained.append(finding)
            else:
                explained[name] += 1
        self._judged[block.kind].update(block.numbers)
        self.verdicts.update({(block.kind, accepted): count for accepted, count in verdicts.items()})
        self.explained.update({(name, block.kind): count for name, count in explained.items()})
        self.findings.add(unexplained)
        if unexplained:
            self._again.append((block, Counter(verdicts), explained))

    def judged(self, kind: str, amount: int) -> int:
        """Return how many of the first texts of a kind were judged."""
        return sum(number < amount for number in self._judged[kind])

    def remaining(self, blocks: Iterable[Block]) -> list[Block]:
        """Return the parts of some blocks that were not judged yet, in the same order."""
        found = []
        for block in blocks:
            numbers = [number for number in block.numbers if number not in self._judged[block.kind]]
            found += [Block(block.kind, one.start, len(one)) for one in _ranges(numbers)]
        return found

    def write(self, path: Path) -> None:
        """Replace a file by the counts; a process killed meanwhile leaves the one before."""
        judged = {kind: set(numbers) for kind, numbers in self._judged.items()}
        verdicts, explained = self.verdicts.copy(), self.explained.copy()
        for block, own_verdicts, own_explained in self._again:
            judged[block.kind].difference_update(block.numbers)
            verdicts.subtract({(block.kind, accepted): count for accepted, count in own_verdicts.items()})
            explained.subtract({(name, block.kind): count for name, count in own_explained.items()})
        kept = {
            "conditions": self.conditions,
            "judged": {kind: [[one.start, one.stop] for one in _ranges(sorted(of))] for kind, of in judged.items()},
            "verdicts": [[*key, count] for key, count in verdicts.items()],
            "explained": [[*key, count] for key, count in sorted(explained.items())],
        }
        partial = path.with_name(path.name + ".partial")
        partial.write_text(json.dumps(kept) + "\n", encoding="utf-8")
        partial.replace(path)

    def read_on(self, path: Path) -> None:
        """Take over what `write` kept.

        Raises GrammarError for a file of other conditions, and for one that cannot be read.
        """
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            same = kept["conditions"] == self.conditions
            if same:
                self._take(kept)
        except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
            raise GrammarError(f"{path}: what was judged before cannot be read: {error}.") from None
        if not same:
            raise GrammarError(
                f"{path} was kept with another grammar, corpus, oracle or seed: name another file, or remove this one."
            )

    def _take(self, kept: dict[str, Any]) -> None:
        for kind, spans in kept["judged"].items():
            self._judged[kind].update(number for start, stop in spans for number in range(start, stop))
        self.verdicts.update({(kind, accepted): count for kind, accepted, count in kept["verdicts"]})
        self.explained.update({(name, kind): count for name, kind, count in kept["explained"]})


def digest(texts: Iterable[str]) -> str:
    """Return a digest of the texts that decide what is compared, in this order."""
    found = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        found.update(b"%d " % len(data) + data)
    return found.hexdigest()


def _ranges(numbers: Sequence[int]) -> list[range]:
    """Return ascending numbers as ranges."""
    found: list[range] = []
    for number in numbers:
        if found and found[-1].stop == number:
            found[-1] = range(found[-1].start, number + 1)
        else:
            found.append(range(number, number + 1))
    return found
