"""Decoding against finite quotients and scripted models."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient, FiniteState
from tests.decoding.scripted_proposer import ScriptedProposer, at_random, writes

from dovetail.decoding import stopwatch
from dovetail.decoding.completion import Completion, Seconds, Stop
from dovetail.decoding.decoder import Decoder, complete
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterable


def run(proposer: ScriptedProposer, middles: Iterable[str], limits: Limits | None = None) -> Completion:
    quotient = FiniteQuotient(middles)
    return complete(proposer, lambda: quotient, "left ", "\nright", limits)


def fewest_tokens(proposer: ScriptedProposer, text: str) -> int:
    """Return the least number of tokens that spell a text, by dynamic programming."""
    data = text.encode()
    pieces = [piece for piece in proposer.vocabulary.pieces if piece]
    least = [0]
    for end in range(1, len(data) + 1):
        fitting = (least[end - len(piece)] for piece in pieces if data[:end].endswith(piece))
        least.append(1 + min(fitting))
    return least[-1]


def test_the_model_has_its_way_where_it_fits() -> None:
    """A text that fits is taken as the model wants it, and ends where the model ends it."""
    proposer = ScriptedProposer([b"foo", b"(x)"], writes(b"foo", b"(x)"))

    completion = run(proposer, ["foo(x)", "foo(x)+y", "z"])

    assert (completion.text, completion.stop, completion.closing) == ("foo(x)", Stop.END, "")
    assert (completion.tokens, completion.refused) == (2, 0)


def test_the_next_best_token_is_taken_where_the_best_does_not_fit() -> None:
    """A token that does not fit is refused and counted, and the next in rank is tried."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        wanted = [proposer.token(b"q"), proposer.token(b"z"), proposer.token(b"ab"), proposer.end]
        return wanted + [token for token in range(256) if token not in wanted]

    completion = run(ScriptedProposer([b"ab"], rank), ["ab"])

    assert (completion.text, completion.stop) == ("ab", Stop.END)
    assert completion.refused == 2 + 3  # q and z before ab; q, z and ab before the end


def test_more_tokens_are_asked_for_on_demand() -> None:
    """A fitting token of the last rank is found, by ever longer requests up to the whole vocabulary."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        last = [proposer.token(b"fits"), proposer.end]
        others = [token for token in range(len(proposer.vocabulary.pieces)) if token not in last]
        others.remove(proposer.token(b"f"))
        return others + last

    extra = [b"z%d" % number for number in range(600)]
    proposer = ScriptedProposer([*extra, b"fits"], rank)

    completion = run(proposer, ["fits"])

    assert (completion.text, completion.stop) == ("fits", Stop.END)
    size = len(proposer.vocabulary.pieces)
    assert proposer.asked == [8, 64, size] * 2
    assert completion.refused == (size - 3) + (size - 2)  # each once before `fits`, each once before the end


def test_the_model_may_end_only_at_a_program() -> None:
    """An end token is refused until the text is accepting."""

    def eager(proposer: ScriptedProposer, text: bytes) -> list[int]:
        return [proposer.end, *range(256)]

    completion = run(ScriptedProposer([], eager), ["abc", "abcdef"])

    assert (completion.text, completion.stop) == ("abc", Stop.END)


def test_special_tokens_are_no_text() -> None:
    """A special token that does not end is never taken, nor is an id beyond the vocabulary."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        marks = [proposer.vocabulary.specials["<|fim_middle|>"], len(proposer.vocabulary.pieces) + 7]
        return [*marks, proposer.token(b"a") if not text else proposer.end]

    completion = run(ScriptedProposer([], rank), ["a"])

    assert (completion.text, completion.stop, completion.refused) == ("a", Stop.END, 4)


def test_nothing_viable_is_nothing() -> None:
    """Nothing is offered if no text fits, and the model is not asked."""
    proposer = ScriptedProposer()

    completion = run(proposer, [])

    assert (completion.text, completion.stop) == (None, Stop.NOT_VIABLE)
    assert proposer.prompts == []


def test_a_gap_beyond_the_budget_is_nothing() -> None:
    """Nothing is offered if even the shortest text that fits is too long, and the reason says so."""
    completion = run(ScriptedProposer(), ["abcd"], Limits(max_tokens=3))

    assert (completion.text, completion.stop) == (None, Stop.TOO_LONG)


def test_the_budget_is_kept_by_closing_in_time() -> None:
    """A model that would go on for ever is led to the closing, within the tokens that are allowed."""
    middles = ["(" * depth + "x" + ")" * depth for depth in range(1, 60)]
    proposer = ScriptedProposer([], lambda proposer, text: [proposer.token(b"("), *range(256)])

    completion = run(proposer, middles, Limits(max_tokens=21))

    assert (completion.text, completion.stop) == ("(" * 10 + "x" + ")" * 10, Stop.BUDGET)


def test_a_steady_rise_of_the_cost_is_noticed_in_time() -> None:
    """A closing that grows with every token of a long text is led to in time, with nothing cut off."""
    middles = ["(" * depth + ")" * depth for depth in range(100)]
    proposer = ScriptedProposer([], lambda proposer, text: [proposer.token(b"("), *range(256)])

    completion = run(proposer, middles, Limits(max_tokens=100))

    assert (completion.text, completion.stop) == ("(" * 50 + ")" * 50, Stop.BUDGET)


def test_a_jump_over_the_slack_costs_text_and_no_program() -> None:
    """Tokens that raise the cost of closing beyond what is left are cut off; what remains is closed."""
    jump = b"<" * 40
    middles = ["a" * count + "<" * depth + ">" * depth for count in range(3) for depth in range(0, 401, 40)]
    proposer = ScriptedProposer([jump], writes(b"a", *[jump] * 9))

    completion = run(proposer, middles, Limits(max_tokens=60, shape=Shape.FREE))

    assert completion.text in middles
    assert completion.stop is Stop.BUDGET
    assert fewest_tokens(proposer, completion.text) <= 60


def test_a_character_is_never_cut() -> None:
    """A budget that ends inside a character ends the text before or after it."""
    middles = ["é" * count for count in range(1, 9)]
    proposer = ScriptedProposer([], lambda proposer, text: [*"é".encode()])

    for budget in range(2, 9):
        completion = run(proposer, middles, Limits(max_tokens=budget))

        assert completion.text in middles
        assert len(completion.text.encode()) <= budget


def test_a_closing_the_tokens_do_not_spell_is_still_appended() -> None:
    """The closing's bytes are counted if the tokens do not spell it, and the text is finished."""

    class Blanks(ScriptedProposer):
        def encode(self, text: str) -> list[int]:
            return super().encode(" " + text)

    proposer = Blanks([], lambda proposer, text: [proposer.token(b"("), proposer.token(b"q")])
    middles = ["(" * depth + ")" * depth for depth in range(20)]

    completion = run(proposer, middles, Limits(max_tokens=8))

    assert (completion.text, completion.closing) == ("(((())))", "))))")


def test_no_fitting_token_ends_in_the_closing() -> None:
    """The text is closed where it stands if no token of the vocabulary fits."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        return [proposer.token(b"a") if not text else proposer.token(b"z")]

    completion = run(ScriptedProposer([], rank), ["abc"])

    assert (completion.text, completion.stop, completion.closing) == ("abc", Stop.UNFIT, "bc")


def test_one_line() -> None:
    """A single line ends before its line end, if it is a program there and not blank."""
    text = "\na = 1\nb = 2\n"
    proposer = ScriptedProposer([b"1\nb"], writes(b"\n", b"a", b" ", b"=", b" ", b"1\nb", b"="))
    middles = [text[:end] for end in range(len(text))]

    completion = run(proposer, middles, Limits(shape=Shape.LINE))
    whole = run(proposer, ["\na = 1\nb=", "x"], Limits(shape=Shape.LINE))

    assert (completion.text, completion.stop) == ("\na = 1", Stop.LINE)
    assert whole.text == "\na = 1\nb="


def test_what_does_not_end_by_itself_ends_where_the_model_liked_it_best() -> None:
    """A text of any length that the budget ends is cut where an end was likeliest, for its length, and fits."""
    likings = {2: 1, 5: 3, 9: 4, 12: 2}  # length -> at which rank the model would end it

    def rank(proposer: ScriptedProposer, written: bytes) -> list[int]:
        return [proposer.token(b"a"), *range(likings.get(len(written), 20) - 1), proposer.end]

    def cut(*lengths: int) -> Completion:
        middles = ["a" * length for length in (*lengths, *range(14, 40))]
        return run(ScriptedProposer([], rank), middles, Limits(max_tokens=15, shape=Shape.FREE))

    # 2 · e^-1 = 0.74, 5 · e^-3 = 0.25, 9 · e^-4 = 0.16, 12 · e^-2 = 1.62
    for lengths, best in (((2, 5, 9, 12), 12), ((2, 5, 9), 2), ((5, 9), 5), ((9, 11), 9)):
        completion = cut(*lengths)
        assert (completion.text, completion.stop, completion.closing) == ("a" * best, Stop.BUDGET, "")


class Countdown:
    """A cancellation that comes after it was read a number of times."""

    def __init__(self, reads: int) -> None:
        self.reads = reads

    @property
    def cancelled(self) -> bool:
        self.reads -= 1
        return self.reads < 0


@pytest.mark.parametrize("reads", [0, 1, 5])
def test_cancellation_is_read_at_every_token(reads: int) -> None:
    """A cancelled completion offers nothing and writes no further token."""
    proposer = ScriptedProposer([], lambda proposer, text: [proposer.token(b"a")])
    quotient = FiniteQuotient(["a" * count for count in range(50)])

    completion = complete(proposer, lambda: quotient, "", "", Limits(), Countdown(reads))

    assert (completion.text, completion.stop) == (None, Stop.CANCELLED)
    assert completion.tokens == reads


def test_time_closes_the_text() -> None:
    """The text is closed where it stands when no time is left, and is a program."""
    completion = run(ScriptedProposer(), ["ab", "abc"], Limits(seconds=0))

    assert (completion.text, completion.stop, completion.closing) == ("ab", Stop.TIME, "ab")


def test_time_that_did_not_suffice_is_the_reason() -> None:
    """The time is blamed if none was left for a text that is worth showing."""
    completion = run(ScriptedProposer([], writes(b"a")), ["", "aaa"], Limits(seconds=0))

    assert (completion.text, completion.stop, completion.tokens) == (None, Stop.TIME, 0)
    assert completion.reason == "the time was used up before a text was finished"


def test_seconds_are_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a completion is charged to whoever took it: the contexts, the model and the constraint."""
    clock = [0.0]
    calls = {"ranked": 0, "advance": 0}

    class Slow(FiniteState):
        def advance(self, piece: str | bytes) -> Slow | None:
            clock[0] += 1
            calls["advance"] += 1
            state = super().advance(piece)
            return None if state is None else Slow(state.middles, state.text)

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        clock[0] += 100
        calls["ranked"] += 1
        return [*b"qzab", proposer.end]

    class SlowQuotient(FiniteQuotient):
        @property
        def start(self) -> Slow:
            return Slow(super().start.middles)

    def open_quotient() -> SlowQuotient:
        clock[0] += 10_000
        return SlowQuotient(["abab"])

    monkeypatch.setattr(stopwatch, "perf_counter", lambda: clock[0])

    completion = complete(ScriptedProposer([], rank), open_quotient, "", "")

    assert completion.text == "abab"
    seconds = completion.seconds
    assert seconds == Seconds(10_000, 100, 100 * (calls["ranked"] - 1), calls["advance"])


MIDDLES = st.sets(st.text("ab(\né€", max_size=12), min_size=1, max_size=8)
PIECES = st.lists(st.text("ab(\né€", min_size=2, max_size=6).map(str.encode), max_size=6, unique=True)


@given(MIDDLES, PIECES, st.integers(0, 1 << 32), st.integers(1, 24), st.sampled_from(Shape))
def test_the_outcome_is_a_program_within_its_budget_or_nothing(
    middles: set[str], pieces: list[bytes], seed: int, budget: int, shape: Shape
) -> None:
    """The outcome fits and keeps to its tokens whatever the model wants; it is nothing if nothing does."""
    proposer = ScriptedProposer(pieces, at_random(seed))

    completion = run(proposer, middles, Limits(max_tokens=budget, shape=shape))

    if completion.stop is Stop.BLANK:
        assert completion.text is None
        assert any(not middle.strip() for middle in middles)
    elif completion.text is None:
        shortest = min(middles, key=lambda middle: (len(middle.encode()), middle.encode()))
        assert completion.stop is Stop.TOO_LONG
        assert len(proposer.encode(shortest)) > budget
    else:
        assert completion.text in middles
        assert completion.text.endswith(completion.closing)
        assert completion.tokens <= budget
        assert fewest_tokens(proposer, completion.text) <= budget


def test_blank_text_is_shown_where_no_characters_are_asked_for() -> None:
    """With `min_characters` 0 even an empty text is an answer; with 1 it is none."""
    asked = run(ScriptedProposer([], writes()), {""}, Limits(min_characters=0))
    shown = run(ScriptedProposer([], writes()), {""}, Limits(min_characters=1))

    assert (asked.text, asked.stop) == ("", Stop.END)
    assert (shown.text, shown.stop) == (None, Stop.BLANK)


def test_time_is_that_of_the_clock() -> None:
    """A clock of one's own accounts for the time, and limits it."""
    ticks = iter(range(0, 10_000_000, 1000))
    decoder = Decoder(ScriptedProposer([], writes(b"a", b"b")), clock=lambda: next(ticks))
    request = Request("", "", lambda: FiniteQuotient(["ab"]), Limits(seconds=1500))

    completion = decoder.complete(request)

    assert completion.stop is Stop.TIME
    assert all(value % 1000 == 0 for value in dataclasses.astuple(completion.seconds))
