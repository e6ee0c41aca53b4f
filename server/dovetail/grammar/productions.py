"""From rules to numbered productions: of one version, without empty right sides, without useless symbols.

Without empty productions every reduction pops at least one state, and plain GLR is correct: there are no right-nulled
reductions that need special treatment. The language stays the same. Its parse trees change, but Dovetail builds none.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from dovetail.grammar.reading import GrammarText, Rule

END = "$END"
"""The terminal that stands for the end of the text."""
_MOST_WAYS = 10_000
"""The most right sides that one alternative expands to: each symbol that may be empty stands or is left out."""
_WHOLE = "$whole"
"""The symbol of the whole text: the start rule and END (production 0; if the start may be empty, 1 is END alone)."""


@dataclass(frozen=True, slots=True)
class Productions:
    """A context-free grammar without empty productions; symbols are ints, terminals first."""

    names: list[str]
    """Symbol → name."""
    terminal_count: int
    lefts: list[int]
    """Production → the symbol on its left."""
    rights: list[tuple[int, ...]]
    """Production → the symbols on its right."""

    def beginnings(self) -> list[set[int]]:
        """Return symbol → the terminals that a text of the symbol may begin with (its FIRST set)."""
        found = [{symbol} if symbol < self.terminal_count else set() for symbol in range(len(self.names))]
        grew = True
        while grew:
            grew = False
            # No production is empty, so a text begins as the first symbol of its production does.
            for left, right in zip(self.lefts, self.rights, strict=True):
                if not found[right[0]] <= found[left]:
                    found[left] |= found[right[0]]
                    grew = True
        return found


def number_productions(
    grammar: GrammarText, start: str, terminals: Collection[str], versions: tuple[str, ...], target: str | None
) -> Productions:
    """Return the productions of a version of the language.

    `terminals`: those of the version, in the order of their numbers; END comes after them.
    Raises GrammarError for a rule that derives no text in any version.
    """
    _check_versions(grammar, versions)
    _check_productive(grammar)
    chosen = [rule for rule in grammar.rules if _has(rule, versions, target)]
    rights = _without_empty(grammar, ((rule.left, rule.right) for rule in chosen))
    nullable_start = () in rights.get(start, ())
    rights = {left: {side for side in sides if side} for left, sides in rights.items()}
    usable = set(terminals) | _productive(rights, set(terminals))
    rights = {left: {side for side in sides if usable.issuperset(side)} for left, sides in rights.items()}
    reached = _reached(rights, start)
    if start not in rights and not nullable_start:
        raise GrammarError(f"{grammar.place(start)} derives no text.")
    nonterminals = [_WHOLE, *(left for left in _in_order(grammar) if left in reached and rights.get(left))]
    names = [*terminals, END, *nonterminals]
    number = {name: index for index, name in enumerate(names)}
    lefts = [number[_WHOLE]]
    sides: list[tuple[int, ...]] = [(number[start], number[END])] if start in number else [(number[END],)]
    if nullable_start and start in number:
        lefts.append(number[_WHOLE])
        sides.append((number[END],))
    for left in nonterminals[1:]:
        for right in sorted(rights[left]):
            if right != (left,):
                lefts.append(number[left])
                sides.append(tuple(number[symbol] for symbol in right))
    return Productions(names, len(terminals) + 1, lefts, sides)


def _in_order(grammar: GrammarText) -> list[str]:
    return list(dict.fromkeys(rule.left for rule in grammar.rules))


def _has(rule: Rule, versions: tuple[str, ...], target: str | None) -> bool:
    return in_version(rule.since, rule.before, versions, target)


def in_version(since: str | None, before: str | None, versions: tuple[str, ...], target: str | None) -> bool:
    """Return whether something with these bounds exists in the target (None: the newest).

    >>> in_version("3.10", None, ("3.9", "3.10"), "3.9")
    False
    """
    if not versions:
        return before is None
    at = versions.index(target) if target is not None else len(versions) - 1
    return (since is None or versions.index(since) <= at) and (before is None or at < versions.index(before))


def _check_versions(grammar: GrammarText, versions: tuple[str, ...]) -> None:
    for rule in grammar.rules:
        for bound in (rule.since, rule.before):
            if bound is not None and bound not in versions:
                raise GrammarError(
                    f"{grammar.place(rule.left)} names version {bound}, which is not among `versions`; add it there."
                )


def _check_productive(grammar: GrammarText) -> None:
    sides: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for rule in grammar.rules:
        sides[rule.left].add(rule.right)
    productive = _productive(sides, {name for rule in grammar.rules for name in rule.right if name not in sides})
    for left in sides:
        if left not in productive:
            raise GrammarError(
                f"{grammar.place(left)} derives no text: each of its alternatives needs it; add one that does not."
            )


def _without_empty(
    grammar: GrammarText, rules: Iterable[tuple[str, tuple[str, ...]]]
) -> dict[str, set[tuple[str, ...]]]:
    """Return left side → its right sides without each choice of symbols that may be empty; () if all of them may be."""
    sides: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for left, right in rules:
        sides[left].add(right)
    nullable: set[str] = set()
    grew = True
    while grew:
        found = {left for left, rights in sides.items() if any(all(s in nullable for s in right) for right in rights)}
        grew = found != nullable
        nullable = found
    expanded: dict[str, set[tuple[str, ...]]] = {}
    for left, rights in sides.items():
        ways: set[tuple[str, ...]] = set()
        for right in rights:
            if 2 ** sum(symbol in nullable for symbol in right) > _MOST_WAYS:
                side_by_side = "too many symbols that may be empty side by side"
                raise GrammarError(
                    f"{grammar.place(left)} has {side_by_side}: move some of them to a rule of their own."
                )
            choices = [((symbol,), ()) if symbol in nullable else ((symbol,),) for symbol in right]
            for way in product(*choices):
                ways.add(tuple(symbol for part in way for symbol in part))
        expanded[left] = ways
    return expanded


def _productive(sides: dict[str, set[tuple[str, ...]]], terminals: set[str]) -> set[str]:
    found: set[str] = set()
    grew = True
    while grew:
        more = {
            left
            for left, rights in sides.items()
            if left not in found and any(all(s in terminals or s in found for s in right) for right in rights)
        }
        grew = bool(more)
        found |= more
    return found


def _reached(sides: dict[str, set[tuple[str, ...]]], start: str) -> set[str]:
    seen = {start}
    work = [start]
    while work:
        for right in sides.get(work.pop(), ()):
            for symbol in right:
                if symbol not in seen:
                    seen.add(symbol)
                    work.append(symbol)
    return seen
