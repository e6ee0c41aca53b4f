"""A document at one version: an immutable value that every thread may read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Self, TypeAlias
from urllib.parse import unquote

from dovetail.grammar.library import language_called, language_of, languages

if TYPE_CHECKING:
    from collections.abc import Sequence

Edit: TypeAlias = tuple[int, int, str]
"""Start and end of the replaced characters, as offsets in the text before, and the text in their place."""

MOST_EDITS = 32
"""Edits that a snapshot remembers; for more, a comparison of the two texts is quicker."""

_SERIALS = count(1)


@dataclass(frozen=True)
class Snapshot:
    """A document as it was at one version; later changes make other snapshots."""

    uri: str
    language_id: str
    """The client's name of the language."""
    version: int
    text: str
    doubtful: bool = False
    """True if a change was lost, so that the text may differ from the client's."""
    serial: int = field(default_factory=partial(next, _SERIALS), compare=False, repr=False)
    """The number of this text in the process; two texts with the same number are equal."""
    edits: tuple[tuple[int, Edit], ...] = field(default=(), compare=False, repr=False)
    """The last edits, oldest first, each with the number of the text that it changed."""

    def edited(self, text: str, edits: Sequence[Edit] | None) -> Self:
        """Return the document with another text; the edits lead to it one after the other, None if not known."""
        known: list[tuple[int, Edit]] = []
        serial = self.serial
        for edit in edits or ():
            known.append((serial, edit))
            serial = next(_SERIALS)
        log = () if edits is None else (*self.edits, *known)[-MOST_EDITS:]
        return replace(self, text=text, serial=next(_SERIALS) if edits is None else serial, edits=log)

    def edits_since(self, serial: int) -> tuple[Edit, ...] | None:
        """Return the edits from the text with number `serial` to this text, or None if they are not remembered."""
        if serial == self.serial:
            return ()
        for index, (before, _) in enumerate(self.edits):
            if before == serial:
                return tuple(edit for _, edit in self.edits[index:])
        return None

    @property
    def language(self) -> str | None:
        """The name of the language: the client's name if a grammar has it, else by the file name, else None."""
        called = language_called(self.language_id) if self.language_id else None
        return called or language_of(self._path)

    @property
    def version_by_name(self) -> str | None:
        """The version of the language that files of this name are in, or None for a name that tells none."""
        name = self.language
        return None if name is None else languages()[name].version_of(self._path)

    @property
    def _path(self) -> str:
        return unquote(self.uri.partition("?")[0])

    @property
    def known_language(self) -> str:
        """The name of the language of a document that has a grammar; the caller has checked that it has one."""
        name = self.language
        assert name is not None, "a document without a grammar is not given to the engine"
        return name

    @property
    def language_names(self) -> tuple[str, ...]:
        """Our name of the language, if there is a grammar, and the client's; the first is the one to show."""
        names = (self.language, self.language_id)
        return tuple(dict.fromkeys(name for name in names if name))
