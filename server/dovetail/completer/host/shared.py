"""The things that the windows of one host share: the model, the tables, and the limit on documents."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import dovetail
from dovetail.completer.document_cache import KEPT
from dovetail.completer.document_limit import DocumentLimit
from dovetail.completer.tables import LanguageTables, new_masker
from dovetail.decoding.proposer import BatchProposer, NearbyReader
from dovetail.model.hosting import load_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.completer.host.turns import Turns
    from dovetail.decoding.acceptance import Calibration
    from dovetail.decoding.formats import PromptForm
    from dovetail.decoding.proposer import Generation, Proposer, Row
    from dovetail.decoding.repository import ProjectContext
    from dovetail.masking.mask import Masker
    from dovetail.vocabulary.vocabulary import Vocabulary


class SharedModel:
    """The model of a host, loaded once. Its methods belong to the thread that has the turn."""

    def __init__(self, load: Callable[[str | None, str | None], Proposer] = load_model) -> None:
        """Make a host without a model; `load` loads the model of a name on a device."""
        self.proposer: Proposer | None = None
        """The model; None before it was loaded."""
        self.loaded: Callable[[], None] = lambda: None
        """Called after the model was loaded."""
        self._load = load

    def for_window(self, window: int, name: str | None, device: str | None) -> WindowProposer:
        """Return the model as a window sees it; load it if it is not loaded.

        All windows of a host name the same model and device, since these are parts of the host's identity. Raises what
        `load` raises.
        """
        if self.proposer is None:
            self.proposer = self._load(name, device)
            self.loaded()
        return WindowProposer(self.proposer, window)


class WindowProposer:
    """The shared model for one window: the window has a size of its own for prompts, and its documents are apart."""

    def __init__(self, proposer: Proposer, number: int) -> None:
        """Give window `number` of the host the use of a model."""
        self.name = proposer.name
        self.numbers = proposer.numbers
        self.vocabulary = proposer.vocabulary
        self.window = proposer.window
        self.calibration: Calibration | None = getattr(proposer, "calibration", None)
        self.form: PromptForm | None = getattr(proposer, "form", None)
        self._proposer = proposer
        self._number = number

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a plain text."""
        return self._proposer.encode(text)

    def begin(self, prompt: Sequence[int], document: str | None = None) -> Generation:
        """Return the text that continues a prompt; `document` is one of this window."""
        return self._proposer.begin(prompt, self._named(document))

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> Row | None:
        """Return the first row of a batch after a prompt; None if the model cannot read several texts in one pass."""
        if not isinstance(self._proposer, BatchProposer):
            return None
        return self._proposer.begin_batch(prompt, self._named(document))

    def read_nearby(self, document: str | None, project: ProjectContext | None) -> None:
        """Take the texts around the next prompt of a document of this window, if the model reads them."""
        if isinstance(self._proposer, NearbyReader):
            self._proposer.read_nearby(self._named(document), project)

    def forget(self, document: str) -> None:
        """Release the memory that is kept for a document."""
        self._proposer.forget(f"{self._number} {document}")

    def _named(self, document: str | None) -> str | None:
        # The same file may be open in two windows, with different texts.
        return None if document is None else f"{self._number} {document}"


class SharedTables(LanguageTables):
    """The tables of all windows. They are made outside of the turns, since that may take seconds."""

    def __init__(self, turns: Turns, model: SharedModel) -> None:
        """Make no tables yet; the masks are for the tokens of the model."""
        super().__init__()
        self._turns = turns
        self._model = model
        self._making = threading.Lock()
        # A language is not shown to anyone before its masks are ready: making them reads and fills its caches.
        self._ready: dict[tuple[str, str | None], tuple[dovetail.Language, Masker]] = {}  # name, version → both

    def language(self, name: str, target: str | None) -> dovetail.Language:
        """Return a language at a version; the caller has the turn, and others may have had it meanwhile."""
        key = name, target
        proposer = self._model.proposer
        if proposer is None:
            return dovetail.load_language(name, target=target)
        if key not in self._ready:
            with self._turns.outside(), self._making:
                if key not in self._ready:
                    language = dovetail.load_language(name, target=target)
                    self._ready[key] = language, new_masker(language, proposer.vocabulary)
        return self._ready[key][0]

    def check(self, name: str, target: str | None) -> None:
        """Raise GrammarError if a grammar does not know a version."""
        if (name, target) not in self._ready:
            with self._turns.outside():
                dovetail.load_language(name, target=target)

    def masker(self, language: dovetail.Language, vocabulary: Vocabulary) -> Masker:
        """Return the masks of the model's tokens in a language."""
        for known, masker in self._ready.values():
            if known is language:
                return masker
        return new_masker(language, vocabulary)


class SharedResources:
    """Everything that the windows of one host share."""

    def __init__(
        self, turns: Turns, load: Callable[[str | None, str | None], Proposer] = load_model, *, documents: int = KEPT
    ) -> None:
        """Make the resources of a host without windows; `documents` may be kept for all of them together."""
        self.turns = turns
        self.model = SharedModel(load)
        self.tables = SharedTables(turns, self.model)
        self.limit = DocumentLimit(documents)
