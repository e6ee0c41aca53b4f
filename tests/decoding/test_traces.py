"""A look ahead leaves no trace: neither in the text, nor in what the model reads, nor in the budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.decoding.finite_quotient import FiniteQuotient
from tests.decoding.scripted_proposer import ScriptedGeneration, ScriptedProposer, at_random

from dovetail.decoding.decoder import Decoder, complete
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request

if TYPE_CHECKING:
    from collections.abc import Sequence


def test_a_refused_line_end_is_no_place_to_stop() -> None:
    """A token that would have ended a line, and cannot be closed in time, does not say where to cut other text."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        wanted = [b"a\n", b"b"] if text else [b"("]
        return [*(proposer.token(piece) for piece in wanted), *range(256)]

    proposer = ScriptedProposer([b"a\n"], rank)
    quotient = FiniteQuotient(["(a", "(a\nzzzz", "(bc"])

    completion = complete(proposer, lambda: quotient, "", "", Limits(max_tokens=3, shape=Shape.FREE))

    assert completion.text in ("(a", "(bc")


@given(
    st.sets(st.text("(ab)\n ", min_size=1, max_size=5), min_size=1, max_size=6),
    st.integers(0, 50),
    st.integers(1, 6),
    st.sampled_from(Shape),
    st.sampled_from([0.0, 0.7]),
    st.sampled_from(["", "x = ", "x = (a"]),
)
def test_what_is_shown_fits(
    middles: set[str], seed: int, tokens: int, shape: Shape, temperature: float, left: str
) -> None:
    """A model whose tokens hold lines and brackets gives a program or nothing, in as many tokens."""
    proposer = ScriptedProposer([b"a\n", b")\n", b"\n ", b"b\na", b"ab", b"(a", b" (", b")\n("], at_random(seed))
    quotient = FiniteQuotient(middles)
    limits = Limits(tokens, shape=shape, temperature=temperature, min_characters=0)

    completion = complete(proposer, lambda: quotient, left, "\nnext", limits)

    assert completion.text is None or quotient.start.accepts(completion.text)
    assert completion.tokens <= tokens


class _Listening(ScriptedProposer):
    """Remembers the text that was written last."""

    written: ScriptedGeneration

    def begin(self, prompt: Sequence[int], document: str | None = None) -> ScriptedGeneration:
        """Return an empty text."""
        self.written = super().begin(prompt, document)
        return self.written


def test_a_planned_token_comes_behind_what_was_held_back() -> None:
    """The model has read all of the text before the known way to finish if that is followed at once."""
    numbers = [b" %d" % number for number in range(80)]

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        wanted = [] if text else [proposer.token(number) for number in numbers]
        return wanted + [token for token in range(len(proposer.vocabulary.pieces)) if token not in wanted]

    proposer = _Listening(numbers, rank)
    middles = ["()", *(f"{number}{'z' * 20}" for number in range(80))]

    completion = complete(proposer, lambda: FiniteQuotient(middles), "x = ", "\n", Limits(max_tokens=3))

    assert completion.text == "()"
    assert proposer.written.text.startswith(b" (")


def test_a_healed_token_is_no_token_of_the_plan() -> None:
    """A token that also spells what was held back brings less than it does in a plan; the budget holds all the same."""
    proposer = ScriptedProposer([b"))"], lambda proposer, text: [proposer.token(b"))"), *range(256)])
    limits = Limits(max_tokens=1, temperature=0.5)

    completion = complete(proposer, lambda: FiniteQuotient(["))"]), "f(g(x)", "\n", limits)

    spelt = completion.tokens + len(proposer.encode(completion.closing))
    assert completion.text == "))"
    assert spelt <= 1


def test_a_plan_may_go_on_inside_a_character() -> None:
    """A budget that just suffices for a closing with a name, beyond ASCII, in a vocabulary of bytes, is used up."""
    proposer = ScriptedProposer([], lambda proposer, text: ["»A".encode()[len(text)], *range(256)])

    completion = complete(proposer, lambda: FiniteQuotient(["»A", "»arbitrary_"]), "", "", Limits(max_tokens=3))

    assert completion.text == "»A"


def test_candidates_end_with_their_time() -> None:
    """No further attempt is made if one ran out of time and brought nothing new."""
    now = [0.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    proposer = ScriptedProposer([], lambda proposer, text: list(range(256)))
    request = Request("", "\n", lambda: FiniteQuotient(["aaaa"]), Limits(max_tokens=8, seconds=2.0))

    Decoder(proposer, clock=clock).candidates(request, 3)

    assert len(proposer.prompts) <= 2
