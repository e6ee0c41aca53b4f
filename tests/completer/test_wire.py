"""Values that cross between the server and the model's process arrive as they were."""

from __future__ import annotations

import pytest

from dovetail.completer.answer import Answer, Work, nothing
from dovetail.completer.explainer import Explanation, LeftOut
from dovetail.completer.fallback import Fallback
from dovetail.completer.wire import from_line, from_plain, to_line, to_plain
from dovetail.decoding.completion import Seconds
from dovetail.decoding.repository import Members, OtherFile, ProjectContext
from dovetail.settings import Settings

VALUES = [
    nothing("it does not fit"),
    Answer(("a\n\u2028b", "\ud800 half"), "it ended", Work(3, 4, Seconds(0.1, 0.2, 0.25, 0.0))),
    Explanation(True, False, "\x00)", (("name", "x"), ("end", "")), (LeftOut(1, 2, "pass"),), None),
    Explanation(False, False, None, (), (), (3, "wrong")),
    Fallback(2, "cpu", True),
    ProjectContext("a.py", "shop"),
    ProjectContext(
        "a.py",
        "shop",
        "Python",
        "#",
        (OtherFile("b.py", "x = 1\n"),),
        ("cart.add(2)",),
        ("y",),
        ("z",),
        (Members("cart", ("add", "total"), (1, 0), is_whole=False),),
    ),
    Settings(),
    Settings(disabled_languages=("json",), fallbacks=(), model="m", temperature=0.5, target_versions={"python": "3.9"}),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_arrives_as_it_was(value: Answer | Explanation | Fallback | ProjectContext | Settings) -> None:
    """Through plain data and a line of text, every value of ours comes back equal, types and all."""
    line = to_line({"value": to_plain(value)})

    assert line.count(b"\n") == 1
    assert from_plain(from_line(line)["value"], type(value)) == value
