"""Tokens of a plain text, whatever special tokens its characters spell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.vocabulary.vocabulary import Vocabulary


class PlainEncoder:
    """Encodes text with a tokenizer that was told to add nothing, and sees to it that no token is special."""

    def __init__(self, encode: Callable[[str], list[int]], vocabulary: Vocabulary) -> None:
        self._encode = encode
        self._vocabulary = vocabulary

    def __call__(self, text: str) -> list[int]:
        """Return the tokens of a text; what looks like a special token stays text."""
        tokens = self._encode(text)
        if any(map(self._is_special, tokens)):
            # A SentencePiece vocabulary holds control tokens among its pieces; in two parts they are text.
            tokens = [token for part in self._parts(text) for token in self._encode(part)]
        return [token for token in tokens if not self._is_special(token)]

    def _is_special(self, token: int) -> bool:
        return token >= len(self._vocabulary.pieces) or self._vocabulary.pieces[token] is None

    def _parts(self, text: str) -> Iterator[str]:
        """Cut a text after the first character of everything that reads like a special token."""
        marks = "|".join(re.escape(name) for name in self._vocabulary.specials if len(name) > 1)
        start = 0
        for match in re.finditer(f"(?={marks})", text):
            yield text[start : match.start() + 1]
            start = match.start() + 1
        yield text[start:]
