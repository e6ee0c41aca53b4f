"""A lexical mode of a description, in which all things have names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Set


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


def _less(table: Mapping[str, str], gone: Set[str]) -> dict[str, str]:
    return {terminal: target for terminal, target in table.items() if terminal not in gone}
