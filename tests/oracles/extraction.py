"""The quotient of a context-free language by what stands to its left and right, as a grammar.

Melcer, Fulton, Gouda and Qian (2024), section IV B and figure 2; the letters are the paper's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracles.earley import Automaton, recognise
from tests.oracles.productions import START, reduced, reversed_grammar, shortest_yields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.oracles.earley import Place
    from tests.oracles.productions import Grammar


def completions(grammar: Grammar, automaton: Automaton) -> tuple[str, Grammar]:
    """Return the rules that figure 2 adds to a grammar, and their start symbol.

    Over the symbols of the grammar they derive every γ such that αγ is derived for some α of the automaton.
    """
    charts = recognise(grammar, automaton)
    # The grammar may be a quotient already: the mark must be in no older name.
    mark = "!"
    while any(mark in head for head in grammar):
        mark += "!"

    def name(head: str, origin: object) -> str:
        """Name E_i, what is missing of the nonterminal E that began in chart i."""
        return f"{head}{mark}{origin}"

    top = name(START, "'")
    rules: Grammar = {top: []}
    frontier: list[Place] = [place for place in charts.creations if place[1] in automaton.finals]
    pushed = set(frontier)
    for item, _ in frontier:
        rules.setdefault(name(item.head, item.origin), []).append(item.body[item.dot :])
    while frontier:
        place = frontier.pop()
        for creation in charts.creations[place]:
            if creation is None:
                rules[top].append((name(START, 0),))
                continue
            manner, before = creation
            if manner == "predicted":
                outer, state = before
                completion = (name(place[0].head, state), *outer.body[outer.dot + 1 :])
                rules.setdefault(name(outer.head, outer.origin), []).append(completion)
            if before not in pushed:
                pushed.add(before)
                frontier.append(before)
    return top, rules


def left_quotient(grammar: Grammar, automaton: Automaton) -> Grammar:
    """Return a grammar of the texts γ such that αγ is derived for some text α of the automaton."""
    top, rules = completions(grammar, automaton)
    # The start symbol gets its usual name back; the old rule of that name moves out of the way.
    names = {START: f"{top}'", top: START}
    return reduced(
        {
            names.get(head, head): [tuple(names.get(symbol, symbol) for symbol in body) for body in bodies]
            for head, bodies in {**grammar, **rules}.items()
        }
    )


def right_quotient(grammar: Grammar, suffix: Sequence[str]) -> Grammar:
    """Return a grammar of the texts γ for which γ followed by `suffix` is a text of the grammar."""
    mirrored = left_quotient(reversed_grammar(grammar), Automaton.of(tuple(reversed(suffix))))
    return reversed_grammar(mirrored)


class Quotients:
    """The exact answers for all left and right texts of one grammar, however long what lies between."""

    def __init__(self, grammar: Grammar, end: str = "") -> None:
        """Divide the texts of `grammar`, of which `end` is left off at the right."""
        self._grammar = reduced(grammar)
        self._end = end
        self._by_right: dict[str, tuple[Grammar, dict[str, int]]] = {}
        self._answers: dict[tuple[str, str], int | None] = {}

    def missing(self, left: str, right: str) -> int | None:
        """Return the length of the shortest γ that makes left, γ and right a text, None if there is none."""
        key = left, right
        if key not in self._answers:
            if right not in self._by_right:
                quotient = right_quotient(self._grammar, right + self._end)
                self._by_right[right] = quotient, shortest_yields(quotient)
            quotient, yields = self._by_right[right]
            top, rules = completions(quotient, Automaton.of(left))
            self._answers[key] = shortest_yields(rules, yields).get(top)
        return self._answers[key]
