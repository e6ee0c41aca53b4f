"""A mask is what asking token by token would give: exactly."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fuzz.cases import make_case
from tests.masking.hostile import STANDS, hostile, vocabulary
from tests.oracles import arithmetic, indented, lexical, statements, template
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.masking.mask import Masker, unpack

if TYPE_CHECKING:
    from dovetail import State
    from dovetail.vocabulary.vocabulary import Vocabulary

SETTINGS = settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
EXHAUSTIVE = Path(__file__).parents[1] / "exhaustive"
HOSTILE = hostile()
DOCUMENT = '{"é": [1, 2.5e+3, "\\u00e9𝒳"], "b": {"c": null, "d": [[]]}}\n'


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the masks of these tests are kept."""
    return tmp_path_factory.mktemp("masks")


@pytest.fixture(name="python", scope="module")
def _python(folder: Path) -> Masker:
    """Return masks for Python over the hostile vocabulary."""
    return Masker(dovetail.load_language("python", target=TARGET), HOSTILE, folder)


@pytest.fixture(name="json", scope="module")
def _json(folder: Path) -> Masker:
    """Return masks for JSON over the hostile vocabulary."""
    return Masker(dovetail.load_language("json"), HOSTILE, folder)


def one_by_one(state: State, tokens: Vocabulary) -> set[int]:
    """Return the tokens that a state can be advanced by, each asked for by itself."""
    return {
        token for token, piece in enumerate(tokens.pieces) if piece is not None and state.advance(piece) is not None
    }


def check(masker: Masker, state: State) -> None:
    """Compare a mask with what asking one by one gives."""
    masked = set(np.flatnonzero(unpack(masker.mask(state))).tolist())
    expected = one_by_one(state, masker.vocabulary)

    pieces = masker.vocabulary.pieces
    assert {token: pieces[token] for token in masked ^ expected} == {}


@pytest.mark.parametrize(("left", "right"), STANDS)
def test_awkward_places(python: Masker, left: str, right: str) -> None:
    """In strings, fields, comments, brackets and indentation, after backslashes, at ends, in what fits nothing."""
    check(python, python.language.quotient(left, right).start)


@SETTINGS
@given(number=st.integers(0, 40), tokens=st.data())
def test_along_middles(python: Masker, number: int, tokens: st.DataObject) -> None:
    """The next mask is exact too wherever the tokens of a mask lead to; halves of characters among them."""
    case = make_case(3, number, mutate=False, largest=600)
    state: State = python.language.quotient(case.left, case.right).start
    for _ in range(3):
        check(python, state)
        allowed = np.flatnonzero(unpack(python.mask(state)))
        if not len(allowed):
            break
        piece = HOSTILE.pieces[allowed[tokens.draw(st.integers(0, len(allowed) - 1))]]
        assert piece is not None
        following = state.advance(piece)
        assert following is not None
        state = following


@SETTINGS
@given(place=st.integers(0, len(DOCUMENT.encode())), width=st.integers(0, 12), cut=st.integers(0, 12))
def test_json(json: Masker, place: int, width: int, cut: int) -> None:
    """At any cut of a document, after any of its bytes, where what follows leaves little choice."""
    data = DOCUMENT.encode()
    start = len(data[:place].decode(errors="ignore"))
    end = max(start, len(data[: place + width].decode(errors="ignore")))
    state: State | None = json.language.quotient(DOCUMENT[:start], DOCUMENT[end:]).start
    assert state is not None
    state = state.advance(DOCUMENT[start:end].encode()[:cut])
    if state is not None:
        check(json, state)


@pytest.mark.parametrize(
    ("name", "alphabet", "length"),
    [
        ("arithmetic", arithmetic.ALPHABET, 4),
        ("template", template.ALPHABET, 3),
        ("indented", indented.FULL_ALPHABET, 3),
        ("lexical", lexical.ALPHABET, 4),
        ("statements", statements.ALPHABET, 4),
    ],
)
def test_small_languages(name: str, alphabet: str, length: int, folder: Path) -> None:
    """Every token over a small alphabet, at many places between random texts, in languages made of traps."""
    random = Random(name)
    pieces = ["".join(parts) for size in range(length + 1) for parts in product(alphabet, repeat=size)]
    if len(pieces) > 1_500:
        pieces = pieces[:200] + random.sample(pieces[200:], 1_300)
    masker = Masker(
        dovetail.load_language(EXHAUSTIVE / f"{name}.lark"),
        vocabulary([None, *(piece.encode() for piece in pieces), None]),
        folder,
    )
    for _ in range(60):
        left, right = ("".join(random.choices(alphabet, k=random.randint(0, 6))) for _ in range(2))
        check(masker, masker.language.quotient(left, right).start)


def test_what_was_learnt_elsewhere_holds(python: Masker) -> None:
    """A mask that rests on what other texts taught is that of masks that know nothing yet."""
    case = make_case(3, 41, mutate=False, largest=600)
    fresh = Masker(python.language, HOSTILE, python.class_cache.folder)
    state: State | None = python.language.quotient(case.left, case.right).start
    for character in case.middle[:40]:
        assert state is not None
        fresh.forget()

        assert python.mask(state).tolist() == fresh.mask(state).tolist()
        state = state.advance(character)


def test_special_tokens_holes_and_padding_are_never_allowed(python: Masker) -> None:
    """An id without bytes is never in the mask, and the mask is as long as the vocabulary."""
    count = len(HOSTILE.pieces)
    nothing = [token for token, piece in enumerate(HOSTILE.pieces) if piece is None]
    for left, right in STANDS:
        mask = python.mask(python.language.quotient(left, right).start)

        assert mask.shape == ((count + 7) // 8,)
        assert mask.dtype == np.uint8
        assert not unpack(mask)[nothing].any()
        assert not unpack(mask)[count:].any()


def test_the_lowest_bit_comes_first(python: Masker) -> None:
    """Token t is bit t % 8, counted from the lowest, of byte t // 8."""
    state = python.language.quotient("x = ", "\n").start
    mask = python.mask(state).tolist()

    bits = {token for token in range(len(HOSTILE.pieces)) if mask[token // 8] >> token % 8 & 1}
    assert bits == one_by_one(state, HOSTILE)


def test_a_mask_is_the_callers_own(python: Masker) -> None:
    """Writing on a mask spoils no other."""
    state = python.language.quotient("x = ", "\n").start
    kept = python.mask(state).tolist()
    python.mask(state)[:] = 0

    assert python.mask(state).tolist() == kept
