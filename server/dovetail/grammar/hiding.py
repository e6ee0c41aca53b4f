"""Terminals that hide one another: the texts that two of a mode match alike, of which one wins by rank."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START, build_automaton

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.automata.dfa import Automaton
    from dovetail.automata.patterns import Pattern
    from dovetail.grammar.compiled import Compiled


class Hiding(NamedTuple):
    """A terminal that another of higher rank hides in part."""

    hidden: str
    winner: str
    text: str
    """A shortest text that both match and that is read as the winner."""


def find_hiding(compiled: Compiled, patterns: Mapping[str, Pattern]) -> list[Hiding]:
    """Return the terminals that others hide, one entry for each two; `patterns`: name of a terminal → its pattern."""
    names = compiled.productions.names
    alone: dict[str, Automaton] = {}
    found: dict[tuple[str, str], Hiding] = {}
    for automaton in compiled.automata:
        known = {number for mode in compiled.modes if compiled.automata[mode.automaton] is automaton
                 for number in mode.terminals}  # fmt: skip
        for terminal in sorted(known):
            name = names[terminal]
            if name not in alone:
                alone[name] = build_automaton({0: patterns[name]})
            for winner, text in _winners(automaton, alone[name], terminal).items():
                found.setdefault((name, names[winner]), Hiding(name, names[winner], text))
    return sorted(found.values())


def _winners(automaton: Automaton, alone: Automaton, terminal: int) -> dict[int, str]:
    """Return the terminals that are read where a terminal matches too, each with a shortest text."""
    characters = [chr(code) for code in sorted({*automaton.edges, *alone.edges}) if not 0xD800 <= code < 0xE000]
    # One character for each pair of classes; the samples of the automata come first, since people read them.
    classes: dict[tuple[int, int], str] = {}
    for character in (*filter(None, automaton.samples), *filter(None, alone.samples), *characters):
        classes.setdefault((automaton.class_of(character), alone.class_of(character)), character)
    found: dict[int, str] = {}
    seen = {(START, START)}
    work = deque([(START, START, "")])
    while work:
        at, own, text = work.popleft()
        if alone.accepts[own] == 0 and automaton.accepts[at] not in (terminal, -1):
            found.setdefault(automaton.accepts[at], text)
        for (number, own_number), character in classes.items():
            target = automaton.rows[at][number], alone.rows[own][own_number]
            if min(target) >= 0 and target not in seen:
                seen.add(target)
                work.append((*target, text + character))
    return found
