"""Somebody at an editor: types, moves, pastes, undoes, breaks and mends, at random but repeatably."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

_TYPED = (
    "x = ", "return ", "if ", "for item in ", "print(", "self.", "def f(a, b):", "lambda: ", "import ", '"', "'''",
    "[", "]", "(", ")", "{", "}", ":", ",", " ", "\n", "\n    ", "# a note 😀", "\\", "f'{x", "0x", "1.5e", "@", "*",
    "**", "not ", "→", "\t", "\f", "\u2028", "async ", "match x:\n", "\r\n", "del ", "yield", "...", ";", "é", "𝔘",
)  # fmt: skip
"""Texts to type: beginnings and ends of what Python and JSON are made of, and characters of every width."""

_HISTORY = 200
"""Edits that can be undone."""

_MOST = 60_000
"""Characters beyond which nothing is pasted."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of some characters, of the text as it was."""

    start: int
    end: int
    text: str


@dataclass
class Buffer:
    """A document in the editor."""

    uri: str
    language: str
    original: str
    text: str
    cursor: int
    version: int = 1
    undone: list[Edit] = field(default_factory=list)
    """The edits that take back what was done, the newest last."""

    def apply(self, edit: Edit, *, remember: bool = True) -> dict[str, object]:
        """Carry an edit out and return the change of the protocol that says so."""
        # Both ends in the text as it was, before it changes.
        places = [self.place(offset) for offset in (edit.start, edit.end)]
        if remember:
            back = Edit(edit.start, edit.start + len(edit.text), self.text[edit.start : edit.end])
            self.undone = [*self.undone[1 - _HISTORY :], back]
        self.text = self.text[: edit.start] + edit.text + self.text[edit.end :]
        self.cursor = self.whole(edit.start + len(edit.text))
        self.version += 1
        return {"range": {"start": places[0], "end": places[1]}, "text": edit.text}

    def place(self, offset: int) -> dict[str, int]:
        """Return the position of an offset, in UTF-16, found without an index of lines."""
        before = self.text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        column = before[before.rfind("\n") + 1 :]
        return {"line": before.count("\n"), "character": len(column.encode("utf-16-le")) // 2}

    def whole(self, offset: int) -> int:
        """Return an offset, or the one before it where it would stand inside a line end."""
        return offset - (self.text[max(offset - 1, 0) : offset + 1] == "\r\n")


def act(random: Random, buffer: Buffer) -> tuple[str, list[Edit]]:
    """Return what is done next and the edits that it takes, each of the text after the one before."""
    kind = random.choices(
        ("type", "erase", "move", "paste", "undo", "mend", "break", "save", "many"),
        (40, 12, 14, 5, 12, 4, 5, 3, 5),
    )[0]
    cursor = buffer.cursor
    if kind == "type":
        return kind, [Edit(cursor, cursor, random.choice(_TYPED))]
    if kind == "erase":
        start = buffer.whole(max(0, cursor - random.randint(1, 6)))
        return kind, [Edit(start, cursor, "")]
    if kind == "paste" and len(buffer.text) < _MOST:
        start = buffer.whole(random.randrange(len(buffer.text) + 1))
        end = buffer.whole(min(len(buffer.text), start + random.randint(1, 400)))
        return kind, [Edit(cursor, cursor, buffer.text[start:end])]
    if kind == "undo":
        return kind, buffer.undone[-random.randint(1, 4) :][::-1]
    if kind == "mend":
        return kind, [Edit(0, len(buffer.text), buffer.original)]
    if kind == "break":
        start = buffer.whole(random.randrange(len(buffer.text) + 1))
        end = buffer.whole(min(len(buffer.text), start + random.choice((0, 1, 30))))
        return kind, [Edit(start, end, random.choice(_TYPED))]
    if kind == "many":
        # Several carets: from the last to the first, so that offsets hold.
        places = sorted({buffer.whole(random.randrange(len(buffer.text) + 1)) for _ in range(3)}, reverse=True)
        return kind, [Edit(place, place, "#") for place in places]
    return kind if kind == "save" else "move", []


def move(random: Random, buffer: Buffer) -> None:
    """Put the cursor somewhere: often at the end of a line, where people type."""
    place = random.randrange(len(buffer.text) + 1)
    if random.random() < 0.6:
        end = buffer.text.find("\n", place)
        place = len(buffer.text) if end < 0 else end
    buffer.cursor = buffer.whole(place)


def json_text() -> str:
    """Return a document of JSON with something of everything."""
    rows = [
        {"name": f"item {number}", "price": number / 4, "tags": ["a", None, True], "π": "😀"} for number in range(60)
    ]
    return json.dumps({"rows": rows, "count": len(rows)}, ensure_ascii=False, indent=2)
