"""The suggestions of the local completer, asked as the language server asks while a user types."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from dovetail.completer.local import LocalCompleter
from dovetail.completer.snapshot import Snapshot
from dovetail.decoding.cancellation import Never
from dovetail.evaluation.replay.tape import Suggestion
from dovetail.evaluation.verdict import LANGUAGE, TARGET

if TYPE_CHECKING:
    from dovetail.decoding.proposer import Proposer
    from dovetail.settings import Settings


class Suggestions:
    """A model behind the local completer. Times, and the time limit, are processor time of one thread."""

    def __init__(self, proposer: Proposer, settings: Settings) -> None:
        """Load the settings; raises ModelError or GrammarError where that fails."""
        self._completer = LocalCompleter(lambda name, device: proposer, clock=time.thread_time)
        loaded = self._completer.load(settings)
        assert loaded.complaint is None, "a model that is given is not loaded, and the settings name a known version"
        self._document: Snapshot | None = None

    def open(self, name: str) -> None:
        """Begin a document, and forget the one before."""
        if self._document is not None:
            self._completer.forget(self._document.uri)
        self._document = Snapshot(f"untitled:{name}", LANGUAGE.name, 0, "")

    def ask(self, left: str, right: str) -> Suggestion:
        """Return the suggestion between two texts of the document, never one from memory."""
        assert self._document is not None, "a document is open"
        self._document = self._document.edited(left + right, None)
        began = time.thread_time()
        completion = self._completer.suggest(self._document, len(left), Never())
        spent = 1000 * (time.thread_time() - began)
        confidence = getattr(completion, "acceptance", None)
        return Suggestion(
            completion.text or "",
            confidence,
            completion.stop.value,
            completion.tokens,
            round(spent, 1),
            completion.finished,
        )


def target_setting() -> dict[str, str]:
    """Return the version of the language that the files are written in, as a setting."""
    return {f"{LANGUAGE.name}.target_version": TARGET}
