"""Changes of a text that is kept as its lines, so that each costs what it changes and not what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from dovetail.lsp.positions import locate, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dovetail.lsp.positions import Encoding


def edited(
    lines: Sequence[str], changes: Iterable[types.TextDocumentContentChangeEvent], encoding: Encoding
) -> list[str]:
    """Return the lines after some changes, each of which speaks of the text as the one before it left it."""
    after = list(lines)
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            after = split(change.text)
        else:
            _replace(after, change.range, change.text, encoding)
    return after


def _replace(lines: list[str], span: types.Range, text: str, encoding: Encoding) -> None:
    """Put a text in the place of a range."""
    (first, start), (last, end) = sorted(
        locate(lines, place.line, place.character, encoding) for place in (span.start, span.end)
    )
    text = lines[first][:start] + text + lines[last][end:]
    # A carriage return and a line feed that come to stand side by side are one line end. Behind the range there are no
    # such two: the end of its last line stays whole.
    if first > 0 and text.startswith("\n") and lines[first - 1].endswith("\r"):
        first -= 1
        text = lines[first] + text
    replaced = split(text)
    if last + 1 < len(lines):
        assert replaced[-1] == "", "what a line follows ends one"
        replaced.pop()
    lines[first : last + 1] = replaced
