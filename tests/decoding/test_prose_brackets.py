"""A closing bracket is no text of an element, unless the text has opened it."""

from __future__ import annotations

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes
from tests.languages import shared_language

from dovetail.decoding.completion import Cause
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request


@pytest.mark.parametrize(
    ("left", "right", "wanted", "otherwise", "is_text"),
    [
        ("const a = b.map((c) => (\n  <li>", "\n));\n", (b"{c}", b")"), (b"{c}", b"</li>"), False),
        ("const a = b.map((c) => (\n  <li>", "\n));\n", (b"{c}", b" )]"), (b"{c}", b"</li>"), False),
        ("const a = b.map((c) => (\n  <li>", "\n));\n", (b"(", b"{c}", b")", b"</li>"), (b"{c}", b"</li>"), True),
        ("const a = <p>\n  ({b.map((c) => c)}", "\n</p>;\n", (b")", b" in all"), (b" in all",), True),
        ("const a = <p>\n  two (of ", "\n</p>;\n", (b"three", b") in all"), (b"three",), True),
        ("const a = <p>\n  two [of ", "\n</p>;\n", (b"three", b") in all"), (b"three",), False),
        ("const a = <p title={b(", ")}></p>;\n", (b"c", b"[0]"), (b"c",), True),
        ('const a = <p title="', '"></p>;\n', (b"c", b")"), (b"c",), True),
    ],
)
def test_a_bracket_that_closes_nothing_is_refused(
    left: str, right: str, wanted: tuple[bytes, ...], otherwise: tuple[bytes, ...], is_text: bool
) -> None:
    """The model's second choice comes there."""
    extra = sorted({*wanted, *otherwise})
    held = Prompts(ScriptedProposer(extra)).build(left, right, 60).held

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        ways = [way for way in (wanted, otherwise) if (held + b"".join(way)).startswith(text)]
        tokens = [writes(*way, then_ends=True, held=held)(proposer, text)[0] for way in ways]
        return [*dict.fromkeys([*tokens, proposer.end])]

    quotient = shared_language("javascriptreact").quotient(left, right)
    completion = Decoder(ScriptedProposer(extra, rank)).complete(Request(left, right, lambda: quotient))

    assert completion.text == b"".join(wanted if is_text else otherwise).decode()
    assert (Cause.PROSE in {refusal.cause for refusal in completion.refusals}) is not is_text
