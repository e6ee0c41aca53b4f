"""A document at one version: an immutable value that may be read on every thread."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote

from dovetail.grammar.library import language_called, language_of


@dataclass(frozen=True)
class Snapshot:
    """A document as it was at one version; later changes make other snapshots."""

    uri: str
    language_id: str
    """The client's name of the language."""
    version: int
    text: str
    doubtful: bool = False
    """Whether a change was lost, so that the text may differ from the client's."""

    @property
    def language(self) -> str | None:
        """The name of the language: the client's name if a grammar has it, else by the file name, else None."""
        called = language_called(self.language_id) if self.language_id else None
        return called or language_of(unquote(self.uri.partition("?")[0]))

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
