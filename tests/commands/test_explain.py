"""`dovetail explain`: what it says of a place, to people and to programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import dovetail
from dovetail.__main__ import main
from dovetail.commands.explain import _expected
from dovetail.decoding.completion import Stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(name="explain")
def _explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Return a function that explains the place of the bar in a text; it returns exit code and what was printed."""

    def explain(marked: str, *arguments: str, name: str = "file.py") -> tuple[int, str]:
        path = tmp_path / name
        left, right = marked.split("|")
        path.write_bytes((left + right).encode())
        line, column = left.count("\n") + 1, len(left) - (left.rfind("\n") + 1) + 1
        code = main(["explain", *arguments, f"{path}:{line}:{column}"])
        printed = capsys.readouterr()
        assert printed.err == ""
        return code, printed.out.replace(str(path), name)

    return explain


@pytest.fixture(name="explained")
def _explained(explain: Callable[..., tuple[int, str]]) -> Callable[..., dict[str, Any]]:
    """Return a function that returns the JSON object about the place of the bar."""

    def explained(marked: str, *arguments: str, name: str = "file.py") -> dict[str, Any]:
        code, out = explain(marked, "--json", *arguments, name=name)
        found: dict[str, Any] = json.loads(out)
        assert code == (0 if found["viable"] else 1)
        assert found["version"] == 1
        return found

    return explained


def test_an_element_ends_by_its_name(explain: Callable[..., tuple[int, str]]) -> None:
    """The shortest text names the elements that are open at the cursor, as `dovetail check` wants them."""
    _, out = explain("const a = <b><i>x|", name="a.jsx")

    assert "the shortest text that makes it one: '</i></b>'" in out


def test_what_people_read(explain: Callable[..., tuple[int, str]]) -> None:
    """The place is shown, then the closing, what may come with examples, and how the texts meet."""
    code, out = explain('{"a": [1, |}', name="x.json")

    assert code == 0
    assert out.splitlines() == [
        "x.json",
        '    1 | {"a": [1, }',
        "      |           ^",
        "",
        "It is no program yet; the shortest text that makes it one: '0]'",
        "What may come next:",
        "  number  such as '0'",
        "  string  such as '\"\"'",
        "  false  null  true",
        "  [  {",
        "No word, number or text is open at the cursor.",
    ]


@pytest.mark.parametrize(
    ("marked", "name", "line"),
    [
        ("total| = 1\n", "file.py", "name may go on with '0'"),
        ("x = |\n", "file.py", "name such as 'x'"),
        ('{"a": 1|}', "file.json", "number may go on with 'e0'"),
        ('{"a": |}', "file.json", "number such as '0'"),
    ],
)
def test_the_rest_of_what_is_begun_is_no_example(
    explain: Callable[..., tuple[int, str]], marked: str, name: str, line: str
) -> None:
    """A text that goes on with a begun name or number is said to, and is called no name and no number."""
    assert line in [" ".join(shown.split()) for shown in explain(marked, name=name)[1].splitlines()]


def test_soft_keywords_are_no_wall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Many keywords that are names too are a number beside the name; the others are listed, and JSON has all."""
    soft = " | ".join(f'"word{letter}"' for letter in "abcdefghij")
    grammar = tmp_path / "soft.lark"
    grammar.write_text(f'start: name "of" name\nname: NAME | {soft}\nNAME: /[a-z]+/\n%ignore / /\n')
    language = dovetail.load_language(grammar)

    def shown(left: str) -> list[str]:
        return [line.plain for line in _expected(language.quotient(left, "").expectations(), language.machine.compiled)]

    assert shown("") == ["What may come next:", "  name  such as 'x'; 10 keywords are names here too"]
    assert shown("a ") == ["What may come next:", "  of"]


def test_a_place_that_accepts(explain: Callable[..., tuple[int, str]]) -> None:
    """One sentence says that nothing need be inserted."""
    code, out = explain("x = 1| + 2\n")

    assert code == 0
    assert "It is a program as it is; nothing need be inserted." in out
    assert "What is begun at the cursor (number) ends there if nothing is inserted." in out


def test_a_place_in_a_broken_file_that_accepts(explain: Callable[..., tuple[int, str]]) -> None:
    """A file with a part that fits nothing is no program; what is kept of it may be one."""
    _, accepting = explain("x = 1| + 2\ny = )\n")
    _, unfinished = explain("x = |\ny = )\n")

    assert "What is kept of the file is a program as it is; nothing need be inserted." in accepting
    assert "What is kept of the file is no program yet; the shortest text that makes it one: " in unfinished


def test_a_lexeme_across_the_cursor(explained: Callable[..., dict[str, Any]]) -> None:
    """A name that goes on into the right text is told, with how much of it."""
    found = explained("print(va|lue)\n")

    assert found["seam"]["pending"] == ["name"]
    assert found["seam"]["outcome"] == "goes on"
    assert {"name": "name", "taken": "lue", "in_progress": True, "fits": True} in found["seam"]["joints"]


def test_a_new_lexeme_across_the_cursor(explained: Callable[..., dict[str, Any]]) -> None:
    """A string that begins in the middle and ends with the right text's quote is told as a new one."""
    found = explained("x = |']\n")

    assert {"name": "string", "taken": "'", "in_progress": False, "fits": False} in found["seam"]["joints"]
    assert found["closing"] == "['"


def test_what_falls_back(explained: Callable[..., dict[str, Any]]) -> None:
    """A number that was read too far falls back, and what follows it is expected."""
    found = explained("x = 0 if b == 1e|lse 2\n")

    assert found["seam"]["outcome"] == "falls back"
    assert found["accepting"]
    assert {"name": "`else`", "text": ""} in found["expected"]


def test_every_example_can_be_inserted(explained: Callable[..., dict[str, Any]]) -> None:
    """Each text that is given for what may come can be written there."""
    left, right = "def f(a):\n    return [a, ", "]\n\nf(1)\n"
    start = dovetail.load_language("python").quotient(left, right).start

    found = explained(f"{left}|{right}", "--target", "3.14")

    assert found["expected"]
    assert [entry for entry in found["expected"] if start.advance(entry["text"]) is None] == []


def test_a_left_text_that_is_wrong(explain: Callable[..., tuple[int, str]]) -> None:
    """A mistake before the cursor is shown with its place and what was expected there."""
    code, out = explain("if x:\n  pass\ny = ) |1\n")

    assert code == 1
    assert "Nothing fits here" in out
    assert "The text before the cursor is not the beginning of a program: line 3, column 5: `)` closes nothing." in out
    assert "\n    3 | y = ) 1\n      |     ^\n" in out
    assert "in progress" not in out


BROKEN = """\
import os

def a(x:
    return x

<<<<<<< ours
y = 1
=======
y = 2
>>>>>>> theirs
z = |os.path
"""


@pytest.mark.parametrize(
    ("marked", "arguments"),
    [
        (BROKEN, ()),
        ("def f(x) {\n    return x\n}\ny = |1\n", ()),
        ("match x:\n    case 1:\n        pass\ny = |1\n", ("--target", "3.9")),
        ("f(a, b\ny = 1\nz = ) |\n", ()),
    ],
)
def test_what_is_wrong_is_said_as_check_says_it(
    explain: Callable[..., tuple[int, str]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    marked: str,
    arguments: tuple[str, ...],
) -> None:
    """The place and the words are those of `dovetail check`, which reads the text behind the cursor too."""
    file = tmp_path / "checked.py"
    file.write_text(marked.replace("|", ""))
    main(["check", str(file), "--format", "json", *arguments])
    first = json.loads(capsys.readouterr().out)["faults"][0]
    _, out = explain(marked, *arguments)

    says = f"line {first['line']}, column {first['column']}: {first['message']}"
    assert f"The text before the cursor is not the beginning of a program: {says}" in out


def test_what_is_left_out(explain: Callable[..., tuple[int, str]]) -> None:
    """Lines that were left out elsewhere are named, and what is wrong with them."""
    code, out = explain("if x:\npass\ny = |1\n")

    assert code == 0
    assert "Left out, because it does not fit: line 1, 'if x:'." in out
    says = "line 2, column 1: expected an indented block below line 1"
    assert f"The text before the cursor is not the beginning of a program: {says}" in out


def test_what_is_missing(explain: Callable[..., tuple[int, str]]) -> None:
    """A line that is only put in is named as missing; no line of the file was left out for it."""
    _, out = explain("if x:\r\n    y\r\n  z\r\nw = |1\r\n")

    assert "Something is missing before line 3, which was read as if 'if _:' stood above it." in out
    assert "Left out" not in out


def test_a_right_text_that_is_wrong(
    explain: Callable[..., tuple[int, str]], explained: Callable[..., dict[str, Any]]
) -> None:
    """The text after the cursor is blamed if nothing goes with it."""
    # In a language of lines, those that fit nothing would be left out.
    code, out = explain('{"a": |} x', name="x.json")
    found = explained('{"a": |} x', name="x.json")

    assert code == 1
    assert "what stands after does not go with it." in out
    assert (found["viable"], found["closing"], found["expected"], found["fault"]) == (False, None, [], None)


@pytest.mark.parametrize("marked", ["try:\n    a()\n|) b\n", "def f(x):\n    y = |whlie True:\n    return y\n"])
def test_a_line_that_is_itself_wrong(
    explain: Callable[..., tuple[int, str]], explained: Callable[..., dict[str, Any]], marked: str
) -> None:
    """A line that only a comment could mend is called wrong, in the words of `dovetail complete`."""
    code, out = explain(marked)
    found = explained(marked)

    assert code == 1
    assert f"Nothing fits here: {Stop.WRONG_LINE.value}." in out
    assert "#" not in out
    assert (found["viable"], found["closing"], found["expected"]) == (False, None, [])


def test_what_may_come_leaves_the_rest_of_the_line(explained: Callable[..., dict[str, Any]]) -> None:
    """Before a rest of the line that fits, the closing is one that keeps it."""
    found = explained("try:\n    x = 1\n|e as b:\n    pass\n")

    assert found["closing"] == "except "


def test_a_wrong_left_text_for_programs(explained: Callable[..., dict[str, Any]]) -> None:
    """The JSON object holds the fault of the left text."""
    found = explained("x = (1 2 |)\n")

    assert (found["fault"]["line"], found["fault"]["column"], found["fault"]["found"]) == (1, 8, "2")


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("file.py", "file.py: a place is written FILE:LINE:COLUMN, as in `module.py:12:5`."),
        ("{folder}/file.py:9:1", "there is no line 9; the file has lines 1 to 2."),
        ("{folder}/file.txt:1:1", "no language is known for this file name; known are "),
    ],
)
def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str, message: str) -> None:
    """A place that is none and a file of no known language are one sentence and exit code 2."""
    for name in ("file.py", "file.txt"):
        (tmp_path / name).write_bytes(b"x\n")

    code = main(["explain", written.format(folder=tmp_path)])

    printed = capsys.readouterr()
    assert (code, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert message in printed.err


@pytest.mark.parametrize("marked", ["|retrun x\n", "retr|un x\n", "retrun| x\n", "retrun |x\n", "retrun x|\n"])
def test_at_a_misspelt_word_the_likely_one_is_named(explain: Callable[..., tuple[int, str]], marked: str) -> None:
    """The word is named once wherever the cursor is on its line, as `dovetail check` names it."""
    _, out = explain(f"def f(x):\n    {marked}\n\ny = f(1)\n")

    assert out.count("line 2, column 5: perhaps `retrun` should be `return`; `x` does not fit behind it.") == 1


def test_on_other_lines_nothing_is_said_of_a_misspelt_word(explain: Callable[..., tuple[int, str]]) -> None:
    """A mistake below the cursor's line is none of it."""
    _, out = explain("def f(x):\n    y = |x\n    retrun y\n")

    assert "retrun` should be" not in out


@pytest.mark.parametrize(
    ("name", "marked", "kinds"),
    [
        ("a.js", "x = y |\n", {"operator": "%", "comparison or bitwise operator": "&"}),
        ("a.ts", "x = y |\n", {"operator": "%", "comparison or bitwise operator": "^"}),
        ("a.go", "package a\n\nvar x = |\n", {"number or character": "0"}),
    ],
)
def test_kinds_of_signs_and_words_have_names_that_people_know(
    explained: Callable[..., dict[str, Any]], name: str, marked: str, kinds: dict[str, str]
) -> None:
    """A phrase stands for all that a grammar calls by a word of its own."""
    expected = {one["name"]: one["text"].strip() for one in explained(marked, name=name)["expected"]}

    assert {kind: expected.get(kind) for kind in kinds} == kinds


def test_hints_for_programs(
    explain: Callable[..., tuple[int, str]], explained: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    """JSON has what people read of the cursor's line, and of the version that the project asks for."""
    (tmp_path / "pyproject.toml").write_text('[project]\nrequires-python = ">=3.11"\n')
    marked = "x = 1\n|whlie True:\n    pass\n"
    _, out = explain(marked)
    found = explained(marked)

    [hint] = found["hints"]
    assert f"The cursor's line as it stands: line {hint['line']}, column {hint['column']}: {hint['message']}." in out
    assert "`while`" in hint["message"]
    assert found["reading"].startswith("Python is read as 3.11")
    assert found["reading"].replace(str(tmp_path), "") in out.replace(str(tmp_path), "")
    assert explained("x = |", "--target", "3.12")["reading"] == ""
