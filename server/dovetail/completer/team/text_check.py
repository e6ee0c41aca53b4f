"""The check of a host's texts on this machine: a host may be wrong or hostile, and only what fits is shown."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.completer.answer import Answer, nothing
from dovetail.completer.document_cache import DocumentCache
from dovetail.completer.document_limit import DocumentLimit
from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.completer.snapshot import Snapshot
    from dovetail.settings import Settings

logger = logging.getLogger(__name__)

_KEPT = 4
"""Documents whose readings are kept; the host keeps its own."""

_LONGEST = 100_000
"""Characters of a text, many more than a host writes; one that is longer takes long to read."""

_UNFIT = "the team's host sent a text that does not fit here"


class TextCheck:
    """Reads documents with the engine of this process, and keeps the texts that fit; one thread owns it."""

    def __init__(self) -> None:
        self._documents = DocumentCache(limit=DocumentLimit(_KEPT))

    def aim(self, settings: Settings, targets: Mapping[str, str]) -> None:
        """Read languages as the host does: with these settings, at these versions."""
        self._documents.settings = settings
        self._documents.aim(targets)

    def prepare(self, document: Snapshot) -> None:
        """Read the tables of a document's language, or build and keep them."""
        try:
            self._documents.language(document)
        except GrammarError as error:
            logger.warning("The team's host reads a language otherwise than this machine: %s", error)

    def kept(self, document: Snapshot, offset: int, answer: Answer) -> Answer:
        """Return an answer without the texts that do not fit at an offset; without any, it says so."""
        if not answer.texts or document.language is None:
            return answer  # without a grammar nothing is checked here either
        try:
            start = self._documents.document(document, offset).quotient(offset, ends_headers=True).start
            fitting = tuple(text for text in answer.texts if len(text) <= _LONGEST and start.accepts(text))
        except GrammarError as error:
            return nothing(f"the team's host reads this language otherwise than this machine: {error}")
        if len(fitting) < len(answer.texts):
            logger.warning("The team's host sent %d texts that do not fit.", len(answer.texts) - len(fitting))
        # A host may not say of a language with a grammar that there is none.
        return replace(answer, texts=fitting, unchecked=False) if fitting else nothing(_UNFIT)

    def forget(self, uri: str) -> None:
        """Drop a document that was closed."""
        self._documents.forget(uri)
