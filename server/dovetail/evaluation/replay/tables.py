"""The tables of a replay."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dovetail.evaluation.replay.measures import MEASURES, difference, measure, milliseconds, walked
from dovetail.evaluation.replay.stretch import StretchKind
from dovetail.evaluation.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.evaluation.replay.measures import Measured, Walked
    from dovetail.evaluation.replay.record import ReplayRecord
    from dovetail.evaluation.replay.tradeoff import Point
    from dovetail.evaluation.replay.walk import Shown

_UNDERSTATED = (
    "Where a text is hidden by a threshold, the model was not asked again, so the completed code is at least what is "
    "given."
)


def overview(found: Mapping[str, Sequence[ReplayRecord]]) -> Table:
    """Return all measures, a column for each experiment."""
    columns = []
    for records in found.values():
        all_of = walked(records)
        median, high = milliseconds(all_of.walks)
        counts = all_of.total
        columns.append(
            [
                f"{len(records):,}",
                f"{counts.characters:,}",
                f"{sum(len(one.asked) for one in all_of.walks):,}",
                f"{counts.shown:,}",
                *map(_written, measure(all_of.tallies).values()),
                f"{median:.0f} and {high:.0f} ms",
            ]
        )
    names = ("files", "characters", "requests", "texts shown", *MEASURES, "time of a request, median and 95 %")
    rows = [(name, *(column[row] for column in columns)) for row, name in enumerate(names)]
    return Table("Measures", ("", *found), rows, "In brackets, the interval of 95 % when files are drawn again.")


def compared(found: Mapping[str, Sequence[ReplayRecord]]) -> Table | None:
    """Return the measures of the first and the last experiment in the files that both have done; None without any."""
    names = list(found)
    if len(names) < 2:
        return None
    first, last = ({record.case: record for record in found[name]} for name in (names[0], names[-1]))
    shared = sorted(first.keys() & last.keys())
    if not shared or any(first[case].path != last[case].path for case in shared):
        return None
    tallies = [walked([records[case] for case in shared]).tallies for records in (first, last)]
    columns = [measure(tallies[0]), measure(tallies[1]), difference(*tallies)]
    rows = [(name, *(_written(column[name]) for column in columns)) for name in MEASURES]
    title = f"The same {len(shared):,} files"
    return Table(title, ("", names[0], names[-1], "difference"), rows, "Files are drawn again for both at once.")


def by_kind_of_stretch(records: Sequence[ReplayRecord]) -> Table:
    """Return the measures of each kind of stretch."""
    rows = []
    for kind in StretchKind:
        counts = walked(records, kind=kind).total
        rows.append((kind.value, f"{counts.characters:,}", *(f"{of(counts):.3f}" for of in MEASURES.values())))
    return Table("By what is done", ("", "characters", *MEASURES), rows)


def by_place(done: Walked) -> Table:
    """Return what became of the shown texts, by the kind of place."""
    return _by("By place", done, lambda shown: shown.node.kind)


def by_stop(done: Walked) -> Table:
    """Return what became of the shown texts, by the reason why they ended."""
    return _by("By the reason why the text ended", done, lambda shown: shown.node.stop)


def silences(done: Walked) -> Table:
    """Return the requests without a text, by the reason."""
    counts: dict[str, int] = defaultdict(int)
    for one in done.walks:
        for node in one.asked:
            if node.look is None:
                counts[node.stop] += 1
    rows = [(reason, f"{count:,}") for reason, count in sorted(counts.items(), key=lambda item: -item[1])]
    return Table("Requests that nothing was shown for", ("why", "requests"), rows)


def by_threshold(points: Sequence[Point], *, exact: bool) -> Table:
    """Return the measures for each threshold on the confidence; `exact` for tapes of all thresholds."""
    rows = [(f"{point.threshold:.3f}", *(f"{value:.3f}" for value in point.measures.values())) for point in points]
    note = "" if exact else _UNDERSTATED
    return Table("By threshold", ("shown from a confidence of", *MEASURES), rows, note)


def _by(title: str, done: Walked, key: Callable[[Shown], str]) -> Table:
    groups: dict[str, list[Shown]] = defaultdict(list)
    for shown in done.shown:
        groups[key(shown)].append(shown)
    rows = []
    for name, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        taken = [shown.look.taken for shown in group if shown.look.taken is not None]
        whole = sum(one.whole for one in taken)
        rows.append(
            (
                name,
                f"{len(group):,}",
                f"{len(taken) / len(group):.3f}",
                f"{whole / len(group):.3f}",
                f"{sum(len(shown.look.text) for shown in group) / len(group):.1f}",
                f"{sum(one.characters for one in taken):,}",
                f"{sum(len(shown.look.text) - shown.look.matched for shown in group):,}",
            )
        )
    columns = (
        "", "shown", "acceptance", "accepted as a whole", "characters of a text", "characters accepted",
        "wrong characters",
    )  # fmt: skip
    return Table(title, columns, rows)


def _written(measured: Measured) -> str:
    """Return a measure with its interval."""
    digits = 3 if max(map(abs, measured)) <= 1 else 1
    return f"{measured.value:.{digits}f} ({measured.low:.{digits}f} to {measured.high:.{digits}f})"
