"""A line of source with a mark under one of its characters, safe to print in a terminal."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from dovetail.commands.place import split_lines

_LONGEST = 100
"""The characters of a line that are shown on either side of the mark."""

_TAB = 4


def excerpt(text: str, offset: int, style: str) -> Text:
    """Return the numbered line of an offset (in characters), and a caret under the character there."""
    lines = split_lines(text)
    number = next(index for index in range(len(lines) - 1, -1, -1) if lines[index][0] <= offset)
    start, end = lines[number]
    at = min(offset, end)
    before, after = text[start:at], text[at:end]
    shown_before = f"…{before[-_LONGEST:]}" if len(before) > _LONGEST else before
    shown_after = f"{after[:_LONGEST]}…" if len(after) > _LONGEST else after
    shown_before, shown_after = visible(shown_before), visible(shown_after)
    margin = f"{number + 1:>5} "
    found = Text(f"{margin}| ", "dim")
    found.append(shown_before + shown_after, "not dim")
    found.append(f"\n{' ' * len(margin)}| ")
    found.append(" " * cell_len(shown_before))
    found.append("^", f"not dim {style}")
    return found


def visible(text: str) -> str:
    """Return a text on one line, with a visible sign for each that would move the cursor or rule the terminal."""
    return "".join(" " * _TAB if character == "\t" else _plain(character) for character in text)


def _plain(character: str) -> str:
    if character < " ":
        return chr(0x2400 + ord(character))  # the pictures of the control characters
    return character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
