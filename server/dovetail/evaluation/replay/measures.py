"""The measures of a replay, as the field reports them, with intervals by resampling files.

*Acceptance* is the share of shown texts of which the user takes the whole or a part. The *ratio of completed code* is
the share of all characters that completions wrote (Semenkin et al. 2024, arXiv 2405.08704, report both). *Keys saved*
is the share of the keys without completions that was not pressed; acceptances count as keys. *Effort saved* also
counts `READING` keys for each text that was read in vain.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from dovetail.evaluation.replay.walk import joined, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dovetail.evaluation.replay.record import ReplayRecord
    from dovetail.evaluation.replay.stretch import StretchKind
    from dovetail.evaluation.replay.walk import Shown, Walk

_RESAMPLES = 1000


class Tally(NamedTuple):
    """The counts of one file, or of several."""

    characters: int = 0
    keys: int = 0
    """Keys of all kinds, acceptances included."""
    plain_keys: int = 0
    """Keys that the same text takes without completions."""
    effort: float = 0.0
    """Keys, and the cost of reading."""
    accepted: int = 0
    """Characters."""
    shown: int = 0
    whole: int = 0
    part: int = 0
    """Shown texts that were taken as a whole and in part."""
    wrong_characters: int = 0
    """Characters of shown texts from the first on that is not the one to come."""


def tally(done: Walk, plain: Walk) -> Tally:
    """Return the counts of a walk; `plain` is the walk over the same tapes without completions."""
    return Tally(
        done.characters,
        done.keys + done.acceptances,
        plain.keys,
        done.effort,
        done.accepted,
        len(done.shown),
        sum(shown.look.taken is not None and shown.look.taken.whole for shown in done.shown),
        sum(shown.look.taken is not None and not shown.look.taken.whole for shown in done.shown),
        sum(len(shown.look.text) - shown.look.matched for shown in done.shown),
    )


MEASURES: dict[str, Callable[[Tally], float]] = {
    "acceptance": lambda t: _ratio(t.whole + t.part, t.shown),
    "accepted as a whole": lambda t: _ratio(t.whole, t.shown),
    "ratio of completed code": lambda t: _ratio(t.accepted, t.characters),
    "shown per 100 keys": lambda t: 100 * _ratio(t.shown, t.keys),
    "keys saved": lambda t: _ratio(t.plain_keys - t.keys, t.plain_keys),
    "effort saved": lambda t: _ratio(t.plain_keys - t.effort, t.plain_keys),
    "wrong characters shown per 100 characters": lambda t: 100 * _ratio(t.wrong_characters, t.characters),
}
"""Name → measure of some counts."""


class Measured(NamedTuple):
    """A measure with its 95 % interval."""

    value: float
    low: float
    high: float


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Walked:
    """The results of each file with one threshold."""

    tallies: tuple[Tally, ...]
    """One for each record."""
    walks: tuple[Walk, ...]

    @property
    def total(self) -> Tally:
        """The counts of all files."""
        return total(self.tallies)

    @property
    def shown(self) -> tuple[Shown, ...]:
        """All shown texts."""
        return tuple(shown for one in self.walks for shown in one.shown)


def walked(
    records: Sequence[ReplayRecord],
    threshold: float = 0.0,
    kind: StretchKind | None = None,
    finished: float | None = None,
) -> Walked:
    """Return what happens with a threshold in all stretches, or in those of one kind; `finished`: see `walk`."""
    tallies, walks = [], []
    for record in records:
        tapes = [typed.nodes for typed in record.typed if kind in (None, typed.stretch.kind)]
        done = joined([walk(nodes, threshold, finished) for nodes in tapes])
        plain = joined([walk(nodes, speaking=False) for nodes in tapes])
        tallies.append(tally(done, plain))
        walks.append(done)
    return Walked(tuple(tallies), tuple(walks))


def total(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of some counts."""
    return Tally._make(map(sum, zip(Tally(), *tallies, strict=True)))


def measure(tallies: Sequence[Tally]) -> dict[str, Measured]:
    """Return every measure with the interval that resampling the files gives, the same for the same counts."""
    drawn = [total(tallies[place] for place in places) for places in _draws(len(tallies))]
    counts = total(tallies)
    return {name: _measured(of(counts), [of(sample) for sample in drawn]) for name, of in MEASURES.items()}


def difference(first: Sequence[Tally], second: Sequence[Tally]) -> dict[str, Measured]:
    """Return by how much every measure is higher in the second of two runs over the same files, in the same order.

    A file is drawn in both at once, so what is hard in one file does not count as a difference.
    """
    assert len(first) == len(second)
    drawn = [
        (total(first[place] for place in places), total(second[place] for place in places))
        for places in _draws(len(first))
    ]
    counts = total(first), total(second)
    return {
        name: _measured(of(counts[1]) - of(counts[0]), [of(after) - of(before) for before, after in drawn])
        for name, of in MEASURES.items()
    }


def _draws(count: int) -> Iterator[list[int]]:
    """Yield the places of files that are drawn again."""
    random = Random("resampling")
    for _ in range(_RESAMPLES if count else 0):
        yield random.choices(range(count), k=count)


def _measured(value: float, drawn: Sequence[float]) -> Measured:
    ordered = sorted(drawn) or [value]
    low, high = ordered[int(0.025 * len(ordered))], ordered[min(int(0.975 * len(ordered)), len(ordered) - 1)]
    return Measured(value, low, high)


def milliseconds(walks: Sequence[Walk]) -> tuple[float, float]:
    """Return the median and the 95th percentile of the time of a request; 0 without any."""
    times = sorted(node.milliseconds for one in walks for node in one.asked)
    return (statistics.median(times), times[int(0.95 * (len(times) - 1))]) if times else (0.0, 0.0)
