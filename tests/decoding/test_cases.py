"""The ends of completions, by cases; see `case_files.py`."""

from __future__ import annotations

import ast
import json
from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.decoding.case_files import FOLDER, Case, read_case
from tests.decoding.scripted_proposer import ScriptedProposer, writes

import dovetail
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CASES = sorted(FOLDER.glob("*.case"))


@cache
def language(name: str, target: str | None = None) -> dovetail.Language:
    return dovetail.load_language(name, target=target or ("3.12" if name == "python" else None))


def limits(case: Case) -> Limits:
    return Limits(
        max_tokens=int(case.settings.get("max_tokens", "60")),
        shape=Shape(case.settings.get("shape", "auto")),
        min_characters=int(case.settings.get("min_characters", "1")),
        seconds=float(case.settings["seconds"]) if "seconds" in case.settings else None,
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_completion_stops_there(path: Path) -> None:
    """The part that is shown of what the model would write is the case's, and so is the reason."""
    case = read_case(path)
    extra = sorted(set(case.pieces))
    held = Prompts(ScriptedProposer(extra)).build(case.left, case.right, 60).held
    proposer = ScriptedProposer(
        extra,
        writes(*case.pieces, then_ends=case.ends, held=held),
        chances={len(held) + place: chance for place, chance in case.chances.items()},
    )
    name = case.settings.get("language", "python")
    read = language(name, case.settings.get("target"))

    request = Request(
        case.left,
        case.right,
        lambda: read.quotient(case.left, case.right),
        limits(case),
        typing=case.settings.get("typing") == "yes",
        eager=case.settings.get("trigger") == "eager",
    )
    completion = Decoder(proposer).complete(request)

    assert (completion.text, completion.stop.name.lower()) == (case.text, case.stop)
    if completion.text is not None:
        whole = case.left + completion.text + case.right
        # Our own parser where the one that runs here is of another version.
        parsers: dict[str, Callable[[str], object]] = {"python": ast.parse, "json": json.loads}
        judge = read.accepts if "target" in case.settings else parsers.get(name, read.accepts)
        assert judge(whole) not in (None, False)


def test_there_are_cases() -> None:
    """Every reason to stop by syntax or repetition has a case."""
    stops = {read_case(path).stop for path in CASES}

    assert stops >= {
        "line",
        "statement",
        "block",
        "enclosure",
        "following",
        "repetition",
        "short",
        "end",
        "word",
        "invented",
    }
    assert stops >= {"finished", "prose", "unsure", "gain"}
