"""Classes of expected terminals: what a person would name in one phrase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.quotient.expectations import readable_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.quotient.expectations import Expectation
    from dovetail.quotient.machine import Machine

_PART = 2
"""The least part of a phrase's terminals that has to be expected, as a divisor."""


@dataclass(frozen=True, slots=True)
class ExpectedClass:
    """Terminals that may come, under one name."""

    name: str
    """The language's phrase for them, or the readable form of the only one."""
    members: tuple[Expectation, ...]


def expected_classes(machine: Machine, expected: Iterable[Expectation], stack: int) -> list[ExpectedClass]:
    """Return expected terminals in classes, in the order of their first members.

    `stack`: the lexer's modes at the place. A phrase of the language names a class if all its terminals that these
    modes know are expected, and these are a good part of it: behind `import` fit few of the signs with which a
    statement begins, though no others are known there.

    >>> from dovetail import load_language
    >>> quotient = load_language("json").quotient("[", "]")
    >>> [each.name for each in expected_classes(quotient.machine, quotient.expectations(), 0)]
    ['a value']
    """
    left = {expectation.terminal: expectation for expectation in expected}
    modes = machine.compiled.modes
    readable = frozenset(
        terminal for mode in machine.lexer.modes.entries[stack][0] for terminal in modes[mode].terminals
    )
    places = {terminal: place for place, terminal in enumerate(left)}
    found: list[tuple[int, ExpectedClass]] = []
    for phrase, covered in machine.compiled.phrases:
        terminals = readable.intersection(covered)
        if terminals and left.keys() >= terminals and _is_good_part(machine, terminals, covered):
            members = sorted(terminals, key=places.__getitem__)
            found.append((places[members[0]], ExpectedClass(phrase, tuple(left.pop(each) for each in members))))
    found += [(places[terminal], ExpectedClass(one.name, (one,))) for terminal, one in left.items()]
    return [each for _, each in sorted(found, key=lambda placed: placed[0])]


def _is_good_part(machine: Machine, terminals: frozenset[int], covered: Iterable[int]) -> bool:
    """Return whether terminals are at least half of those of a phrase; those of one name count once."""
    spelling = machine.spelling
    here, all_of_it = ({readable_name(spelling, each) for each in group} for group in (terminals, covered))
    return len(here) * _PART >= len(all_of_it)
