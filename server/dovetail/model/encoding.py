"""Tokens of a plain text, whatever special tokens its characters spell."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from dovetail.model.error import ModelError, first_line
from dovetail.vocabulary.vocabulary import plain_description

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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


def encoder_of(description: Mapping[str, Any]) -> Callable[[str], list[int]]:
    """Return the encoder of a whole description of a tokenizer; raises ModelError for a damaged one."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(json.dumps(plain_description(description)))
    except Exception as error:  # the library has no type of its own for it
        raise ModelError(
            f"The tokenizer of the model cannot be read ({first_line(error)}): choose another model."
        ) from error
    tokenizer.encode_special_tokens = True

    def encode(text: str) -> list[int]:
        tokens: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
        return tokens

    return encode
