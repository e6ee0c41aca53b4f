"""The habits of a description: what they are read as, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dovetail.grammar.errors import GrammarError
from dovetail.grammar.habits import NO_HABITS, Habits, habits_of, read_habits
from dovetail.grammar.layers import grammar_folder, read_header

HERE = Path("mine.toml")
MODES = frozenset({"tag", "closing_tag"})
ELEMENTS = {"tag": "<(?P<end>/?)(?P<name>x*)", "opened": "tag", "closing": "closing_tag", "end": ">"}


def read(**header: Any) -> Habits:
    return read_habits(HERE, header, MODES)


def test_habits_of_all_grammars_survive_the_cache() -> None:
    """A language that was kept on disk says the same."""
    for path in grammar_folder().glob("*.toml"):
        header = read_header(path)
        habits = read_habits(path, header, frozenset(mode.get("name", "") for mode in header.get("modes", [])))

        assert habits_of(habits.plain()) == habits


def test_a_layer_has_the_quotes_of_all_layers() -> None:
    """Those of JSX stand beside those of JavaScript, and TypeScript with JSX has both."""
    for name in ("javascriptreact", "typescriptreact"):
        header = read_header(grammar_folder() / f"{name}.toml")

        assert len(header["quotes"]) == 2
        assert header["terminator"]["sign"] == ";"


def test_a_description_without_habits_has_none() -> None:
    """All habits may be left out."""
    assert read() == NO_HABITS


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"quotes": [{}]}, "`kinds`"),
        ({"quotes": [{"kinds": ["'"]}]}, "two characters or more"),
        ({"quotes": [{"kinds": ["'", '"""']}]}, "two characters or more"),
        ({"quotes": [{"kinds": ["'", '"'], "after": "("}]}, "`after` is no regular expression"),
        ({"terminator": {"sign": ";"}}, "wrong form"),
        ({"terminator": {"sign": ";", "statement": "x", "written": "(", "left_out": ""}}, "`written` is no regular"),
        ({"elements": {**ELEMENTS, "opened": "other"}}, "the mode `other`"),
        ({"elements": {**ELEMENTS, "tag": "<"}}, "lacks a group"),
        ({"elements": {**ELEMENTS, "more": 1}}, "wrong form"),
    ],
)
def test_a_wrong_habit_is_named(header: dict[str, Any], words: str) -> None:
    """The message says which one, and in which file."""
    with pytest.raises(GrammarError) as caught:
        read(**header)

    assert words in str(caught.value)
    assert str(caught.value).startswith("mine.toml: ")
