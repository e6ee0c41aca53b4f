"""The engine behind the server: languages, and the documents that were read in them, kept between requests.

One thread owns one of these and all that it gives; explanations have one of their own, so that they need not wait.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

import dovetail
from dovetail.completer.difference import difference
from dovetail.completer.notebook_cells import is_cell, without_commands
from dovetail.grammar.library import languages
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dovetail.completer.snapshot import Snapshot
    from dovetail.engine.document import Document

_KEPT = 16
"""Documents of which the work is kept; more are seldom edited in turn."""


class DocumentCache:
    """Reads documents; of one that is known only what changed."""

    def __init__(self, forget: Callable[[], None] = lambda: None, *, kept: int = _KEPT) -> None:
        """Make an engine that has read nothing and keeps the work of so many documents.

        `forget` is called when documents are let go of.
        """
        self._kept = kept
        self.settings = Settings()
        """Whether cells of notebooks may hold commands is taken from here."""
        self._targets: Mapping[str, str] = {}  # language → version
        self._forget = forget
        self._languages: dict[str, dovetail.Language] = {}  # name → language
        # (uri, name of the language) → the document with the text of the last request, and the number of that text
        self._documents: OrderedDict[tuple[str, str], tuple[Document, int]] = OrderedDict()

    def aim(self, targets: Mapping[str, str]) -> bool:
        """Read languages at these versions from now on, others at their newest; return whether that is a change."""
        if targets == self._targets:
            return False
        self._targets = targets
        self._languages.clear()
        self._documents.clear()
        return True

    def language(self, name: str) -> dovetail.Language:
        """Return a language by its name. Raises GrammarError for a version that its grammar does not know."""
        if name not in self._languages:
            self._languages[name] = dovetail.load_language(name, target=self._targets.get(name))
        return self._languages[name]

    def document(self, document: Snapshot, offset: int) -> Document:
        """Return the engine's document with the text of a snapshot; its language has a grammar.

        `offset` is the cursor's: in a notebook's cell the commands elsewhere are hidden from the engine.
        """
        name, text = document.known_language, document.text
        notebook = languages()[name].notebook
        if notebook is not None and self.settings.reads_commands(name) and is_cell(document):
            text = without_commands(self.language(name), notebook, text, offset)
        key = (document.uri, name)
        kept, serial = self._documents.pop(key, (None, 0))
        if kept is None:
            kept = self.language(name).document(text)
        elif text is document.text:
            for edit in document.edits_since(serial) or ():
                kept.edit(*edit)
        # The edits are not known, or commands are hidden: one edit that does it.
        if kept.text != text:
            kept.edit(*difference(kept.text, text))
        # With hidden commands the engine's text is none of the client's, so no edit of those fits it.
        self._documents[key] = kept, document.serial if text is document.text else 0
        if len(self._documents) > self._kept:
            self._documents.popitem(last=False)
            self._forget()
        return kept

    def forget(self, uri: str) -> None:
        """Let go of the work of a document, in whatever language it was read."""
        keys = [key for key in self._documents if key[0] == uri]
        for key in keys:
            del self._documents[key]
        if keys:
            self._forget()
