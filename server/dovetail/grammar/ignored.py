"""Ignored terminals: each mode of a language without layout gets ones of its own.

Where a right context begins, the lexer's mode is not known; it is found out by what the text is made of. Two modes
that share a blank cannot be told apart while only blanks were read, and what one of them would refuse could pass. So
a terminal that several modes ignore becomes one terminal for each of them, with the same pattern, and the author of a
grammar writes `ignore = ["BLANKS"]` in each mode. In a language with layout the grammar tells the modes apart: a line
end means something in one of them alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.grammar.description import Description, ModeText
    from dovetail.grammar.reading import GrammarText

_Value = TypeVar("_Value")


def separate_ignored(grammar: GrammarText, description: Description) -> tuple[GrammarText, Description]:
    """Return a grammar and its description in which no two modes share an ignored terminal.

    A terminal that a rule uses stays what it is, because a rule means it in every mode.
    """
    if description.layout is not None:
        return grammar, description
    used = {symbol for rule in grammar.rules for symbol in rule.right}
    counts = Counter(name for mode in description.modes for name in mode.ignored - used)
    shared = {name for name, count in counts.items() if count > 1}
    copies = {name: [_copy(name, mode) for mode in description.modes if name in mode.ignored] for name in shared}
    terminals = [
        copy
        for terminal in grammar.terminals
        for copy in (terminal, *(replace(terminal, name=name) for name in copies.get(terminal.name, ())))
    ]
    return (
        replace(grammar, terminals=tuple(terminals), lines=_spread(grammar.lines, copies)),
        replace(
            description,
            modes=tuple(_with_own(mode, shared) for mode in description.modes),
            since=_spread(description.since or {}, copies),
            before=_spread(description.before or {}, copies),
        ),
    )


def _copy(name: str, mode: ModeText) -> str:
    return f"{name}@{mode.name}"  # no name of a grammar file holds this sign


def _with_own(mode: ModeText, shared: set[str]) -> ModeText:
    """Return a mode that knows its own copy of each terminal that it ignores and others ignore too."""
    own = {name: _copy(name, mode) for name in mode.ignored & shared}
    return replace(
        mode,
        terminals=frozenset(own.get(name, name) for name in mode.terminals),
        ignored=frozenset(own.get(name, name) for name in mode.ignored),
        push={own.get(name, name): target for name, target in mode.push.items()},
        pop=frozenset(own.get(name, name) for name in mode.pop),
        switch={own.get(name, name): target for name, target in mode.switch.items()},
        back={own.get(name, name): target for name, target in mode.back.items()},
    )


def _spread(values: Mapping[str, _Value], copies: Mapping[str, list[str]]) -> dict[str, _Value]:
    """Return values by name in which each copy has the value of its original."""
    return {copy: value for name, value in values.items() for copy in (name, *copies.get(name, ()))}
