"""Completions that were shown: when the user types on into one, the rest comes from memory, without the model."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Completion, Seconds

if TYPE_CHECKING:
    from dovetail.decoding.completion import Stop
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.limits import Limits
    from dovetail.decoding.request import Request

_DOCUMENTS = 16
_KEPT = 32
"""Completions of one document; an editor asks at every key, and people go back a few words."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One completion and its place. The document is not kept: it may be long, and there are many entries."""

    limits: Limits
    offset: int
    """The length of the left text."""
    around: bytes
    """The digest of both texts; see `_digest`."""
    text: str
    closing: str
    stop: Stop
    acceptance: float | None

    def rest(self, request: Request) -> str | None:
        """Return the rest of the text if its beginning was typed, judged by the length and the end of the left text."""
        typed = len(request.left) - self.offset
        if not (
            0 <= typed < len(self.text) and self.limits == request.limits and request.left.endswith(self.text[:typed])
        ):
            return None
        rest = self.text[typed:]
        return rest if len("".join(rest.split())) >= max(1, request.limits.min_characters) else None


class Memory:
    """The last completions of the last documents."""

    def __init__(self) -> None:
        self._documents: OrderedDict[str, list[_Entry]] = OrderedDict()  # document → newest last

    def keep(self, request: Request, completion: Completion) -> None:
        """Remember the answer to a request; nothing is kept without a document or a text."""
        if request.document is None or not completion.text:
            return
        entry = _Entry(
            request.limits,
            len(request.left),
            _digest(request.left, request.right),
            completion.text,
            completion.closing,
            completion.stop,
            completion.acceptance,
        )
        entries = self._documents.pop(request.document, [])
        self._documents[request.document] = [*entries[1 - _KEPT :], entry]
        if len(self._documents) > _DOCUMENTS:
            self._documents.popitem(last=False)

    def forget(self, document: str) -> None:
        """Forget the completions of a document."""
        self._documents.pop(document, None)

    def recall(self, request: Request) -> Completion | None:
        """Return the rest of a completion that was typed in part, or all of it if nothing was typed since.

        None if other limits are asked for, or if too little is left to show. The whole text is the same as when the
        completion was made, and yet the rest is judged again: in a broken document the cursor decides which parts are
        left out, and the language may be read at another version by now.
        """
        start: ConstraintState | None = None
        known: dict[int, bytes] = {}  # offset → the digest of the texts around it before anything was typed
        for entry in reversed(self._documents.get(request.document or "", ())):
            rest = entry.rest(request)
            if rest is None:
                continue
            if entry.offset not in known:
                known[entry.offset] = _digest(request.left[: entry.offset], request.right)
            if known[entry.offset] != entry.around:
                continue
            start = start or request.open_quotient().start
            if start.accepts(rest):
                closing = entry.closing[-len(rest) :]
                # What was typed of it was right, so the rest is at least as likely as the whole was.
                none = Seconds(0.0, 0.0, 0.0, 0.0)
                return Completion(rest, entry.stop, closing, 0, 0, none, acceptance=entry.acceptance)
        return None


def _digest(left: str, right: str) -> bytes:
    """Return a digest of two texts, unique for a given length of the left one."""
    # Half of a pair of UTF-16 may stand in a document by itself.
    digest = hashlib.sha256(left.encode(errors="surrogatepass"))
    digest.update(right.encode(errors="surrogatepass"))
    return digest.digest()
