"""Targets of fuzzing that is guided by the code reached: each target takes bytes and asserts what always holds.

A text is UTF-8, wrong bytes as lone surrogates; where a target wants several, `‸` lies between them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from tests.fuzz.broken import kept
from tests.lsp import reference
from tests.lsp.scripted_completer import ScriptedCompleter
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.lsp.documents import Documents
from dovetail.lsp.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail import Language

CUT = "‸"
LONGEST = 2_000
"""Bytes of an input; what is longer is for `tests/hostile`."""
_URI = "file:///fuzzed.py"
LAST = 999
"""The number of the request that follows whatever else was sent."""


@cache
def language(name: str) -> Language:
    """Return a language, loaded once."""
    return dovetail.load_language(name, target=TARGET if name == "python" else None)


def texts(data: bytes, count: int) -> list[str]:
    """Return so many texts; the last ones empty if there are not enough."""
    found = data[:LONGEST].decode("utf-8", "surrogateescape").split(CUT)
    return [*found, *[""] * count][:count]


def read_grammar(data: bytes) -> None:
    """Read a grammar file and its description: they become a language, which answers, or a GrammarError."""
    grammar, description = texts(data, 2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzzed.lark"
        path.write_text(grammar, encoding="utf-8", errors="surrogateescape")
        path.with_suffix(".toml").write_text(description, encoding="utf-8", errors="surrogateescape")
        try:
            loaded = dovetail.load_language(path)
        except dovetail.GrammarError:
            return
    closing = loaded.quotient("", "", tolerant=False).start.closing()

    assert closing is not None
    assert loaded.accepts(closing)


def lex(data: bytes) -> None:
    """Lex a text: what becomes of it does not depend on how it is handed over."""
    lexer = language("python").machine.lexer
    (text,) = texts(data, 1)
    whole = lexer.lex(lexer.start, text)
    state, emissions, at = lexer.start, [], 0
    while at < len(text):
        step = ord(text[at]) % 7 + 1
        read = lexer.lex(state, text[at : at + step])
        if read is None:
            assert whole is None
            return
        state, at = read[0], at + step
        emissions += read[1]

    assert whole == (state, emissions)


def ask_quotient(data: bytes) -> None:
    """Ask for a quotient: what is viable has a closing that makes a program, and nothing is left out of what fits."""
    left, right = texts(data, 2)
    chosen = language("json" if left[:1] in ("{", "[") else "python")
    program = chosen.accepts(left + right)
    strict = chosen.quotient(left, right, tolerant=False)
    quotient = chosen.quotient(left, right)

    assert not program or strict.viable
    assert (chosen.error(left + right) is None) == program
    if strict.viable:
        assert strict.start.accepting == program
        assert not quotient.ignored
    if quotient.viable:
        closing = quotient.start.closing()
        before, after = kept(quotient, left, right)

        assert closing is not None
        assert chosen.accepts(before + closing + after)


def edit(data: bytes) -> None:
    """Edit a document: its text is that of a copy, and its answer the one that this text has afresh."""
    text, *changes = texts(data, 12)
    store, python = Documents(), language("python")
    store.open(types.TextDocumentItem(_URI, "python", 0, text))
    document = python.document(text)
    for number, new in enumerate(filter(None, changes)):
        code = sum(map(ord, new)) * 31 + number
        start, end = sorted(
            offset - reference.splits_line_end(text, offset)
            for offset in (code % (len(text) + 1), code // 7 % (len(text) + 1))
        )
        places = [types.Position(*reference.position(text, offset, "utf-16")) for offset in (start, end)]
        store.change(_URI, number, [types.TextDocumentContentChangePartial(types.Range(*places), new)])
        document.edit(start, end, new)
        text = text[:start] + new + text[end:]
        snapshot = store.snapshot(_URI)

        assert snapshot is not None
        assert snapshot.text == text
        assert document.text == text

        offset = code // 3 % (len(text) + 1)
        quotient, fresh = document.quotient(offset), python.quotient(text[:offset], text[offset:])

        assert (quotient.viable, quotient.ignored) == (fresh.viable, fresh.ignored)
        assert quotient.start.closing() == fresh.start.closing()


class _Peer:
    """The client's end: the numbers of the requests that were answered are kept."""

    def __init__(self) -> None:
        self.answers: list[Any] = []

    def write(self, data: bytes) -> None:
        """Take a message."""
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" not in message and message["id"] is not None:  # null is the id of what was no message
            self.answers.append(message["id"])

    def close(self) -> None:
        """Take the end of the connection."""


def receive(data: bytes) -> None:
    """Send messages: none is answered twice, and the next request is answered unless the session was ended."""
    bodies = [part.encode("utf-8", "surrogateescape") for part in texts(data, 8)]
    request = {"jsonrpc": "2.0", "id": LAST, "method": "workspace/executeCommand"}
    last = json.dumps({**request, "params": {"command": "dovetail.server.status", "arguments": []}}).encode()
    peer = _Peer()

    async def session() -> bool:
        server = Server(ScriptedCompleter(), {})
        server.protocol.set_writer(peer)
        try:
            for body in (*bodies, last):
                server.protocol.receive(body)
                await asyncio.sleep(0)
            for _ in range(200):
                if LAST in peer.answers:
                    break
                await asyncio.sleep(0)
        finally:
            server.session.end_work(0)
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task
        return server.session.shut_down

    logging.disable(logging.CRITICAL)
    try:
        ended = asyncio.run(session())
    finally:
        logging.disable(logging.NOTSET)

    assert ended or LAST in peer.answers
    assert len(peer.answers) <= data.count(b"{") + 1


TARGETS: dict[str, Callable[[bytes], None]] = {
    "grammar": read_grammar,
    "lexer": lex,
    "quotient": ask_quotient,
    "documents": edit,
    "protocol": receive,
}
"""The targets by the names of the folders of their seeds."""
