"""Soft keywords: words with a meaning of their own that a rule also takes for names, as in `name: NAME | "match"`."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from dovetail.grammar.compiled import Compiled


def names_too(compiled: Compiled, terminals: Collection[int]) -> dict[int, set[int]]:
    """Return, among some terminals, terminal of names → the words that a rule allows in its place.

    A terminal of names has many texts, and stands alone in a rule beside words that stand alone there.
    """
    productions, literals = compiled.productions, compiled.literals
    alone: dict[int, set[int]] = defaultdict(set)
    for left, right in zip(productions.lefts, productions.rights, strict=True):
        if len(right) == 1 and right[0] in terminals:
            alone[left].add(right[0])
    found: dict[int, set[int]] = defaultdict(set)
    for beside in alone.values():
        words = {terminal for terminal in beside if (literals[terminal] or "").isidentifier()}
        names = [terminal for terminal in beside if literals[terminal] is None]
        if len(names) == 1 and words:
            found[names[0]] |= words
    return dict(found)
