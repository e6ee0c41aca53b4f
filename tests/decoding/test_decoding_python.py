"""Decoding with the real engine: models that know nothing at random cuts of real files."""

from __future__ import annotations

import ast
import random
import warnings
from pathlib import Path

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, at_random

import dovetail
from dovetail.decoding.completion import EMPTY, Stop
from dovetail.decoding.decoder import complete
from dovetail.decoding.limits import Limits

TEXT = (Path(__file__).parent.parent / "examples" / "schedule.py").read_text(encoding="utf-8")

PIECES = [
    b"    ", b"\n    ", b"\n        ", b":\n", b"()", b"(", b")", b"return", b"for ", b" in ", b"if ",
    b"else", b"lambda", b" = ", b"task", b"'", b'"""', b"f'{", b"# ", b"[", b"{", b"match ",
    b"\n\n", b"\\\n", b"def ",
]  # fmt: skip


def cut(seed: int) -> tuple[str, str]:
    """Return a real file without some of its characters."""
    chance = random.Random(seed)
    start = chance.randrange(len(TEXT))
    return TEXT[:start], TEXT[start + chance.randrange(40) :]


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.11")


@pytest.mark.parametrize("budget", [3, 8, 20])
@pytest.mark.parametrize("seed", range(8))
def test_the_outcome_parses(seed: int, budget: int, language: dovetail.Language) -> None:
    """CPython accepts the whole whatever the model wants, or nothing is offered that the model did not write."""
    left, right = cut(seed)
    proposer = ScriptedProposer(PIECES, at_random(seed))

    completion = complete(proposer, lambda: language.quotient(left, right), left, right, Limits(max_tokens=budget))

    if completion.text is None:
        assert completion.stop in {Stop.TOO_LONG, Stop.INVENTED, Stop.REST_OF_LINE, Stop.WRONG_LINE, *EMPTY}
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(left + completion.text + right, feature_version=(3, 11))
        assert completion.tokens <= budget
