"""The choice of the parts that are shown: it stays the same for as long as the best of those that were found are in it.

What a model has read of a prompt is lost from the first token on that is another one, and the parts stand in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.project.search import search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.project.search import Found, Query, Source

MOST_PARTS = 4
"""Parts that are shown at most: about as many as 512 tokens have room for."""

MOST_DEFINED = 16
"""Imported names whose definitions are looked for, at most."""

_BEST = 2
"""The best of those that were found; a part that is needed and not yet shown is most likely one of these."""


def ranked(
    query: Query, sources: Sequence[Source], defined: Mapping[str, Found], members: Found | None = None
) -> list[Found]:
    """Return the parts of other files that belong to a cursor, the best first.

    `defined`: the definitions of imported names. Those that stand before the cursor come first, then the windows that
    are most like what stands there, from other files than the definitions.
    `members`: the outline of what stands before the dot at the cursor; it comes before all and instead of a definition.
    """
    mentioned = list(dict.fromkeys(part for name, part in defined.items() if name in query.wanted))
    if members is not None:
        head = members.text.partition("\n")[0]
        mentioned = [members, *(part for part in mentioned if part.text.partition("\n")[0] != head)]
    paths = {part.path for part in mentioned}
    return [*mentioned, *(part for part in search(query, sources, MOST_PARTS) if part.path not in paths)]


def choose(found: Sequence[Found], shown: Sequence[Found]) -> tuple[Found, ...]:
    """Return the parts to show, the best last; `found` has the best first.

    `shown` is the choice before, as far as it still stands in its files. It stays if the best parts are in it.
    """
    if all(any(_same(part, other) for other in shown) for part in found[:_BEST]):
        return tuple(shown)
    return tuple(reversed(found[:MOST_PARTS]))


def _same(one: Found, other: Found) -> bool:
    return one.path == other.path and one.text == other.text
