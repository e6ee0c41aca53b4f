"""The record of a session: what a server answered, each with the text that the client had then."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

INLINE = "textDocument/inlineCompletion"


@dataclass(frozen=True)
class Offer:
    """A text that a server offered at a place."""

    left: str
    right: str
    """The texts before and after the place."""
    text: str
    shown: bool
    """True if the client said that it was shown."""


@dataclass
class Record:
    """The facts that the messages so far tell."""

    offers: list[Offer] = field(default_factory=list)
    settled: bool = True
    """True if the last request is answered and no document was changed since."""
    pending: bool = False
    """True if the last request is not answered yet."""
    requests: int = 0


def read_record(path: Path) -> Record:
    """Return the record of a log as it is now (`recorder.py`); a line that is not whole yet is left out."""
    record = Record()
    documents: dict[str, str] = {}
    asked: dict[int | str, tuple[str, str]] = {}
    names: dict[str, int] = {}  # item → its place in `offers`
    latest: int | str | None = None
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else ():
        if not line.endswith("\n"):
            break
        entry = json.loads(line)
        message: dict[str, Any] = entry["message"]
        method, params = message.get("method"), message.get("params")
        if entry["client"] and params is not None:
            if method == "textDocument/didOpen":
                documents[params["textDocument"]["uri"]] = params["textDocument"]["text"]
            elif method == "textDocument/didChange":
                uri = params["textDocument"]["uri"]
                documents[uri] = _changed(documents[uri], params["contentChanges"])
                record.settled = False
            elif method == INLINE:
                text = documents[params["textDocument"]["uri"]]
                at = _offset(text, params["position"])
                asked[message["id"]] = text[:at], text[at:]
                record.requests += 1
                latest, record.settled, record.pending = message["id"], False, True
            elif method == "textDocument/didShowCompletion" and (name := _name(params["item"])) in names:
                place = names[name]
                offer = record.offers[place]
                record.offers[place] = Offer(offer.left, offer.right, offer.text, shown=True)
        elif not entry["client"] and "id" in message and "method" not in message:
            result = message.get("result") or {}
            if message["id"] in asked:
                left, right = asked.pop(message["id"])
                if message["id"] == latest:
                    record.settled, record.pending = True, False
                for item in result.get("items", ()) if isinstance(result, dict) else result:
                    names[_name(item)] = len(record.offers)
                    record.offers.append(_offer(left, right, item))
    return record


def _offer(left: str, right: str, item: dict[str, Any]) -> Offer:
    """Return the offer of an item, whose range may begin before the place and end after it."""
    text = left + right
    span = item.get("range")
    start = _offset(text, span["start"]) if span else len(left)
    end = _offset(text, span["end"]) if span else len(left)
    return Offer(text[:start], text[end:], item["insertText"], shown=False)


def _name(item: dict[str, Any]) -> str:
    return json.dumps((item.get("command") or {}).get("arguments", item["insertText"]))


def _changed(text: str, changes: list[dict[str, Any]]) -> str:
    for change in changes:
        span = change.get("range")
        if span is None:
            text = change["text"]
        else:
            start, end = _offset(text, span["start"]), _offset(text, span["end"])
            text = text[:start] + change["text"] + text[end:]
    return text


def _offset(text: str, position: dict[str, int]) -> int:
    """Return the offset of a position; the lines that are changed are ASCII, so that all encodings count alike."""
    lines = text.splitlines(keepends=True)
    above, column = lines[: position["line"]], position["character"]
    assert not column or lines[position["line"]].isascii()
    return sum(map(len, above)) + column
