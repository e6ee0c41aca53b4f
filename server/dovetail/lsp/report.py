"""An explanation in the form of the protocol: positions instead of offsets, and notes for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dovetail.quotient.omission import lines_of

if TYPE_CHECKING:
    from dovetail.completer.explainer import Explanation, LeftOut
    from dovetail.lsp.documents import OpenDocument
    from dovetail.lsp.positions import Encoding


def report(found: Explanation, document: OpenDocument, offset: int, encoding: Encoding) -> dict[str, Any]:
    """Return an explanation of an offset for a client; `notes` are sentences about the parts that were left out."""

    def place(at: int) -> dict[str, int]:
        line, column = document.lines.position(at, encoding)
        return {"line": line, "character": column}

    def note(part: LeftOut, first: int, last: int) -> str:
        if part.unread:
            return f"Lines {first} to {last} were not read in time."
        if part.start == part.end:
            instead = part.instead.strip()
            return f"Something is missing before line {first}, which was read as if `{instead}` stood above it."
        if first == last:
            return f"Line {first} does not fit and was left out."
        return f"Lines {first} to {last} do not all fit and were left out together."

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
        "notes": [note(*part) for part in parts],
    }
