"""Bodies of sessions: what a client of ours sends is read as it was meant, all else is a sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.team.session_requests import EAGER, completing, edited

from dovetail.completer.wire import to_plain
from dovetail.decoding.repository import OtherFile, ProjectContext
from dovetail.team.doors.session_bodies import read_session
from dovetail.team.doors.window_request import BodyError

PROJECT = ProjectContext("a/b.py", "a", "Python", "#", (OtherFile("c.py", "x = 1\n"),))


def plain(**others: Any) -> dict[str, Any]:
    """Return the body of a request, as it comes over a connection, with other fields."""
    asked = completing(edited(3, 4, (0, 1, "é\n"), (2, 2, "")), settings=EAGER)
    body: dict[str, Any] = json.loads(json.dumps(to_plain(asked)))
    return {**body, **others}


def test_a_request_is_read_as_it_was_sent() -> None:
    """Reading returns the request that was written."""
    asked = completing(edited(3, 4, (0, 1, "é\n"), (2, 2, "")), settings=EAGER)
    assert read_session(plain()) == asked
    read = read_session(plain(project=json.loads(json.dumps(to_plain(PROJECT)))))
    assert read.project == PROJECT


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"operation": "explain"}, "`operation`"),
        ({"operation": ["load"]}, "`operation`"),
        ({"session": ""}, "`session`"),
        ({"session": 7}, "`session`"),
        ({"session": "x" * 5_000}, "`session`"),
        ({"settings": []}, "`settings`"),
        ({"document": None}, "`document`"),
        ({"document": []}, "`document`"),
        ({"offset": -1}, "`offset`"),
        ({"offset": 1 << 60}, "`offset`"),
        ({"offset": True}, "`offset`"),
        ({"item": 1}, "`item`"),
        ({"project": {"path": 1}}, "`path`"),
        ({"project": {"files": [1]}}, "`files`"),
        ({"folder": "/etc"}, "`folder`"),
    ],
)
def test_a_mistake_is_a_sentence(others: dict[str, Any], message: str) -> None:
    """A field of another form is named."""
    with pytest.raises(BodyError, match=message):
        read_session(plain(**others))


@pytest.mark.parametrize(
    "others",
    [
        {"edits": [[0, 0]]},
        {"edits": [[0, 0, None]]},
        {"edits": [[0.5, 1, ""]]},
        {"edits": [[0, 0, "\ud800"]]},
        {"edits": [[0, 0, ""]] * 65},
        {"edits": "x"},
        {"uri": ""},
        {"base": -1},
        {"number": "1"},
        {"version": None},
    ],
)
def test_a_mistake_in_a_document_is_a_sentence(others: dict[str, Any]) -> None:
    """A document of another form is refused before anything is done with it."""
    body = plain()
    with pytest.raises(BodyError, match=r"^The field `"):
        read_session({**body, "document": {**body["document"], **others}})


@given(
    st.dictionaries(
        st.sampled_from(["session", "operation", "settings", "document", "offset", "item", "project", "uri"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("load"),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
            max_leaves=5,
        ),
    )
)
def test_nothing_else_is_raised(others: dict[str, Any]) -> None:
    """Any JSON is read, or refused with a sentence."""
    for body in (others, plain(**others)):
        with suppress(BodyError):
            assert read_session(body).session
