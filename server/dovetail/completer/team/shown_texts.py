"""The texts that a team's host has written: when the user types on into one, its rest needs no question to the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.completer.answer import Answer, nothing
from dovetail.decoding.completion import Completion, Seconds, Stop
from dovetail.decoding.limits import Limits
from dovetail.decoding.memory import Memory
from dovetail.decoding.request import Request
from dovetail.decoding.unchecked import UncheckedQuotient

if TYPE_CHECKING:
    from dovetail.completer.snapshot import Snapshot

_NO_TIME = Seconds(0.0, 0.0, 0.0, 0.0)


class ShownTexts:
    """The last texts of the last documents. The whole text fits, by the host, so it is not judged again."""

    def __init__(self, min_characters: int) -> None:
        """Remember nothing yet; rests with fewer characters are not shown."""
        self._memory = Memory()
        self._limits = Limits(min_characters=min_characters)

    def keep(self, document: Snapshot, offset: int, answer: Answer) -> None:
        """Remember an answer; its best text is found first."""
        for text in reversed(answer.texts):
            completion = Completion(text, Stop.END, "", 0, 0, _NO_TIME)
            self._memory.keep(self._request(document, offset), completion)

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return the rest of a text that the user has typed into."""
        found = self._memory.recall(self._request(document, offset))
        if found is None or found.text is None:
            return nothing("nothing is remembered")
        return Answer((found.text,), found.stop.value, unchecked=document.language is None)

    def forget(self, uri: str) -> None:
        """Forget the texts of a document."""
        self._memory.forget(uri)

    def _request(self, document: Snapshot, offset: int) -> Request:
        left, right = document.text[:offset], document.text[offset:]
        return Request(left, right, lambda: UncheckedQuotient(left), self._limits, document=document.uri)
