"""Routing by document: rendezvous hashing, so that a document stays where it was read.

If a replica goes, only its own documents move; if one comes, it takes its share of each other's.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

R = TypeVar("R")

_MOST_AHEAD = 4
"""Requests by which the queue of a document's own replica may be longer than the shortest, before others help out."""

_BEGINNING = 200
"""Characters of a text by which it is told from others."""


def preferred(document: str, replicas: Sequence[R]) -> list[R]:
    """Return the replicas in the order in which a document wants them; they are told apart by their `str`.

    >>> order = preferred("a", [1, 2, 3])
    >>> preferred("a", [each for each in order if each != order[0]]) == order[1:]
    True
    """

    def weight(replica: R) -> bytes:
        return hashlib.blake2b(f"{replica} {document}".encode("utf-8", "surrogatepass"), digest_size=8).digest()

    return sorted(replicas, key=weight, reverse=True)


def chosen(document: str, waiting: Mapping[R, int]) -> R | None:
    """Return the replica for a document, by how many requests each has; None if there is no replica.

    It is the one that has read the document, unless its queue is much longer than another's.
    """
    if not waiting:
        return None
    shortest = min(waiting.values())
    return next(each for each in preferred(document, list(waiting)) if waiting[each] <= shortest + _MOST_AHEAD)


def document_name(session: str, path: str | None, left: str) -> str:
    r"""Return what tells a document from others: what the client says, else the path, else how its text begins.

    A window of lines begins with the same line while its user types, so it stays where it was read.

    >>> document_name("", None, "import os\nimport sys") == document_name("", None, "import os\nimp")
    True
    """
    return session or path or left[:_BEGINNING].partition("\n")[0]
