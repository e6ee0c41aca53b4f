"""A completion as people and programs see it."""

from __future__ import annotations

import io
import json
from pathlib import Path

from rich.console import Console

from dovetail.commands.judgement import Judgement
from dovetail.commands.place import Place
from dovetail.commands.report import JudgedCompletion, as_json, show
from dovetail.decoding.completion import Completion, Seconds, Stop

SECONDS = Seconds(contexts=0.012, prompt=0.3, model=1.5, constraint=0.0034)


def printed(place: Place, completion: Completion, judgement: Judgement | None = None, *, colour: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream,
        highlight=False,
        markup=False,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
    )
    show(console, place, JudgedCompletion(completion, judgement), "our model")
    return stream.getvalue()


def place(text: str) -> Place:
    """Return a place in a text, the cursor where the bar is."""
    offset = text.index("|")
    return Place(Path("file.py"), text.replace("|", ""), offset)


def test_the_lines_around_are_shown() -> None:
    """Four lines before and after the completion are shown; its own lines have a mark."""
    text = "".join(f"line {number}\n" for number in range(1, 7)) + "x = (|)\n" + "after\n" * 9
    completion = Completion("1,\n2", Stop.BUDGET, "\n2", 3, 1, SECONDS)

    lines = printed(place(text), completion, Judgement("ast.parse", True)).splitlines()

    assert lines == [
        "file.py",
        " 3   line 3",
        " 4   line 4",
        " 5   line 5",
        " 6   line 6",
        " 7 + x = (1,",
        " 8 + 2)",
        " 9   after",
        "10   after",
        "11   after",
        "12   after",
        "",
        "Stopped because its tokens were used up; closed with '\\n2'.",
        "our model: 3 tokens, 1 refused; contexts 12 ms, prompt 300 ms, model 1500 ms, constraint 3 ms.",
        "The result parses: ast.parse accepts the whole file.",
    ]


def test_the_completion_is_set_off_in_colour() -> None:
    """Only the completion has its colour."""
    shown = printed(place("[a|]"), Completion("bc", Stop.END, "", 1, 0, SECONDS), colour=True)

    assert "[a\x1b[1;32mbc\x1b[0m]" in shown


def test_markup_in_the_text_is_text() -> None:
    """Text that looks like markup of the printing library is printed as it is."""
    shown = printed(place("[bold]|[/bold]"), Completion("[red]", Stop.END, "", 1, 0, SECONDS))

    assert "[bold][red][/bold]" in shown


def test_nothing_has_a_reason() -> None:
    """The text is shown as it is, with a caret at the cursor and the reason, if nothing is offered."""
    shown = printed(place("a|b"), Completion(None, Stop.NOT_VIABLE, "", 0, 0, SECONDS))

    assert shown.startswith("file.py\n1   ab\n     ^\n")
    assert "Nothing is offered: no text at all fits between the left and the right." in shown


def test_a_refusal_is_said() -> None:
    """The reason of the language's own parser is printed if it refuses the result."""
    completion = Completion("(", Stop.END, "", 1, 0, SECONDS)

    shown = printed(place("a|"), completion, Judgement("p", False, "line 1: no"))

    assert "The result does not parse: p refuses the whole file: line 1: no." in shown


def test_a_huge_line_is_clipped() -> None:
    """Of a very long line the part next to the completion is shown."""
    shown = printed(place("x" * 999 + "|" + "y" * 999), Completion("z", Stop.END, "", 1, 0, SECONDS))

    assert shown.splitlines()[1] == f"1 + …{'x' * 200}z{'y' * 200}…"


def test_tabs_are_of_one_width() -> None:
    """Behind the number of a line each tab, also one in the completion, takes four columns."""
    shown = printed(place("\tif a {\n\t|\t}"), Completion("\tb\n", Stop.END, "", 1, 0, SECONDS))

    assert shown.splitlines()[1:4] == ["1       if a {", "2 +         b", "3 +     }"]


def test_json_holds_everything() -> None:
    """The JSON object is one line and holds the exact text, the reason, the times and the judgement."""
    completion = Completion("é\n", Stop.END, "", 2, 1, SECONDS)

    line = as_json(place("a|b"), [JudgedCompletion(completion, Judgement("p", True))], "python", "our model")

    assert "\n" not in line
    assert json.loads(line) == {
        "version": 1,
        "file": "file.py",
        "offset": 1,
        "language": "python",
        "model": "our model",
        "text": "é\n",
        "closing": "",
        "stop": "end",
        "tokens": 2,
        "refused": 1,
        "seconds": {"contexts": 0.012, "prompt": 0.3, "model": 1.5, "constraint": 0.0034},
        "judgement": {"parser": "p", "accepted": True, "error": "", "broken_before": False},
    }
