"""An explanation in the form of the protocol: positions instead of offsets, and notes for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dovetail.quotient.omission import lines_of, what_is_missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.completer.explainer import Explanation, LeftOut
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.positions import Encoding


def report(found: Explanation, document: OpenDocument, offset: int, encoding: Encoding) -> dict[str, Any]:
    """Return an explanation of an offset for a client; `notes` are sentences about the parts that were left out."""

    def place(at: int) -> dict[str, int]:
        line, column = document.lines.position(at, encoding)
        return {"line": line, "character": column}

    parts = [(part, *lines_of(document.text, part.start, part.end)) for part in found.ignored]
    return {
        "position": place(offset),
        "viable": found.viable,
        "accepting": found.accepting,
        "closing": found.closing,
        "expected": [{"name": name, "text": text} for name, text in found.expected],
        "ignored": [
            {
                "range": {"start": place(part.start), "end": place(part.end)},
                # Whole lines, from 0; none for what was only put in.
                "lines": None if part.start == part.end else {"first": first - 1, "last": last - 1},
                "instead": part.instead,
                "unread": part.unread,
            }
            for part, first, last in parts
        ],
        "fault": None if found.fault is None else {"position": place(found.fault[0]), "message": found.fault[1]},
        "notes": _notes(parts, document.text),
    }


def _notes(parts: Sequence[tuple[LeftOut, int, int]], text: str) -> list[str]:
    """Return sentences about the left out parts of a text, each with its first and last line; single lines share one.

    That stands where the first of them does.
    """
    single = [first for part, first, last in parts if first == last and part.start < part.end and not part.unread]
    notes: list[str] = []
    for part, first, last in parts:
        if part.unread:
            notes.append(f"Lines {first} to {last} were not read in time.")
        elif part.start == part.end:
            notes.append(what_is_missing(text, part.start, f"`{part.instead.strip()}`"))
        elif first != last:
            notes.append(f"Lines {first} to {last} do not all fit and were left out together.")
        elif first == single[0]:
            notes.append(_of_lines(single))
    return notes


def _of_lines(lines: Sequence[int]) -> str:
    """Return the sentence about single lines that were left out.

    >>> _of_lines([3, 6, 8])
    'Lines 3, 6 and 8 do not fit and were left out.'
    """
    if len(lines) == 1:
        return f"Line {lines[0]} does not fit and was left out."
    return f"Lines {', '.join(map(str, lines[:-1]))} and {lines[-1]} do not fit and were left out."
