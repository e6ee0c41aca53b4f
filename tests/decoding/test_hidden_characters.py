"""A text has no character that cannot be seen, unless its file has it."""

from __future__ import annotations

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes
from tests.languages import shared_language

from dovetail.decoding.decoder import Decoder
from dovetail.decoding.hidden_characters import is_hidden
from dovetail.decoding.limits import Limits
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request

_HIDDEN = ["\u2028", "\u2029", "\u202e", "\u2066", "\u200b", "\u00a0", "\u00ad", "\ufeff", "\ufffd", "\x0c", "\x1b"]
_RIGHT = "\nconst day = 1;\n"


def _written(left: str, *pieces: str | bytes) -> str:
    """Return what is shown where a model writes some pieces and then wants to end."""
    script = [piece.encode() if isinstance(piece, str) else piece for piece in pieces]
    extra = sorted(set(script))
    held = Prompts(ScriptedProposer(extra)).build(left, _RIGHT, 60).held
    proposer = ScriptedProposer(extra, writes(*script, then_ends=True, held=held))
    quotient = shared_language("javascript").quotient(left, _RIGHT)
    completion = Decoder(proposer).complete(Request(left, _RIGHT, lambda: quotient, Limits(max_tokens=40)))
    assert completion.text is not None
    return completion.text


@pytest.mark.parametrize("character", _HIDDEN)
def test_a_hidden_character_is_refused(character: str) -> None:
    """That of a text or comment, too, as a token, within one, and in bytes one after the other."""
    assert is_hidden(character)
    for left in ("// a ", 'a = "'):
        for pieces in (["b", character, "c"], ["b", f"d{character}c"], ["b", *map(_byte, character.encode()), "c"]):
            written = _written(left, *pieces)
            assert written.startswith("b")
            assert character not in written


@pytest.mark.parametrize("character", ["é", "日", "👩", "–", "\t"])
def test_other_characters_are_taken(character: str) -> None:
    """They are seen, in whatever script."""
    assert not is_hidden(character)
    assert _written("// a ", "b", character, "c") == f"b{character}c"


def test_a_character_of_the_file_is_taken() -> None:
    """One near the cursor was wanted there."""
    assert _written("// a\u00a0b ", "b", "\u00a0", "c") == "b\u00a0c"


def _byte(value: int) -> bytes:
    return bytes([value])
