"""Counts and explanations of what became of the cases."""

from __future__ import annotations

import dataclasses
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.records import outcome, record

from dovetail.evaluation import published
from dovetail.evaluation.analysis import analyse
from dovetail.evaluation.crossing import Crossing, cross
from dovetail.evaluation.fitting import fit
from dovetail.evaluation.record import Method
from dovetail.evaluation.tables import crossing_table, method_table, published_validity, reason_table, share


def test_each_case_is_in_one_cell() -> None:
    """Every combination of successes is counted where the paper counts it."""
    records = [record(0, *successes) for successes in product((True, False), repeat=3)]

    crossing = cross(records)

    # A success without the check is one with it.
    assert crossing == Crossing((2, 2), (1, 1), (1, 1))
    assert crossing.total == len(records)


def test_a_method_that_was_not_tried_has_no_table() -> None:
    """Two methods do not make the table of three."""
    one = record()

    assert cross([dataclasses.replace(one, outcomes={Method.CONSTRAINED: outcome()})]) is None


@pytest.mark.parametrize(
    ("name", "unconstrained", "constrained", "checked_failures"),
    [("boundary", 65353, (90665, 4725), 5110), ("randspan", 68590, (92085, 3305), 3736)],
)
def test_the_published_tables_add_up(
    name: str, unconstrained: int, constrained: tuple[int, int], checked_failures: int
) -> None:
    """Tables I and II were copied without a mistake: their sums are the published sums."""
    crossing = published.CROSSINGS[name]

    assert sum(crossing.unconstrained) == unconstrained
    assert crossing.constrained == constrained
    assert sum(crossing.neither) == checked_failures
    assert crossing.total == 95390


def test_the_published_failures_add_up() -> None:
    """The two kinds of failures are all failures of table I."""
    failures = published.FAILURES

    assert failures.disagreements + failures.unconnected == published.CROSSINGS["boundary"].constrained[1]
    lost = failures.unconstrained_disagreements + failures.unconstrained_unconnected
    assert lost == published.CROSSINGS["boundary"].unconstrained[1]


def test_the_table_has_the_form_of_the_paper() -> None:
    """Rows, columns and sums as in tables I and II."""
    table = crossing_table("I", published.CROSSINGS["boundary"])

    assert table.columns == ("", "Constrained ✓", "Constrained ✗", "Total")
    assert table.rows[0] == ("Unconstrained ✓", "65,342", "11", "65,353")
    assert table.rows[-1] == ("Total", "90,665", "4,725", "95,390")
    assert "| Total | 90,665 | 4,725 | 95,390 |" in table.markdown()


def test_nearly_all_is_not_all() -> None:
    """A share is rounded, but never to all or nothing where it is not."""
    assert [share(part, 2000) for part in (0, 1, 1000, 1999, 2000)] == ["0 %", "0.05 %", "50.0 %", "99.95 %", "100 %"]
    assert share(0, 0) == "–"


@given(st.integers(2, 1_000_000).flatmap(lambda whole: st.tuples(st.integers(1, whole - 1), st.just(whole))))
def test_a_share_is_close_and_says_no_more_than_is_true(counts: tuple[int, int]) -> None:
    """The share that is read is within a tenth of a percent, and neither nothing nor everything."""
    part, whole = counts

    shown = float(share(part, whole).removesuffix(" %"))

    assert 0 < shown < 100
    assert abs(shown - 100 * part / whole) <= 0.0501


def test_methods_are_summed_up() -> None:
    """Shares and means by method, for those that were tried."""
    table = method_table("methods", [record(0, unconstrained=False), record(1)])

    assert [row[0] for row in table.rows] == ["unconstrained", "checked", "constrained"]
    assert [row[1] for row in table.rows] == ["50.0 %", "100 %", "100 %"]
    assert table.rows[2][6:] == ("3.00 ms", "0.500 ms", "20.0 ms")


def test_reasons_are_counted() -> None:
    """Each reason has a row, the most frequent first."""
    odd = dataclasses.replace(record(), outcomes={Method.CONSTRAINED: outcome(reason="another")})

    table = reason_table("reasons", [record(0), record(1), odd])

    assert [row[0] for row in table.rows] == ["the model ended it", "another"]
    assert table.rows[1] == ("another", "", "", "1")


def test_failures_are_told_apart() -> None:
    """Nothing offered, a text that is refused, and a disagreement are three things; success is none."""
    refused = dataclasses.replace(
        record(2, disagreements=["y"]), outcomes={Method.CONSTRAINED: outcome("y", valid=False)}
    )

    found = analyse([record(0), record(1, constrained=False), refused])

    assert [failure.kind for failure in found.unconnected] == ["nothing offered"]
    assert [failure.told(quoting=True) for failure in found.rejected] == ["the interpreter refuses it: 'y'"]
    assert [failure.told(quoting=True) for failure in found.disagreements] == ["about a text: 'y'"]
    assert found.compared == 9


def test_what_is_lost_has_an_explanation() -> None:
    """The first refused token is named if only unconstrained generation succeeds."""
    nothing = dataclasses.replace(outcome(None, reason="its time came"), refusals=("`x` after `y`: because",))
    free = record(4)
    lost = dataclasses.replace(free, outcomes={**free.outcomes, Method.CONSTRAINED: nothing})

    [failure] = analyse([record(0), lost]).lost

    assert failure.place == "package/file.py:17"
    assert failure.told(quoting=True).startswith("its time came, after 4 tokens; ")
    assert failure.told(quoting=True).endswith("`x` after `y`: because")
    assert "`x`" not in failure.told(quoting=False)


def test_a_line_is_found_again() -> None:
    """Points of a line give the line; points that make none give nothing."""
    line = fit([(x, 0.5 * x + 3) for x in range(10)])

    assert line is not None
    assert (line.slope, line.intercept, line.explained) == pytest.approx((0.5, 3, 1))
    assert fit([(2, 1), (2, 5)]) is None
    assert fit([]) is None


def test_the_published_shares() -> None:
    """The shares that the paper's tables imply."""
    assert published_validity().rows[0] == ("boundary", "68.5 %", "94.6 %", "95.0 %", "95,390")
