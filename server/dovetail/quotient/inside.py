"""Inside: terminals that stand only inside of some rules, as the private names of JavaScript inside of a class.

A grammar that told their places apart would be larger, so it lets them stand elsewhere, too. People who ask what may
come are not shown them outside of these rules: the parse stack tells what is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.parsing.stack import Heads
    from dovetail.quotient.expectations import Expectation


def without_strays(compiled: Compiled, heads: Heads, expected: tuple[Expectation, ...]) -> tuple[Expectation, ...]:
    """Return what is expected, without the terminals that stand only inside of rules of which none is open."""
    inside = {each: compiled.mistakes.inside.get(compiled.productions.names[each.terminal], ()) for each in expected}
    if not any(inside.values()):
        return expected
    opened = _open_rules(compiled, heads)
    return tuple(each for each in expected if not inside[each] or not opened.isdisjoint(inside[each]))


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
