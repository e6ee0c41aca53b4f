"""Mistakes in a description: they are read, kept, and refused where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from dovetail.grammar.errors import GrammarError
from dovetail.grammar.layers import read_header
from dovetail.grammar.library import find_grammar, languages
from dovetail.grammar.mistakes import NO_MISTAKES, mistakes_of, read_mistakes

HERE = Path("mine.toml")


def test_what_is_kept_is_what_was_read() -> None:
    """The values that the disk cache holds make the same mistakes again; a description without any has none."""
    table = {
        "meant": {"&&": "and"},
        "forms": [{"pattern": r"(\w)\+\+", "write": r"\1 += 1"}, {"pattern": "#", "write": "", "words": "no comments"}],
        "forms_of_dialects": [{"pattern": "@", "write": "", "words": "a dialect", "is_block": True, "parts": "/"}],
        "closed_by": {"if": "end"},
        "goes_on": {"do": ["for", "while"]},
        "last": ["return"],
        "labels_with": {"select": "<-"},
        "statements": ["print"],
        "values": ["null"],
        "declares": ["let"],
        "types": ["int"],
        "between": ["in"],
        "whole": "one value is all",
        "names": "camel",
        "inside": {"PRIVATE": ["class_body"]},
        "newer": [{"version": "2", "words": "`x` needs", "pattern": "x"}],
    }
    found = read_mistakes(HERE, {"mistakes": table, "versions": ["1", "2"]})

    assert found.meant == {"&&": "and"}
    assert [form.words for form in found.forms] == ["a dialect", "", "no comments"]
    assert found.goes_on == {"do": ("for", "while")}
    assert found.last == ("return",)
    assert found.statements == ("print",)
    assert (found.values, found.declares) == (("null",), ("let",))
    assert (found.types, found.between) == (("int",), ("in",))
    assert (found.whole, found.names) == ("one value is all", "camel")
    assert found.inside == {"PRIVATE": ("class_body",)}
    assert mistakes_of(found.plain()) == found
    assert read_mistakes(HERE, {}) == NO_MISTAKES


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"ment": {}}, "mine.toml: [mistakes] has the unknown key `ment`; known are "),
        ({"values": "null"}, "mine.toml: [mistakes] has `values` = 'null'; write a list of words, as in ['word']."),
        ({"types": ["a b"]}, "mine.toml: [mistakes] has `types` = ['a b']; write a list of words, as in ['word']."),
        ({"names": "kebab"}, "mine.toml: [mistakes] has `names` = 'kebab'; write one of camel, snake."),
        ({"newer": [{"version": "2", "words": "x"}]}, "mine.toml: [[mistakes.newer]] lacks `pattern`; add it."),
        (
            {"newer": [{"version": "3", "words": "x", "pattern": "x"}]},
            "mine.toml: [[mistakes.newer]] names version 3; name one of `versions`.",
        ),
        (
            {"newer": [{"version": "2", "words": "x", "pattern": "("}]},
            "mine.toml: `pattern` of 'x' is no regular expression: ",
        ),
        ({"forms": [{"pattern": "x"}]}, "mine.toml: [[mistakes.forms]] lacks `write`; add it."),
        (
            {"forms": [{"pattern": "x", "write": "y", "is_braced": True}]},
            "mine.toml: a form with `is_braced` lacks `words`; add what a message says of it.",
        ),
        (
            {"forms": [{"pattern": "x", "write": "y", "is_complete": True}]},
            "mine.toml: a form with `is_complete` lacks `words`; add what a message says of it.",
        ),
        (
            {"forms": [{"pattern": "try", "write": "", "is_block": True}]},
            "mine.toml: a form with `is_block` lacks `words`; add what a message says of it.",
        ),
        (
            {"forms": [{"pattern": "try", "write": "", "words": "no try", "is_block": True, "parts": "(catch"}]},
            "mine.toml: `pattern` of 'no try' is no regular expression: ",
        ),
        (
            {"forms": [{"pattern": "(x", "write": "y"}]},
            "mine.toml: `pattern` of 'y' is no regular expression: ",
        ),
        (
            {"forms": [{"pattern": "x", "write": r"\1"}]},
            r"mine.toml: `pattern` of '\\1' is no regular expression: ",
        ),
    ],
)
def test_a_wrong_description(table: dict[str, object], message: str) -> None:
    """A wrong entry is refused in one sentence that names the file and the entry."""
    with pytest.raises(GrammarError) as raised:
        read_mistakes(HERE, {"mistakes": table, "versions": ["1", "2"]})

    assert str(raised.value).startswith(message)


def test_the_descriptions_of_dovetail() -> None:
    """The text that is meant is another one than the text written, and words that go on with others open something."""
    for name in languages():
        path = find_grammar(name).with_suffix(".toml")
        mistakes = read_mistakes(path, read_header(path))
        assert all(written != meant for written, meant in mistakes.meant.items())
        assert {word for words in mistakes.goes_on.values() for word in words} <= mistakes.closed_by.keys()
