"""Words that stand only in functions of one kind, as a model proposes them."""

from __future__ import annotations

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes

import dovetail
from dovetail.decoding.completion import Cause, Completion
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request

AWAIT = (b"await", b" fetch", b"(url);")
PLAIN = (b"fetch", b"(url);")


def completed(left: str) -> Completion:
    """Return what comes of a model that wants to wait for a call, and else to call."""
    right = "\n" + "}\n" * left.count("{")
    extra = sorted({*AWAIT, *PLAIN})
    held = Prompts(ScriptedProposer(extra)).build(left, right, 60).held

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        ways = [way for way in (AWAIT, PLAIN) if (held + b"".join(way)).startswith(text)]
        return [*dict.fromkeys(writes(*way, held=held)(proposer, text)[0] for way in ways)]

    proposer = ScriptedProposer(extra, rank)
    language = dovetail.load_language("javascript")
    return Decoder(proposer).complete(Request(left, right, lambda: language.quotient(left, right)))


@pytest.mark.parametrize(
    ("head", "is_async"),
    [
        ("async function load(url) {", True),
        ("function load(url) {", False),
        ("class Page {\n  async load(url) {\n    if (url) {", True),
        ("class Page {\n  load(url) {\n    if (url) {", False),
    ],
)
def test_a_word_is_proposed_only_where_its_function_allows_it(head: str, is_async: bool) -> None:
    """The model's second choice comes where it is refused."""
    completion = completed(head + "\n  const page = ")

    assert completion.text is not None
    assert completion.text.startswith("await fetch" if is_async else "fetch")
    assert (Cause.WORD_OF_FUNCTION in {refusal.cause for refusal in completion.refusals}) is not is_async
