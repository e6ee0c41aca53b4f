"""Inside: terminals that stand only inside of some rules, as the private names of JavaScript inside of a class.

A grammar that told their places apart would be larger, so it lets them stand elsewhere, too. Outside of these rules
they are not named among what may come: the parse stack shows what is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import Heads


def stray_terminals(compiled: Compiled, heads: Heads, terminals: Collection[int]) -> frozenset[int]:
    """Return those of some terminals that stand only inside of rules of which none is open below the heads."""
    names = compiled.productions.names
    rules = {terminal: compiled.mistakes.inside.get(names[terminal], ()) for terminal in terminals}
    wanted = {rule for each in rules.values() for rule in each}
    if not wanted:
        return frozenset()
    opened = _open_rules(compiled, heads)
    return frozenset(terminal for terminal, each in rules.items() if each and opened.isdisjoint(each))


def _open_rules(compiled: Compiled, heads: Heads) -> set[str]:
    """Return the names of all rules that are begun on any stack, of a template the part before its arguments."""
    productions, kernels = compiled.productions, compiled.tables.kernels
    work, seen = list(heads), set(heads)
    states: set[int] = set()
    while work:
        node = work.pop()
        states.add(node.state)
        below = [each for each in node.below if each not in seen]
        seen.update(below)
        work += below
    numbers = {
        number for state in states for number, dot in kernels[state] if 0 < dot < len(productions.rights[number])
    }
    return {productions.names[productions.lefts[number]].partition("{")[0] for number in numbers}
