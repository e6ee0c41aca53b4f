"""The answers for the page: exact values for small grammars, and mistakes as sentences."""

from __future__ import annotations

import json
import os
from random import Random
from typing import TYPE_CHECKING, Any, cast

import pytest
from tests.suffix.contexts import JSON, PYTHON, contexts

import dovetail
from dovetail.grammar.library import languages
from dovetail.play.playground import LONGEST, Playground, RequestError, StartingText

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(name="grammar")
def _grammar(tmp_path: Path) -> Path:
    path = tmp_path / "nested.lark"
    path.write_text('start: "(" start ")" | "x"\n')
    return path


@pytest.fixture(name="nested")
def _nested(grammar: Path) -> Playground:
    return Playground(grammar)


def examine(playground: Playground, marked: str, language: str | None = None, **options: object) -> dict[str, Any]:
    """Return the answer for the place of the bar, as the page would read it."""
    left, right = marked.split("|")
    return examine_between(playground, left, right, language, **options)


def examine_between(
    playground: Playground, left: str, right: str, language: str | None = None, **options: object
) -> dict[str, Any]:
    """Return the answer for the place between two texts, as the page would read it."""
    name = str(playground.grammar) if language is None else language
    question = {"language": name, "left": left, "right": right, **options}
    return cast("dict[str, Any]", json.loads(json.dumps(playground.examine(question))))


def test_a_place_of_a_small_grammar(nested: Playground) -> None:
    """Everything that is said of `((|))`; the automaton is held by its own tests."""
    answer = examine(nested, "((|))")
    automaton = answer.pop("automaton")

    entries = [("$", "the whole text → • start the end of the text"), ("`(`", "start → `(` • start `)`")]
    assert answer == {
        "viable": True,
        "accepting": False,
        "fits": False,
        "is_line_wrong": False,
        "closing": "x",
        "refusal": None,
        "expected": [
            {"name": "`x`", "members": [{"name": "`x`", "text": "x"}]},
            {"name": "`(`", "members": [{"name": "`(`", "text": "("}]},
        ],
        "boundary": {"pending": ["`(`"], "outcome": "ends", "crossing": []},
        "stacks": {
            "stacks": [
                [
                    {"node": number, "state": number, "symbol": symbol, "items": [item], "column": 0}
                    for number, (symbol, item) in enumerate(entries)
                ]
            ],
            "hidden": [0],
            "count": 1,
        },
        "omissions": [],
        "faults": [{"offset": 2, "line": 1, "column": 3, "message": "`)` does not fit here; expected `x` or `(`"}],
    }
    assert automaton["columns"] == [
        {"terminal": "`)`", "text": ")"},
        {"terminal": "`)`", "text": ")"},
        {"terminal": "the end of the text", "text": ""},
    ]
    assert [entry["symbol"] for entry in automaton["run_stack"]] == ["$", "`(`", "`(`", "start"]
    assert len(automaton["states"]) == automaton["total"] == len(automaton["run"]) == 3


def test_a_program_as_it_stands(nested: Playground) -> None:
    """A program needs no closing and has no faults."""
    answer = examine(nested, "(x|)")

    assert (answer["fits"], answer["accepting"], answer["closing"], answer["faults"]) == (True, True, "", [])


def test_nothing_fits(nested: Playground) -> None:
    """The reason is said if nothing fits, and the page is given something to show all the same."""
    answer = examine(nested, "x(|)")

    assert (answer["viable"], answer["closing"], answer["expected"]) == (False, None, [])
    assert answer["refusal"] == "line 1, column 2: `(` does not fit here; expected nothing more"


@pytest.mark.parametrize(("name", "pieces", "count"), [("python", PYTHON, 40), ("json", JSON, 200)])
def test_what_is_said_of_any_text(name: str, pieces: list[str], count: int) -> None:
    """A random text fits if the language accepts it, else it has faults; what is offered can be inserted."""
    playground, language = Playground(), dovetail.load_language(name)
    fitting = 0
    for left, _, right in contexts(pieces, Random(f"play {name}"), count):
        answer = examine_between(playground, left, right, name)

        assert answer["fits"] == language.accepts(left + right) == (not answer["faults"])
        if not answer["omissions"] and answer["closing"] is not None:
            assert language.accepts(left + answer["closing"] + right)
        quotient = language.quotient(left, right)
        for member in (member for each in answer["expected"] for member in each["members"]):
            assert quotient.start.advance(member["text"]) is not None
        fitting += answer["fits"]
    assert fitting > 2


def test_a_long_text() -> None:
    """A text of which not all is read at first is judged as a whole."""
    lines = "a = 1\n" * 7_000
    playground = Playground()

    answers = [examine(playground, f"|{lines}{end}", "python") for end in ("b\n", "b = = 1\n")]

    assert [answer["fits"] for answer in answers] == [True, False]
    assert [part["unread"] for part in answers[0]["omissions"]] == [True]


def test_lines_that_are_left_out() -> None:
    """A broken line elsewhere is left out, with its place, and reported as a mistake."""
    answer = examine(Playground(), "a = = 1\nb = [1, |]\n", "python")

    assert answer["viable"]
    assert answer["accepting"]
    assert not answer["fits"]
    assert answer["omissions"] == [
        {"start": 0, "end": 8, "first_line": 1, "last_line": 1, "instead": "", "unread": False}
    ]
    assert [(fault["line"], fault["column"]) for fault in answer["faults"]] == [(1, 5)]


def test_offsets_are_those_of_the_page() -> None:
    """Characters beyond the basic plane count two, as JavaScript counts them."""
    answer = examine(Playground(), '["😀" |2]', "json")

    assert [fault["offset"] for fault in answer["faults"]] == [6]
    assert answer["faults"][0]["column"] == 6
    assert answer["automaton"]["columns"][0] == {"terminal": "number", "text": "2"}


def test_what_may_come_next_is_in_classes() -> None:
    """A language's phrases name the classes, and their members are examples."""
    answer = examine(Playground(), "[1, |]", "json")

    assert [each["name"] for each in answer["expected"]] == ["a value"]
    assert {"name": "string", "text": '""'} in answer["expected"][0]["members"]


def test_what_stands_only_in_classes_is_no_member_elsewhere() -> None:
    """A phrase names its terminals though one of them, a private name, is not shown outside of classes."""
    playground = Playground()
    for text, is_shown in (("const a = |", False), ("class A { f() { a(|", True)):
        expected = examine(playground, text, "javascript")["expected"]
        [expression] = [each for each in expected if each["name"] == "an expression"]
        assert ("private name" in [member["name"] for member in expression["members"]]) == is_shown


@pytest.mark.parametrize(
    ("text", "taken", "refused", "by", "accepting"),
    [
        ("x", "x", "", None, True),
        ("(x)", "(x)", "", None, True),
        ("(", "(", "", None, False),
        ("x)", "x", ")", "right", True),
        ("(a)", "(", "a)", "left", False),
        ("", "", "", None, False),
    ],
)
def test_a_text_that_is_tried(
    nested: Playground, text: str, taken: str, refused: str, by: str | None, accepting: bool
) -> None:
    """The part that fits, the part that is refused, and the context that refuses it."""
    answer = nested.try_text({"language": str(nested.grammar), "left": "((", "right": "))", "text": text})

    assert [answer[key] for key in ("taken", "refused", "by", "accepting")] == [taken, refused, by, accepting]


def test_what_was_expected_instead(nested: Playground) -> None:
    """A refused text is answered with what may stand at its place, and with the closing from there."""
    answer = nested.try_text({"language": str(nested.grammar), "left": "((", "right": "))", "text": "(a"})

    assert [each["name"] for each in cast("list[dict[str, str]]", answer["expected"])] == ["`x`", "`(`"]
    assert answer["closing"] == "x)"


def test_a_closing_takes_no_text_into_a_comment() -> None:
    """A line that only a comment could mend is called wrong; once the user has begun the comment, it may be closed."""
    playground = Playground()
    question = {"language": "python", "left": "try:\n    a()\n", "right": ") b\n"}

    answer = examine_between(playground, question["left"], question["right"], "python")
    tried = [playground.try_text({**question, "text": text}) for text in ("except:", "except: #")]

    assert (answer["viable"], answer["is_line_wrong"], answer["closing"]) == (True, True, None)
    assert [each["refused"] for each in tried] == ["", ""]
    assert tried[1]["closing"] is not None


def test_an_element_ends_by_its_name() -> None:
    """The closing names the elements that are open at the cursor, and one that the tried text opens."""
    playground = Playground()
    question = {"language": "javascriptreact", "left": "const a = <b>", "right": "", "text": "<i>x"}

    assert examine(playground, "const a = <b>|", "javascriptreact")["closing"] == "</b>"
    assert playground.try_text(question)["closing"] == "</i></b>"


def test_a_text_is_tried_where_nothing_fits(nested: Playground) -> None:
    """Nothing is taken, and the context that stands in the way is named."""
    answer = nested.try_text({"language": str(nested.grammar), "left": "x(", "right": "", "text": "x"})

    assert (answer["viable"], answer["taken"], answer["by"]) == (False, "", "left")


def test_answers_do_not_depend_on_what_was_asked_before(nested: Playground) -> None:
    """The text last asked about is edited, and the answers are those for a new one."""
    marked = ["(|)", "((|))", "((x|))", "x|", "(|", "|", "((|)", "((|))"]

    answers = [examine(nested, text) for text in marked]

    for text, answer in zip(marked, answers, strict=True):
        alone = examine(Playground(nested.grammar), text)
        assert {key: answer[key] for key in ("fits", "closing", "expected")} == {
            key: alone[key] for key in ("fits", "closing", "expected")
        }


def test_a_grammar_that_changes(nested: Playground, grammar: Path) -> None:
    """A changed grammar is read anew; one that is wrong is a sentence, and the next right one is taken again."""
    assert examine(nested, "(|)")["closing"] == "x"

    grammar.write_text('start: "(" start ")" | "yy"\n')
    os.utime(grammar, ns=(1, 1))
    assert examine(nested, "(|)")["closing"] == "yy"

    grammar.write_text("start: nothing\n")
    os.utime(grammar, ns=(2, 2))
    assert "nothing" in examine(nested, "(|)")["grammar_error"]

    grammar.write_text('start: "z"\n')
    os.utime(grammar, ns=(3, 3))
    assert examine(nested, "|")["closing"] == "z"


def test_the_languages_that_are_offered(nested: Playground, grammar: Path) -> None:
    """The user's own comes first, then all built-in ones, each with its versions and its sample."""
    offered = cast("list[dict[str, Any]]", nested.languages()["languages"])

    assert offered[0] == {
        "name": str(grammar), "title": "nested", "versions": [], "version": None, "left": "", "right": "",
    }  # fmt: skip
    assert [each["name"] for each in offered[1:]] == list(languages())
    python = next(each for each in offered if each["name"] == "python")
    assert python["version"] == languages()["python"].versions[-1] == python["versions"][0]
    assert python["left"] == cast("tuple[str, str]", languages()["python"].sample)[0]
    assert nested.languages()["start"] is None


def test_every_built_in_language_answers() -> None:
    """Each language has a sample, and something fits at its place."""
    playground = Playground()
    for offered in cast("list[dict[str, Any]]", playground.languages()["languages"]):
        place = {"language": offered["name"], **{key: offered[key] for key in ("version", "left", "right")}}

        assert offered["left"], offered["name"]
        assert playground.examine(place)["viable"], offered["name"]


def test_the_text_to_begin_with() -> None:
    """The page is told with which text to begin: without one, with the sample of the language that runs here."""
    start = StartingText("json", "[", "]")
    usual = cast("dict[str, str]", Playground().languages()["start"])

    assert usual["language"] == "python"
    assert (usual["left"], usual["right"]) == languages()["python"].sample
    assert Playground(start=start).languages()["start"] == {"language": "json", "left": "[", "right": "]"}


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({}, "The request has no text `left`."),
        ({"left": "", "right": 1}, "The request has no text `right`."),
        ({"left": "", "right": "", "language": "cobol"}, "The language `cobol` is not offered here."),
        ({"left": "", "right": "", "language": "/etc/passwd"}, "The language `/etc/passwd` is not offered here."),
        (
            {"left": "x" * LONGEST, "right": "x", "language": "json"},
            "The text is longer than 50,000 characters: shorten it.",
        ),
    ],
)
def test_requests_of_another_form(request_: dict[str, object], sentence: str) -> None:
    """A request that the page would not send is refused with one sentence; no file is opened for it."""
    with pytest.raises(RequestError) as caught:
        Playground().examine(request_)

    assert str(caught.value) == sentence


def test_an_unknown_version() -> None:
    """A version that the language does not have is said as a mistake of the grammar's."""
    answer = examine(Playground(), "|", "json", version="7")

    assert "There is no version 7 of " in answer["grammar_error"]


def test_half_of_a_character() -> None:
    """A text with half of a surrogate pair, which a browser can send, is answered."""
    assert examine(Playground(), '["\ud83d|"]', "json")["viable"] in (True, False)
