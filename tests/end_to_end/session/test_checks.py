"""The checks of a session find what they are for, and the record of a session is what the messages say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.session.checks import problems
from tests.end_to_end.session.record import Offer, read_record

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("left", "text", "right", "found"),
    [
        ("x = f(", "a, b", ")\n", ""),
        ("x = ", "f(\n    1,\n)", "\n", ""),
        ("self.unfi", "x", "nished_tasks = 1\n", "tears_a_word"),
        ("x = a and ", "b", "c\n", "tears_a_word"),
        ("x = ", "1\n", "y = 2\n", "moves_text"),
        ("if a:\n    b\n", "    ", "x = 1\n", "moves_text"),
        ("x = f(", "b)  # ", "a)\n", "comments_out"),
        ("x = ", "y", "  # of all\n", ""),
        ("def f(", "a, ", "b):\n    pass\n", ""),
        ("x = 'a", "b", "c'\n", "tears_a_word"),
        ("def f(a):\n    if a:\n    ", "return a", "\n", "shallower_than_a_due_block"),
        ("def f(a):\n    if a:\n    ", "    return a", "\n", ""),
        ("", "a\nb\nc\nd", "\n", "is_too_long"),
        ("", "a\nb\n\nc", "\n", ""),
        ("if x:", "\n    a\n    b\n    c\n    d", "\n", ""),
        ("x = 1\n", "y = (", "\n", "breaks_the_program"),
        ("x = (\n", "y = (", "\n", ""),
    ],
)
def test_a_check_finds_what_it_is_for(left: str, text: str, right: str, found: str) -> None:
    """Each bad offer is found by its check and by no other; good ones by none."""
    names = [sentence.partition(":")[0] for sentence in problems([Offer(left, right, text, shown=True)])]

    assert names == ([found] if found else [])


def test_the_record_of_a_session(tmp_path: Path) -> None:
    """An offer has the text of its request, with the changes before it; it is shown if the client says so."""
    uri = {"uri": "file:///a.py"}
    at = {"line": 1, "character": 5}
    item = {"insertText": "1", "range": {"start": at, "end": at}, "command": {"command": "c", "arguments": ["7"]}}
    change = {"range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 4}}, "text": " "}
    messages = [
        (True, {"method": "textDocument/didOpen", "params": {"textDocument": {**uri, "text": "x\ny = \nz\n"}}}),
        (True, {"method": "textDocument/didChange", "params": {"textDocument": uri, "contentChanges": [change]}}),
        (True, {"id": 3, "method": "textDocument/inlineCompletion", "params": {"textDocument": uri, "position": at}}),
        (False, {"id": 3, "result": {"items": [item]}}),
        (True, {"method": "textDocument/didShowCompletion", "params": {"item": item}}),
    ]
    log = tmp_path / "log"
    settled = []
    for count in range(1, len(messages) + 1):
        log.write_text("".join(json.dumps({"client": c, "message": m}) + "\n" for c, m in messages[:count]) + '{"cl')
        settled.append(read_record(log).settled)

    assert settled == [True, False, False, True, True]
    assert read_record(log).offers == [Offer("x\ny =  ", "\nz\n", "1", shown=True)]
