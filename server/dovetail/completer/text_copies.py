"""Copies of other files' texts in another process: each is sent once, and named by a number after that.

`SentTexts` belongs to the sending process, `TextCopies` to the receiving one, a pair to each connection.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.completer.wire import from_plain, to_plain
from dovetail.decoding.repository import ProjectContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.completer.wire import Message

_AT_ONCE = 256 * 1024
"""Characters of new texts that go with one request, in some two milliseconds; the nearest files come first."""

_KEPT = 4_000_000
"""Characters that the other process keeps, those that were used last."""


class SentTexts:
    """The texts that the other process has."""

    def __init__(self) -> None:
        self._sent: OrderedDict[str, int] = OrderedDict()  # text → its number
        self._count = self._characters = 0

    def send(self, project: ProjectContext | None) -> Message | None:
        """Return the message that tells the other process of a project; long texts may be left for the next one."""
        if project is None:
            return None
        new: list[tuple[int, str]] = []
        room = _AT_ONCE
        numbers: list[list[int]] = []
        for texts in (project.open_texts, project.workspace_texts):
            numbers.append([])
            for text in texts:
                number = self._sent.get(text)
                if number is None:
                    if len(text) > room and new:
                        continue
                    room -= len(text)
                    number = self._count = self._count + 1
                    self._characters += len(text)
                    new.append((number, text))
                    self._sent[text] = number
                self._sent.move_to_end(text)
                numbers[-1].append(number)
        return {
            "project": to_plain(project.for_prompts),
            "new": new,
            "open": numbers[0],
            "workspace": numbers[1],
            "dropped": self._drop(numbers),
        }

    def _drop(self, kept: Sequence[Sequence[int]]) -> list[int]:
        """Forget the texts that were used longest ago, but for those of a message, and return their numbers."""
        named = {number for numbers in kept for number in numbers}
        dropped = []
        for text, number in list(self._sent.items()):
            if self._characters <= _KEPT or number in named:
                break
            del self._sent[text]
            self._characters -= len(text)
            dropped.append(number)
        return dropped


class TextCopies:
    """The texts as they were sent."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}  # number → text

    def receive(self, message: Message | None) -> ProjectContext | None:
        """Return the project of a message."""
        if message is None:
            return None
        self._texts |= dict(message["new"])
        opened, others = (tuple(self._texts[number] for number in message[level]) for level in ("open", "workspace"))
        for number in message["dropped"]:
            del self._texts[number]
        project = from_plain(message["project"], ProjectContext)
        return replace(project, open_texts=opened, workspace_texts=others)
