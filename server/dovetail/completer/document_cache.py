"""A cache of the engine's languages and documents, kept between requests.

One thread owns a cache and everything that it returns. Explanations have a cache of their own, so they do not wait for
completions.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dovetail.completer.difference import difference
from dovetail.completer.document_limit import DocumentLimit
from dovetail.completer.notebook_cells import is_cell, without_commands
from dovetail.completer.tables import LanguageTables
from dovetail.grammar.library import languages, reading_of, readings_after
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dovetail.completer.snapshot import Snapshot
    from dovetail.engine.document import Document
    from dovetail.engine.language import Language

KEPT = 16
"""Documents that are kept; users seldom edit more in turn."""


class DocumentCache:
    """Reads documents; for a document that it knows, it reads only the change."""

    def __init__(
        self,
        forget: Callable[[], None] = lambda: None,
        *,
        limit: DocumentLimit | None = None,
        tables: LanguageTables | None = None,
    ) -> None:
        """Make an empty cache; it calls `forget` after it drops documents.

        `limit` and `tables` may be those of other caches too, on the same thread.
        """
        self._limit = DocumentLimit(KEPT) if limit is None else limit
        self._tables = LanguageTables() if tables is None else tables
        self.settings = Settings()
        """The settings; they say whether cells of notebooks may hold commands."""
        self._targets: Mapping[str, str] = {}  # language → version
        self._forget = forget
        # (uri, name of the language it is read in) → the document with the text of the last request, and its number
        self._documents: dict[tuple[str, str], tuple[Document, int]] = {}

    def aim(self, targets: Mapping[str, str]) -> bool:
        """Read languages at these versions from now on, all others at their newest; return whether that is new."""
        if targets == self._targets:
            return False
        self._targets = targets
        self.clear()
        return True

    def check(self, name: str) -> None:
        """Raise GrammarError if a language's grammar does not know its version."""
        self._tables.check(name, self._targets.get(name))

    def language(self, document: Snapshot) -> Language:
        """Return the language of a document that has a grammar: the version of the settings, or else of the file name.

        Raises GrammarError for a version that its grammar does not know.
        """
        return self._read_as(document, reading_of(document.known_language, document.text))

    def languages_after(self, document: Snapshot) -> list[Language]:
        """Return the language of a document, and the one that it will be in with its first import, or without one.

        Raises GrammarError for a version that its grammar does not know.
        """
        return [self._read_as(document, name) for name in readings_after(document.known_language, document.text)]

    def _read_as(self, document: Snapshot, reading: str) -> Language:
        target = self._targets.get(document.known_language) or document.version_by_name
        return self._tables.language(reading, target)

    def document(self, document: Snapshot, offset: int) -> Document:
        """Return the engine's document with the text of a snapshot; its language has a grammar.

        `offset` is the cursor's, in characters. In a notebook's cell, commands on other lines are hidden from the
        engine.
        """
        name, text = document.known_language, document.text
        notebook = languages()[name].notebook
        if notebook is not None and self.settings.reads_commands(name) and is_cell(document):
            text = without_commands(self.language(document), notebook, text, offset)
        key = (document.uri, reading_of(name, document.text))
        kept, serial = self._documents.pop(key, (None, 0))
        if kept is None:
            kept = self.language(document).document(text)
        elif text is document.text:
            for edit in document.edits_since(serial) or ():
                kept.edit(*edit)
        # The edits are unknown, or commands are hidden: one edit makes up the difference.
        if kept.text != text:
            kept.edit(*difference(kept.text, text))
        # With hidden commands the engine's text differs from the client's, so the client's edits do not fit it.
        self._documents[key] = kept, document.serial if text is document.text else 0
        self._limit.use((self, key), partial(self._drop, key))
        return kept

    def forget(self, uri: str) -> None:
        """Drop a document, in every language that it was read in."""
        keys = [key for key in self._documents if key[0] == uri]
        for key in keys:
            self._limit.forget((self, key))
            del self._documents[key]
        if keys:
            self._forget()

    def clear(self) -> None:
        """Drop all documents."""
        for key in self._documents:
            self._limit.forget((self, key))
        self._documents.clear()

    def _drop(self, key: tuple[str, str]) -> None:
        self._documents.pop(key, None)
        self._forget()
