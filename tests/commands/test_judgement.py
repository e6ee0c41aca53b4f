"""The verdicts of the languages' own parsers."""

from __future__ import annotations

import platform
from dataclasses import replace
from functools import partial

import pytest

from dovetail import load_language
from dovetail.commands.judgement import judge, objection
from dovetail.grammar.facts import Oracle
from dovetail.grammar.library import languages
from dovetail.grammar.oracle import verdict


def never(text: str) -> str | None:
    """Fail: this language has a parser of its own."""
    raise AssertionError(text)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("x = 1\n", True),
        ("", True),
        ("x = (\n", False),
        ("if 1 is 2: '\\d'", True),
        ("\0", False),
        ("(" * 1000 + ")" * 1000, False),
        ("-" * 100_000 + "1", False),
    ],
)
def test_python_is_judged_by_the_running_interpreter(text: str, accepted: bool) -> None:
    """`ast.parse` decides; what it warns of is accepted, and no text makes it raise."""
    judgement = judge("python", text, never)

    assert judgement.parser == f"ast.parse of Python {platform.python_version()}"
    assert judgement.accepted == accepted
    assert (judgement.error == "") == accepted


@pytest.mark.parametrize(
    ("text", "accepted"),
    [('{"a": [1]}', True), ("", False), ("[1,]", False), ("NaN", False), ("[" * 200_000, False)],
)
def test_json_is_judged_by_the_standard_library(text: str, accepted: bool) -> None:
    """`json.loads` decides, less the constants that are not JSON."""
    judgement = judge("json", text, never)

    assert (judgement.parser, judgement.accepted) == ("json.loads", accepted)


def test_other_languages_are_judged_by_the_engine() -> None:
    """A language without a parser at hand is judged by Dovetail's own, and the verdict says so, with the place."""
    own = partial(objection, load_language("lua"))

    judgement, refused = (judge("lua", text, own) for text in ("x = 1\n", "x = 1\ny = (\n"))

    assert (judgement.parser, judgement.accepted, judgement.error) == ("Dovetail's own parser for Lua", True, "")
    assert (refused.accepted, refused.error) == (False, "line 2, column 5: `(` is never closed")


@pytest.mark.parametrize(("version", "parser"), [("3.8", "Dovetail's own parser for Python 3.8"), (None, "ast.parse")])
def test_a_refusal_by_another_version_is_no_verdict(version: str | None, parser: str) -> None:
    """A text for another version than that of the parser at hand is right if Dovetail accepts it in its version."""
    judgement = judge("python", "no program", lambda _: None, version)

    assert judgement.parser.startswith(parser)
    assert judgement.accepted == (version is not None)


def test_a_parser_that_is_not_installed_leaves_the_verdict_to_dovetails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A description may name a parser that not everybody has; nothing fails for that."""
    known = languages()["json"]
    for call, callbacks in (("no_such_module:parse", {}), ("json:no_such_name", {}), ("json:loads", {"hook": "no:x"})):
        oracle = Oracle(call, callbacks=callbacks)
        described = replace(known, oracle=oracle)
        monkeypatch.setattr("dovetail.commands.judgement.languages", lambda described=described: {"json": described})

        judgement = judge("json", "{}", lambda text: None if text == "{}" else "no")

        assert judgement.parser == "Dovetail's own parser for JSON"
        assert judgement.accepted
        assert verdict(oracle, "{}").accepted is None
