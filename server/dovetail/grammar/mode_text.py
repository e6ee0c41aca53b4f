"""A lexical mode of a description, in which all things have names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Set


@dataclass(frozen=True, slots=True)
class ModeText:
    """The terminals that one mode knows, and the modes that they lead to, by their names."""

    name: str
    terminals: frozenset[str]
    ignored: frozenset[str]
    push: Mapping[str, str]
    pop: frozenset[str]
    switch: Mapping[str, str]
    back: Mapping[str, str]
    """Terminal of `push` → the mode that the pushed one returns to, where that is not this one."""
    apart: frozenset[str]
    """The modes that the grammar tells from this one."""

    def changed(self, change: ModeText, without: frozenset[str]) -> ModeText:
        """Return this mode less some terminals (`without`) and with all that `change` holds."""
        # A terminal leads to one place: what the change says of it goes before what this mode says.
        gone = without | change.push.keys() | change.switch.keys() | change.pop
        push = {**_less(self.push, gone), **change.push}
        return replace(
            self,
            terminals=(self.terminals - without) | change.terminals | change.ignored,
            ignored=(self.ignored - without) | change.ignored,
            push=push,
            pop=(self.pop - gone) | change.pop,
            switch={**_less(self.switch, gone), **change.switch},
            back={terminal: mode for terminal, mode in {**self.back, **change.back}.items() if terminal in push},
            apart=self.apart | change.apart,
        )

    def before(self, first_line: str, modes: Iterable[ModeText]) -> ModeText:
        """Return the mode before all `modes`, of which this is the first: it also ignores a first line.

        Whatever it reads leads to this mode, blanks too, so the first line has nothing before it. All other modes are
        told from it: what a text cut anywhere may hold of a first line, a comment may hold as well
        (`lexing.first_line`).
        """
        terminals = self.terminals | {first_line}
        return replace(
            self,
            name="beginning",
            terminals=terminals,
            ignored=self.ignored | {first_line},
            switch={terminal: self.switch.get(terminal, self.name) for terminal in terminals - {*self.push, *self.pop}},
            back={terminal: self.back.get(terminal, self.name) for terminal in self.push},
            apart=frozenset(mode.name for mode in modes),
        )


def copies(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a copy of a table for each combination of the values of its `each`."""
    each: Mapping[str, list[str]] = table.get("each", {})
    plain = {key: value for key, value in table.items() if key != "each"}
    found = []
    for values in product(*each.values()):
        filled: Any = plain
        for key, value in zip(each, values, strict=True):
            filled = _fill(filled, f"${key}", value)
        found.append(filled)
    return found


def _fill(value: Any, key: str, text: str) -> Any:
    if isinstance(value, str):
        return value.replace(key, text)
    if isinstance(value, list):
        return [_fill(member, key, text) for member in value]
    if isinstance(value, dict):
        return {_fill(name, key, text): _fill(member, key, text) for name, member in value.items()}
    return value


def _less(table: Mapping[str, str], gone: Set[str]) -> dict[str, str]:
    return {terminal: target for terminal, target in table.items() if terminal not in gone}
