"""Every short cut of the right side against the plain way, which works everything out each time."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.fuzz.sources import passage
from tests.oracles.cpython import TARGET
from tests.suffix.contexts import JAVASCRIPT, JSON, PYTHON, contexts

import dovetail
from dovetail.automata.dfa import START
from dovetail.lexing.scanner import Scanner
from dovetail.parsing.stack import UnitChains
from dovetail.suffix import opener_bounds, outcomes
from dovetail.suffix.builder import SuffixBuilder
from dovetail.suffix.grammar import SuffixGrammar
from dovetail.suffix.known_lines import KnownLines
from dovetail.suffix.last_closers import LastClosers
from dovetail.suffix.merging import ExposureMerger
from dovetail.suffix.seam import Seam
from dovetail.suffix.single_path import SinglePath
from dovetail.suffix.stacks import SuffixStacks
from dovetail.suffix.state_classes import StateClasses

if TYPE_CHECKING:
    from dovetail import Language

PLAIN = {
    "steps made before": (SuffixStacks, "after", lambda *_: None),
    "exposures that repeat older ones": (ExposureMerger, "merge", lambda *_: None),
    "lines at column zero": (SuffixBuilder, "_by_top_level", lambda *_: False),
    "whole lines": (SuffixBuilder, "_by_known_lines", lambda *_: False),
    "branches that read ahead of others": (
        KnownLines,
        "meeting_offset",
        lambda self, _, others: others[0].offset if others else len(self.text),
    ),
    "begun lines entered with the others": (
        Seam,
        "_on_begun_line",
        lambda self, _, stack: self.lattice.settle(0, stack, ""),
    ),
    "texts read in one way": (SinglePath, "after", lambda *_: None),
    "modes that nothing ends any more": (LastClosers, "of", lambda self, _: len(self.text)),
    "open brackets counted": (opener_bounds.OpenerBounds, "under", lambda *_: (0, opener_bounds.ANY_NUMBER)),
    "terminals after which nothing can be read": (
        SuffixBuilder,
        "_targets",
        lambda self, position: (
            [] if position.terminal == self.grammar.end else self.seam.lattice.after_terminal(position)
        ),
    ),
    "states that nothing goes on from": (
        SuffixGrammar,
        "outlook",
        lambda self, terminal, _, outlook=SuffixGrammar.outlook: outlook(self, terminal, None),
    ),
    "states that are reduced alike": (StateClasses, "_find", lambda _, state, __: state),
    "first characters met before": (outcomes, "_MOST_BEGINNINGS", 0),
    "chains of unit reductions": (SuffixGrammar, "passes_on", lambda *_: False),
    "lexemes met before": (Scanner, "longest", lambda self, text, offset: self.finish(START, text, offset)),
}


def one_step(self: UnitChains, below: int, state: int, terminal: int) -> int:
    """Return the state after one unit reduction, the same one if none is due."""
    choices = self.actions[state].get(terminal, ())
    is_unit = len(choices) == 1 and choices[0] < 0 and self.lengths[~choices[0]] == 1
    return self.gotos[below][self.lefts[~choices[0]]] if is_unit else state


BESIDE = {
    # Over a known node, too, chains are followed step by step.
    "chains of unit reductions": (UnitChains, "_walk", one_step),
}
"""The second half of a short cut that has two."""


def switch_off(monkeypatch: pytest.MonkeyPatch, short_cut: str) -> None:
    """Replace a short cut by the plain way, from the next loading of a language on."""
    for table in (PLAIN, BESIDE):
        if short_cut in table:
            monkeypatch.setattr(*table[short_cut])


def verdicts(language: Language, left: str, middle: list[str], right: str) -> list[object]:
    """Return all that can be said of a middle piece by piece; pieces that do not fit are left out."""
    quotient = language.quotient(left, right, tolerant=False)
    found: list[object] = [quotient.viable]
    state = quotient.start
    for piece in middle if quotient.viable else ():
        after = state.advance(piece)
        found.append(after is not None)
        state = after or state
        found += [state.accepting, state.expected()]
    closing = state.closing() if quotient.viable else None
    return [*found, None if closing is None else len(closing.encode())]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("python", 10),
        ("json", 40),
        pytest.param("python", 30, marks=pytest.mark.long),
        pytest.param("json", 100, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("short_cut", [*PLAIN, "all of them"])
def test_as_the_plain_way(name: str, count: int, short_cut: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts, what is expected and the length of closings are the same without a short cut, and without any."""
    language = dovetail.load_language(name, target=TARGET if name == "python" else None)
    monkeypatch.setattr(opener_bounds, "WORTHWHILE", 0)  # otherwise nothing is counted for small automata
    cases = contexts(PYTHON if name == "python" else JSON, Random(f"{name} {short_cut}"), count)

    quick = [verdicts(language, *case) for case in cases]
    for other in PLAIN:
        if short_cut in {other, "all of them"}:
            switch_off(monkeypatch, other)
    # Tables made with the short cut may not be used without it.
    language = dovetail.load_language(name, target=TARGET if name == "python" else None)
    slow = [verdicts(language, *case) for case in cases]

    assert slow == quick
    assert any(verdict[0] for verdict in quick)


@pytest.mark.parametrize(
    "short_cut",
    ["states that nothing goes on from", "states that are reduced alike", "chains of unit reductions", "all of them"],
)
def test_modes_as_the_plain_way(short_cut: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a language whose modes could be taken for one another, short cuts of the grammar change nothing."""
    language = dovetail.load_language("javascript")
    cases = contexts(JAVASCRIPT, Random(short_cut), 25)

    quick = [verdicts(language, *case) for case in cases]
    for other in PLAIN:
        if short_cut in {other, "all of them"}:
            switch_off(monkeypatch, other)
    language = dovetail.load_language("javascript")

    assert [verdicts(language, *case) for case in cases] == quick
    assert any(verdict[0] for verdict in quick)


@pytest.mark.parametrize(
    "short_cut", ["lines at column zero", "whole lines", "steps made before", "modes that nothing ends any more"]
)
@pytest.mark.parametrize("seed", range(8))
def test_programs_as_the_plain_way(seed: int, short_cut: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In passages of real programs, whole and broken, with tabs and other line ends, a short cut changes nothing."""
    random = Random(seed)
    text = passage(random, 1_200)[1]
    change = random.choice([("", ""), ("    ", "\t"), ("\n", "\r\n"), ("\n", "\r"), ("):", ")"), ("\n\n", "\n\f\n")])
    text = text.replace(*change) if change[0] else text
    language = dovetail.load_language("python", target=TARGET)
    cuts = [random.randrange(len(text)) for _ in range(3)]
    cases = [(text[:cut], [text[cut : cut + 9], " + 1", "\n"], text[cut + random.choice([0, 9]) :]) for cut in cuts]

    quick = [verdicts(language, *case) for case in cases]
    switch_off(monkeypatch, short_cut)
    assert [verdicts(language, *case) for case in cases] == quick
