"""Completions that were shown: whoever types on into one is answered from memory, without the model."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Seconds

if TYPE_CHECKING:
    from dovetail.decoding.completion import Completion
    from dovetail.decoding.constraint import State
    from dovetail.decoding.request import Request

_DOCUMENTS = 16
_KEPT = 32
"""Completions of one document; an editor asks at every key, and people go back a few words."""


@dataclass(frozen=True, slots=True)
class _Entry:
    request: Request
    completion: Completion


class Memory:
    """The last completions of the last documents."""

    def __init__(self) -> None:
        self._documents: OrderedDict[str, list[_Entry]] = OrderedDict()   # document → newest last

    def keep(self, request: Request, completion: Completion) -> None:
        """Remember what a request was answered with; without a document or a text there is nothing to remember."""
        if request.document is None or not completion.text:
            return
        entries = self._documents.pop(request.document, [])
        self._documents[request.document] = [*entries[1 - _KEPT :], _Entry(request, completion)]
        if len(self._documents) > _DOCUMENTS:
            self._documents.popitem(last=False)

    def recall(self, request: Request) -> Completion | None:
        """Return the rest of a completion that was typed in part, or all of it where nothing was typed since.

        Left, rest and right are the very text that the completion made of them before, and yet the rest is asked for
        once more: in a broken document it depends on the cursor what is left out of both sides, and the language may
        be read in another way by now. None where other limits were asked for, and where too little is left to show.
        """
        start: State | None = None
        for entry in reversed(self._documents.get(request.document or "", ())):
            earlier, text = entry.request, entry.completion.text
            assert text is not None
            typed = len(request.left) - len(earlier.left)
            if not (
                0 <= typed < len(text)
                and earlier.limits == request.limits
                and request.right == earlier.right
                and request.left.startswith(earlier.left)
                and request.left.endswith(text[:typed])
                and len("".join(text[typed:].split())) >= max(1, request.limits.min_characters)
            ):
                continue
            start = start or request.open_quotient().start
            if not start.accepts(text[typed:]):
                continue
            return replace(
                entry.completion,
                text=text[typed:],
                closing=entry.completion.closing[-(len(text) - typed) :],
                tokens=0,
                refused=0,
                refusals=(),
                seconds=Seconds(0.0, 0.0, 0.0, 0.0),
            )
        return None
