"""The vocabulary of llama.cpp's server, told by the server itself.

It tells the bytes of each likely token, so one question for as many as there are gives all of them: some 15 MB for
150,000 tokens, once. Which token a special name stands for is found by having the name tokenized.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dovetail.decoding.formats import FORMATS, STARTS
from dovetail.model.engines.connection import Question
from dovetail.model.engines.form import AskedText
from dovetail.model.error import ModelError
from dovetail.model.failure import EngineError
from dovetail.vocabulary.vocabulary import END_NAMES, Vocabulary, is_special

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.model.engines.connection import Connection
    from dovetail.model.engines.llama_server_form import LlamaServerForm

_GUARD = "\n"
"""Stands before a text to which the server adds a blank; its tokens are taken off, and the blank with them."""

_TEXTS = 4096
"""Texts whose tokens are remembered: the lines of the documents that are completed."""


def read_from_server(
    connection: Connection, form: LlamaServerForm, size: int | None, end: object
) -> tuple[Vocabulary, Callable[[str], list[int]]]:
    """Return the vocabulary of a server's model with `size` tokens, and an encoder that asks the server.

    `end`: the name of the token by which the model ends a text, if the server tells it. Raises ModelError and
    EngineError.
    """
    if size is None:
        raise ModelError(
            f"{connection.url} does not tell how many tokens its model has: name the folder with the tokenizer.json of "
            f"the model, as in {connection.url}#tokenizer=/path/to/folder."
        )
    answer = connection.ask(form.run(AskedText((1,), None), 1, size))
    try:
        [place] = answer["choices"][0]["logprobs"]["content"]
        pieces: list[bytes | None] = [None] * size
        for entry in place["top_logprobs"]:
            pieces[entry["id"]] = bytes(entry["bytes"]) or None
    except (TypeError, KeyError, ValueError, IndexError) as error:
        raise EngineError(f"{connection.url} does not tell how its tokens are spelt") from error
    names = sorted({*END_NAMES, *STARTS, *(mark for known in FORMATS for mark in known.marks)})
    if isinstance(end, str) and end and end not in names:
        names.append(end)
    pending = [(name, connection.send(_tokenized(name, special=True))) for name in names]
    specials = {}
    for name, told in pending:
        tokens = _tokens(connection, told.wait())
        if len(tokens) == 1 and (pieces[tokens[0]] is None or is_special({"content": name})):
            specials[name] = tokens[0]
            pieces[tokens[0]] = None
    ends = frozenset(token for name, token in specials.items() if name in END_NAMES or name == end)
    return Vocabulary(tuple(pieces), MappingProxyType(specials), ends), _encoder(connection, pieces)


def _encoder(connection: Connection, pieces: list[bytes | None]) -> Callable[[str], list[int]]:
    """Return an encoder that asks the server, and remembers."""

    def ask(text: str) -> list[int]:
        return _tokens(connection, connection.ask(_tokenized(text, special=False)))

    # A SentencePiece model puts a blank before each text.
    blank = b"".join(pieces[token] or b"" for token in ask("x")) != b"x"
    guard = ask(_GUARD) if blank else []

    @lru_cache(_TEXTS)
    def encode(text: str) -> tuple[int, ...]:
        if blank:
            tokens = ask(_GUARD + text)
            if tokens[: len(guard)] == guard:
                return tuple(tokens[len(guard) :])
        return tuple(ask(text))

    return lambda text: list(encode(text))


def _tokenized(text: str, *, special: bool) -> Question:
    return Question("/tokenize", {"content": text, "add_special": False, "parse_special": special})


def _tokens(connection: Connection, answer: Any) -> list[int]:
    """Return the tokens of an answer; raises EngineError for an answer of another form."""
    try:
        tokens = list(answer["tokens"])
    except (TypeError, KeyError) as error:
        raise EngineError(f"{connection.url} does not tell the tokens of a text") from error
    if not all(isinstance(token, int) and token >= 0 for token in tokens):
        raise EngineError(f"{connection.url} does not tell the tokens of a text")
    return tokens
