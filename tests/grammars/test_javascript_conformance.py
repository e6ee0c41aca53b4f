"""The conformance suite that `test262-parser-tests` ships, where `make javascript-parsers` has fetched it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from tests.languages import shared_language
from tests.oracles.javascript.parsers import CONFORMANCE, verdicts

REASONS = {"yield": r"\byield\b", "let": r"\blet\b"}
"""Reasons to refuse a program, as grammars/README.md lists them → what it then holds; the first that fits counts."""
REFUSED = {"pass": {"yield": 29, "let": 16}, "pass-explicit": {"yield": 29, "let": 13}}
"""Folder → number of its programs that are refused, by reason."""
ACCEPTED = {
    "early": 31,  # errors that depend on names, on strict mode or on the inside of a literal
    "program": 24,  # with the other goal, or where `return`, `yield` and `await` may stand
    "undecided": 1,
    "`yield` outside of generators": 7,
}
"""Reason → number of texts that are accepted for it, although the suite calls them no programs."""
SYNTAX = {
    "`yield` outside of generators": "Unexpected token",
}


def texts(folder: str) -> list[str]:
    """Return the texts of one folder of the suite, or skip the test that asks."""
    found = [path.read_bytes().decode() for path in sorted((CONFORMANCE / folder).glob("*.js"))]
    if not found:
        pytest.skip("no conformance suite at hand; `make javascript-parsers` fetches it")
    return found


@pytest.mark.parametrize("folder", REFUSED)
def test_programs_are_read(folder: str) -> None:
    """A program of the suite is accepted unless it needs one of the forms that are listed as not read."""
    language = shared_language("javascript")
    refused = [text for text in texts(folder) if not language.accepts(text)]
    reasons = Counter(
        next((reason for reason, pattern in REASONS.items() if re.search(pattern, text)), text) for text in refused
    )

    assert dict(reasons) == REFUSED[folder]


def test_texts_that_are_no_programs_are_refused() -> None:
    """Of the texts that are no programs only those are accepted whose reason grammars/README.md lists."""
    language = shared_language("javascript")
    accepted = [text for text in texts("fail") if language.accepts(text)]
    reasons: Counter[str] = Counter()
    for verdict in verdicts("next anywhere", accepted):
        if verdict.accepted is not False:
            reasons["program" if verdict.accepted else "undecided"] += 1
        elif verdict.error.startswith("early "):
            reasons["early"] += 1
        else:
            reasons[next(reason for reason, words in SYNTAX.items() if re.search(words, verdict.error))] += 1

    assert dict(reasons) == ACCEPTED
