"""Several completions of one place: they differ, and what brings no other is not tried again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import BatchedScript, ScriptedProposer, at_random
from tests.languages import shared_language

import dovetail
from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.11")


def likes(*pieces: bytes) -> BatchedScript:
    """Return a model that would begin with these pieces, the best first, and end after them; none is an ending."""

    def rank(proposer: ScriptedProposer, text: bytes) -> Sequence[int]:
        wanted = [proposer.token(piece) if piece else proposer.end for piece in pieces]
        if text.endswith(tuple(piece for piece in pieces if piece)):
            wanted = [proposer.end]
        return [*wanted, *(token for token in range(len(proposer.vocabulary.pieces)) if token not in wanted)]

    return BatchedScript([piece for piece in pieces if len(piece) > 1], rank)


def test_candidates_differ() -> None:
    """Several candidates have different texts, the first is the one that is offered alone, all of them fit."""
    middles = ["alpha", "beta", "gamma", "gamma + 1"]
    proposer = ScriptedProposer([b"alpha", b"beta", b"gamma"], lambda proposer, text: [258, 256, 257, proposer.end])
    decoder = Decoder(proposer)
    request = Request("", "\n", lambda: FiniteQuotient(middles))

    alone = decoder.complete(request)
    three = decoder.candidates(request, 3)
    drawn = decoder.candidates(
        Request("", "\n", lambda: FiniteQuotient(middles), Limits(temperature=2.0, top_p=1.0, seed=3)), 3
    )

    assert alone.text == "gamma"
    assert [completion.text for completion in three] == ["gamma", "alpha", "beta"]
    assert len({completion.text for completion in drawn}) == 3
    assert {completion.text for completion in drawn} <= set(middles)


def test_there_may_be_fewer_candidates_than_wanted() -> None:
    """One candidate is there if only one text fits, and one reason if none does."""
    proposer = BatchedScript()
    decoder = Decoder(proposer)

    (one,) = decoder.candidates(Request("", "", lambda: FiniteQuotient(["ab"])), 3)
    (none,) = decoder.candidates(Request("", "", lambda: FiniteQuotient([])), 3)

    assert (one.text, none.text) == ("ab", None)
    assert proposer.forks == 2  # the second finds nothing else to begin with


@pytest.mark.parametrize(
    ("left", "right", "pieces", "texts"),
    [
        ("x = f(a", "\n", [b")", b", b)", b", c)"], [")", ", b)", ", c)"]),
        ("x = f(a", "\n", [b")\n", b", b)", b", c)"], [")", ", b)", ", c)"]),
        ("if f(a", "\n    pass\n", [b"):\n", b", b):", b", c):"], ["):", ", b):", ", c):"]),
        ("x = f(a)", "\n", [b"", b".b", b".c"], [".b", ".c"]),
        ("x = [a", "] + b\n", [b"]", b", b", b", c"], [", b", ", c"]),
    ],
)
def test_whatever_came_first_the_next_candidate_begins_in_another_way(
    left: str, right: str, pieces: list[bytes], texts: list[str], language: dovetail.Language
) -> None:
    """A token that ends the line, an end at once and what follows anyway come first once, as any token does."""
    proposer = likes(*pieces)
    request = Request(left, right, lambda: language.quotient(left, right), Limits(max_tokens=16))

    found = Decoder(proposer).candidates(request, len(texts))

    assert [completion.text for completion in found] == texts
    assert proposer.forks == len(pieces)


@pytest.mark.parametrize(
    ("left", "are_enough"),
    [("x = f(a,  ", True), ("x = f(a,\t", True), ("x = f(a, ", False), ("x = f(a,\n      ", False)],
)
def test_no_text_begins_with_a_blank_behind_several(left: str, are_enough: bool, language: dovetail.Language) -> None:
    """Blanks that the user typed behind other text of the line are enough; one blank or an indentation may go on."""
    proposer = likes(b"    b)", b"c)", b"d)")
    request = Request(left, "\n", lambda: language.quotient(left, "\n"), Limits(max_tokens=16))

    found = Decoder(proposer).candidates(request, 2)

    texts = [completion.text or "" for completion in found]
    assert texts == ["c)", "d)"] if are_enough else any(text.startswith(" ") for text in texts)


@pytest.mark.parametrize(
    ("left", "right", "is_enough"),
    [
        ("f(() => {\n    ", "\n});\n", True),
        ("f(() => {\n\n\t", "\n});\n", True),
        ("f(() => {\n", "\n});\n", False),
        ("  f(() => {\n", "\n});\n", False),
        ("    f(() => {\n  ", "\n});\n", False),
    ],
)
def test_no_text_makes_a_line_deeper_that_is_deeper_than_the_one_above(left: str, right: str, is_enough: bool) -> None:
    """An editor has indented it; a line that is not may get its blanks from the model."""
    proposer = likes(b"    b;", b"c;", b"d;")
    language = shared_language("javascript")
    request = Request(left, right, lambda: language.quotient(left, right), Limits(max_tokens=16))

    found = Decoder(proposer).candidates(request, 2)

    begin_with_blank = [text[0].isspace() for completion in found if (text := completion.text)]
    assert begin_with_blank
    assert any(begin_with_blank) != is_enough


def test_where_the_model_would_end_and_nothing_else_fits_the_reason_is_the_first() -> None:
    """An end that came first is left out once; then there is nothing left, and no more attempts are made."""
    proposer = likes(b"")

    (none,) = Decoder(proposer).candidates(Request("", "", lambda: FiniteQuotient([""])), 3)

    assert (none.text, none.stop) == (None, Stop.BLANK)
    assert proposer.forks == 2


def test_what_is_drawn_may_come_again() -> None:
    """Drawn attempts leave nothing out, so each of them may bring another text, whatever came before."""
    proposer = likes(b"a", b"b")
    limits = Limits(temperature=1.0, top_p=1.0)

    found = Decoder(proposer).candidates(Request("", "", lambda: FiniteQuotient(["a"]), limits), 2)

    assert [completion.text for completion in found] == ["a"]
    assert proposer.forks == 6


MIDDLES = st.sets(st.text("ab(\n", min_size=1, max_size=10), min_size=1, max_size=8)
PIECES = [b"ab", b"(a", b"a\n", b"b\na", b"\n("]


@settings(max_examples=40)
@given(MIDDLES, st.integers(0, 1 << 32), st.integers(10, 24), st.sampled_from([0.0, 3.0]), st.integers(2, 5))
def test_a_batch_writes_what_rows_in_turn_write(
    middles: set[str], seed: int, tokens: int, temperature: float, count: int
) -> None:
    """A proposer with batches and one without have the same candidates in the same order, greedy or drawn."""
    limits = Limits(tokens, temperature=temperature, seed=seed)
    request = Request("", "", lambda: FiniteQuotient(middles), limits)

    found, again = (
        Decoder(kind(PIECES, at_random(seed))).candidates(request, count) for kind in (BatchedScript, ScriptedProposer)
    )

    assert [(one.text, one.stop, one.closing) for one in found] == [(one.text, one.stop, one.closing) for one in again]


@settings(max_examples=40)
@given(MIDDLES, st.integers(0, 1 << 32), st.integers(10, 24), st.integers(2, 5))
def test_the_first_candidate_is_the_completion(middles: set[str], seed: int, tokens: int, count: int) -> None:
    """In a batch too, the first of several greedy candidates is what is offered where one is asked for."""
    request = Request("", "", lambda: FiniteQuotient(middles), Limits(tokens))
    decoder = Decoder(BatchedScript(PIECES, at_random(seed)))

    alone = decoder.complete(request)
    first = decoder.candidates(request, count)[0]

    if alone.text is not None:
        assert (first.text, first.stop, first.closing) == (alone.text, alone.stop, alone.closing)


def test_a_pass_reads_what_is_new_of_all_texts() -> None:
    """Three texts of the same length need as many passes as one of them."""
    pieces = [b"aaaa", b"bbbb", b"cccc"]

    def rank(proposer: ScriptedProposer, text: bytes) -> Sequence[int]:
        first = [proposer.token(piece[:1]) for piece in pieces]
        wanted = [proposer.end] if len(text) == 4 else [proposer.token(text[:1])] if text else first
        return [*wanted, *(token for token in range(len(proposer.vocabulary.pieces)) if token not in wanted)]

    proposer = BatchedScript((), rank)
    limits = Limits(drafting=False)
    quotient = FiniteQuotient([piece.decode() + rest for piece in pieces for rest in ("", "x")])

    found = Decoder(proposer).candidates(Request("", "", lambda: quotient, limits), 3)

    assert [completion.text for completion in found] == ["aaaa", "bbbb", "cccc"]
    assert proposer.passes == [1, 3, 3, 3, 3]  # the prompt, then a token of each


def test_the_first_candidate_is_answered_before_the_others_are_written() -> None:
    """A candidate comes as soon as it is ready, and what nobody waits for is not written."""
    texts = ["a", "b" * 9]
    proposer = BatchedScript((), lambda proposer, text: [97, 98] if not text else [proposer.end, 98])
    decoder = Decoder(proposer)
    request = Request("", "", lambda: FiniteQuotient(texts), Limits(drafting=False))

    ready = decoder.ready_candidates(request, 2)
    first = next(ready)
    passes = len(proposer.passes)
    ready.close()

    assert first.text == "a"
    assert passes < 4
    assert [completion.text for completion in decoder.candidates(request, 2)] == texts
    assert len(proposer.passes) - passes >= 9


def test_a_batch_ends_with_its_request() -> None:
    """No row is left behind, whether all texts were written or the iterator was closed before."""
    proposer = likes(b"alpha", b"beta", b"gamma")
    request = Request("", "", lambda: FiniteQuotient(["alpha", "beta", "gamma"]))
    decoder = Decoder(proposer)

    ready = decoder.ready_candidates(request, 3)
    next(ready)
    ready.close()
    decoder.candidates(request, 3)

    assert proposer.rows == []


def test_the_time_of_all_texts_adds_up() -> None:
    """The seconds of the candidates together are those that passed, each charged once."""
    now = [0.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    decoder = Decoder(likes(b"alpha", b"beta", b"gamma"), clock=clock)
    request = Request("", "", lambda: FiniteQuotient(["alpha", "beta", "gamma"]))

    found = decoder.candidates(request, 3)

    spent = sum(one.seconds.contexts + one.seconds.prompt + one.seconds.model + one.seconds.constraint for one in found)
    assert 0 < spent <= now[0]


def test_the_first_candidate_sets_the_pace() -> None:
    """In a batch a text that goes on and on is closed soon after the first one is ready, and it fits all the same."""
    middles = ["a", *("b" * length for length in range(1, 60))]
    rank = {False: [97, 98], True: [98]}
    proposer = BatchedScript(
        (), lambda proposer, text: [proposer.end] if text == b"a" else [*rank[bool(text)], proposer.end]
    )
    request = Request("", "", lambda: FiniteQuotient(middles), Limits(max_tokens=60, drafting=False))

    first, other = Decoder(proposer).candidates(request, 2)

    assert (first.text, other.stop) == ("a", Stop.PACE)
    assert other.text in middles
    assert other.tokens < 20


@pytest.mark.parametrize("typing", [False, True])
def test_who_asks_by_hand_within_an_element_gets_a_text_on_its_line(typing: bool) -> None:
    """A model that would first begin another line is asked for words; while somebody types nothing is shown."""
    left, right = "const a = (\n  <li>", "</li>\n);\n"
    language = shared_language("javascriptreact")
    request = Request(left, right, lambda: language.quotient(left, right), Limits(max_tokens=16), typing=typing)

    found = Decoder(likes(b"\n      b", b"Add")).complete(request)

    assert (found.text, found.stop) == ((None, Stop.REST_OF_LINE) if typing else ("Add", Stop.END))
