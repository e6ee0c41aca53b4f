"""A lexical mode of a compiled language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Mode:
    """One lexical mode. Modes that know the same terminals share an automaton, unless `likeness.groups` parts them."""

    name: str
    automaton: int
    terminals: frozenset[int]
    ignored: frozenset[int]
    push: Mapping[int, int]
    """Terminal → the mode that begins inside this one."""
    pop: frozenset[int]
    switch: Mapping[int, int]
    """Terminal → the mode that takes the place of this one."""
    back: Mapping[int, int]
    """Terminal of `push` → the mode that takes the place of this one when the pushed mode is closed."""
    apart: frozenset[int]
    """The modes that the grammar tells from this one, as its author says."""
