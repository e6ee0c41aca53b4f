"""The figures of a load: latencies, goodput, refusals, and how evenly keys were served."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.load.editor import Outcome

GOOD = 0.75
"""Seconds within which an answer is of use."""


EXPECTED = 0, 200, 429
"""The ends of requests that are none of the host's faults: dropped by the editor, answered, told to come again."""


def percentile(values: Sequence[float], share: float) -> float:
    """Return the least of the values that a share of them does not exceed; 0 without values.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 0.5), percentile([3.0, 1.0], 1.0)
    (2.0, 3.0)
    """
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)] if ordered else 0.0


def fairness(outcomes: Sequence[Outcome]) -> float:
    """Return Jain's index of the share of its requests that each key got answered: 1 if all shares are the same."""
    asked, answered = Counter(each.key for each in outcomes), Counter(each.key for each in outcomes if _is_done(each))
    shares = [answered[key] / asked[key] for key in asked]
    squares = sum(share * share for share in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if squares else 1.0


def sentences(outcomes: Sequence[Outcome], seconds: float, parts: Mapping[str, float]) -> Iterator[str]:
    """Yield the figures as sentences; `parts`: the host's own seconds of writing, by part."""
    done = [each.seconds for each in outcomes if _is_done(each)]
    kinds = Counter(each.status for each in outcomes)
    good = sum(each <= GOOD for each in done)
    texts = sum(each.has_text for each in outcomes)
    yield f"{len(outcomes)} requests in {seconds:.0f} s, {len(outcomes) / seconds:.1f} a second."
    yield (
        f"{kinds[200]} answered ({texts} with a text), {kinds[0]} dropped by their editors, {kinds[429]} told to come "
        f"again, {len(outcomes) - kinds[200] - kinds[0] - kinds[429]} lost or refused otherwise"
        f"{''.join(f', {count} by {status}' for status, count in sorted(kinds.items()) if status not in EXPECTED)}."
    )
    marks = ", ".join(f"p{share:g} {1000 * percentile(done, share / 100):.0f} ms" for share in (50, 90, 99))
    yield f"Answers after {marks}; {good / seconds:.1f} a second within {1000 * GOOD:.0f} ms."
    yield f"Fairness between keys (Jain's index): {fairness(outcomes):.3f}."
    if kinds[200] and parts:
        each = ", ".join(f"{part} {1000 * spent / kinds[200]:.0f}" for part, spent in parts.items() if part != "tokens")
        yield f"Milliseconds of an answered request: {each}."


def minutes(outcomes: Sequence[Outcome], began: float, sizes: Sequence[tuple[float, float, float]]) -> str:
    """Return a table of the minutes since `began`; `sizes`: megabytes of host and replicas, and the machine's load."""
    heads = ["minute", "ended", "answered", "p50", "p99", "host", "replicas", "load"]
    rows = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for minute, (host, replicas, load) in enumerate(sizes):
        ended = [each for each in outcomes if minute * 60 <= each.ended - began < (minute + 1) * 60]
        done = [each.seconds for each in ended if _is_done(each)]
        marks = [f"{1000 * percentile(done, share):.0f} ms" for share in (0.5, 0.99)]
        rows.append(
            f"| {minute + 1} | {len(ended)} | {len(done)} | {' | '.join(marks)} | {host:.0f} MB | {replicas:.0f} MB "
            f"| {load:.1f} |"
        )
    return "\n".join(rows)


def _is_done(outcome: Outcome) -> bool:
    return outcome.status == 200
