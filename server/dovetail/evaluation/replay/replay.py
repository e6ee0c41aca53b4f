"""A replay: the cases of an experiment, one after the other, with one model."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from dovetail.evaluation.replay.place_kinds import kind_of_place
from dovetail.evaluation.replay.record import ReplayRecord, Typed
from dovetail.evaluation.replay.tape import record
from dovetail.evaluation.replay.tokens import read_tokens

if TYPE_CHECKING:
    from dovetail.evaluation.replay.cases import ReplayCase
    from dovetail.evaluation.replay.tape import Suggestion


class SuggestionSource(Protocol):
    """The source of suggestions; see `suggestions.py`."""

    def open(self, name: str) -> None:
        """Begin a document, and forget the one before."""

    def ask(self, left: str, right: str) -> Suggestion:
        """Return the suggestion between two texts of the document."""


class Replay:
    """The source of suggestions, and the way in which cases are tried with it."""

    def __init__(self, suggestions: SuggestionSource, least: int, *, all_thresholds: bool) -> None:
        """Make a replay. `least`: the setting `min_characters`. `all_thresholds`: the kind of the tapes."""
        self._suggestions = suggestions
        self._least = least
        self._all_thresholds = all_thresholds

    def run(self, case: ReplayCase) -> ReplayRecord:
        """Return the tapes of a case."""
        kind = partial(kind_of_place, read_tokens(case.text))
        typed = []
        for number, stretch in enumerate(case.path):
            self._suggestions.open(f"{case.number}-{number}")
            nodes = record(
                case.text, stretch, self._suggestions.ask, kind, self._least, all_thresholds=self._all_thresholds
            )
            typed.append(Typed(stretch, nodes))
        return ReplayRecord(case.number, case.file, tuple(typed))
