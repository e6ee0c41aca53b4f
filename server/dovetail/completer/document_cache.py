"""A cache of the engine's languages and documents, kept between requests.

One thread owns a cache and everything that it returns. Explanations have a cache of their own, so they do not wait for
completions.
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
"""Documents that are kept; users seldom edit more in turn."""


class DocumentCache:
    """Reads documents; for a document that it knows, it reads only the change."""

    def __init__(self, forget: Callable[[], None] = lambda: None, *, kept: int = _KEPT) -> None:
        """Make an empty cache for `kept` documents; it calls `forget` after it drops documents."""
        self._kept = kept
        self.settings = Settings()
        """The settings; they say whether cells of notebooks may hold commands."""
        self._targets: Mapping[str, str] = {}  # language → version
        self._forget = forget
        self._languages: dict[str, dovetail.Language] = {}  # name → language
        # (uri, name of the language) → the document with the text of the last request, and the number of that text
        self._documents: OrderedDict[tuple[str, str], tuple[Document, int]] = OrderedDict()

    def aim(self, targets: Mapping[str, str]) -> bool:
        """Read languages at these versions from now on, all others at their newest; return whether that is new."""
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

        `offset` is the cursor's, in characters. In a notebook's cell, commands on other lines are hidden from the
        engine.
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
        # The edits are unknown, or commands are hidden: one edit makes up the difference.
        if kept.text != text:
            kept.edit(*difference(kept.text, text))
        # With hidden commands the engine's text differs from the client's, so the client's edits do not fit it.
        self._documents[key] = kept, document.serial if text is document.text else 0
        if len(self._documents) > self._kept:
            self._documents.popitem(last=False)
            self._forget()
        return kept

    def forget(self, uri: str) -> None:
        """Drop a document, in every language that it was read in."""
        keys = [key for key in self._documents if key[0] == uri]
        for key in keys:
            del self._documents[key]
        if keys:
            self._forget()
