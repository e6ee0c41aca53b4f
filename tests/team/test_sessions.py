"""Sessions of a replica: documents as edits, keys apart, limits that cost no answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.team.session_requests import EAGER, LEFT, RIGHT, URI, completing, edited, whole
from tests.team.threaded_replica import following

from dovetail.completer.tables import LanguageTables
from dovetail.completer.team.messages import SessionRequest
from dovetail.decoding.cancellation import Never
from dovetail.settings import Settings
from dovetail.team.doors.window_request import BodyError
from dovetail.team.session_limits import SessionLimits
from dovetail.team.sessions import Sessions

TABLES = LanguageTables()

LOST_SESSION, LOST_DOCUMENT = {"lost": "session"}, {"lost": "document"}


def sessions(limits: SessionLimits | None = None, **given: Any) -> Sessions:
    """Return a replica's sessions, whose model writes 123."""
    return Sessions(following(b"123"), TABLES, limits=limits, **given)


def ask(made: Sessions, asked: SessionRequest, key: str = "alice") -> Any:
    """Return the answer to a request."""
    return made.answer(key, asked, Never())


def texts(answer: Any) -> tuple[str, ...]:
    """Return the texts of an answer."""
    return tuple(answer["result"]["texts"])


def test_edits_give_the_texts_of_whole_documents() -> None:
    """A document that came as edits is completed as the same text that came whole."""
    made = sessions()
    assert texts(ask(made, completing(whole(), settings=EAGER))) == ("123",)
    change = edited(1, 2, (0, 0, '{"names": ["x"], '), (17, 18, ""))
    after = '{"names": ["x"], "sizes": [10, '

    found = ask(made, completing(change, offset=len(after)))

    text = after + RIGHT
    assert found["result"]["texts"] == ask(
        sessions(), completing(whole(1, text), settings=EAGER, offset=len(after))
    )["result"]["texts"]  # fmt: skip
    assert texts(found)


def test_what_is_not_here_is_told() -> None:
    """A session, a document and a text that the replica does not have are told apart, and get no guess."""
    made = sessions()
    assert ask(made, completing(whole())) == LOST_SESSION
    assert ask(made, completing(edited(1, 2), settings=EAGER)) == LOST_DOCUMENT
    assert texts(ask(made, completing(whole(5), settings=EAGER))) == ("123",)
    assert ask(made, completing(edited(4, 6))) == LOST_DOCUMENT
    assert texts(ask(made, completing(edited(5, 6)))) == ("123",)


def test_a_client_goes_on_from_its_last_answer() -> None:
    """After requests whose answers were not waited for, edits of the last answered text are right, again and again."""
    made = sessions()
    ask(made, completing(whole(), settings=EAGER))
    for number in (2, 3, 4):
        change = edited(1, number, (len(LEFT), len(LEFT), f"{number}, "))
        assert texts(ask(made, completing(change, offset=len(LEFT) + 3))) == ("123",)
    assert texts(ask(made, completing(edited(4, 5), offset=len(LEFT) + 3))) == ("123",)


def test_keys_have_sessions_apart() -> None:
    """A session of another key with the same name is another one, and none of its documents are there."""
    made = sessions()
    ask(made, completing(whole(), settings=EAGER))
    assert ask(made, completing(edited(1, 2)), "bob") == LOST_SESSION
    assert ask(made, completing(edited(1, 2), settings=EAGER), "bob") == LOST_DOCUMENT
    assert texts(ask(made, completing(edited(1, 2)))) == ("123",)


def test_settings_are_the_hosts_but_for_some() -> None:
    """A client decides when and how much it is offered, within the host's limits, and neither the model nor places."""
    made = sessions(most_tokens=2, most_seconds=600, languages=("json",))
    given = {
        **EAGER, "model": "/etc/passwd", "max_tokens": 100, "candidates": 1_000, "host.shared": False,
        "fallbacks": ["cpu"], "context": "off", "unheard_of": 1,
    }  # fmt: skip

    loaded = ask(made, SessionRequest("one", "load", given))["result"]

    assert (loaded["model"], loaded["languages"], loaded["complaint"]) == ("scripted", ("json",), None)
    [session] = made._sessions.values()
    taken = session.completer.settings
    assert (taken.max_tokens, taken.candidates, taken.trigger) == (2, SessionLimits().candidates, "eager")
    assert (taken.model, taken.fallbacks, taken.context) == (None, Settings().fallbacks, Settings().context)
    assert taken.host_shared
    assert len(texts(ask(made, completing(whole())))[0]) <= 3
    with pytest.raises(BodyError, match="`trigger`"):
        ask(made, SessionRequest("two", "load", {"trigger": "sometimes"}))


def test_a_version_that_is_not_known() -> None:
    """A version that no grammar of the host has is refused in a sentence for the user, whose own machine completes."""
    with pytest.raises(BodyError, match=r"`python\.target_version` has to be .*, not '2\.1'"):
        ask(sessions(), SessionRequest("one", "load", {"python.target_version": "2.1"}))


def test_a_flood_of_sessions_is_bounded() -> None:
    """A key that begins session after session drops its own oldest, and nobody else's."""
    made = sessions(SessionLimits(sessions=6, of_key=3))
    ask(made, completing(whole(), settings=EAGER), "bob")
    for number in range(20):
        ask(made, completing(whole(), session=str(number), settings=EAGER))
    assert len(made) == 4
    assert texts(ask(made, completing(edited(1, 2)), "bob")) == ("123",)
    assert ask(made, completing(edited(1, 2), session="1")) == LOST_SESSION
    assert texts(ask(made, completing(edited(1, 2), session="19"))) == ("123",)
    for key in "abcdefgh":
        ask(made, completing(whole(), settings=EAGER), key)
    assert len(made) == 6


def test_characters_are_bounded() -> None:
    """Documents beyond the limits of a key, of all keys, and of a session make room for newer ones."""
    long = f"{LEFT}{'1, ' * 1_000}"
    limits = SessionLimits(characters=20_000, characters_of_key=8_000)
    made = sessions(limits)
    for key in "abcdefgh":
        for number in range(4):
            ask(made, SessionRequest(str(number), "forget", EAGER), key)
            change = whole(text=long + RIGHT, uri=f"file:///{number}.json")
            ask(made, replace(completing(change, session=str(number)), operation="read_on"), key)
    assert made.characters <= limits.characters
    for number in range(40):
        made.answer(
            "z",
            replace(completing(whole(uri=f"file:///{number}.json"), settings=EAGER), operation="read_on"),
            Never(),
        )
    [last] = [session for (key, _), session in made._sessions.items() if key == "z"]
    assert last.documents.uris == [f"file:///{number}.json" for number in range(24, 40)]


def test_idle_sessions_are_dropped() -> None:
    """A session that asks nothing for a while is dropped with its documents."""
    now = [0.0]
    made = sessions(SessionLimits(idle=60), clock=lambda: now[0])
    ask(made, completing(whole(), settings=EAGER))
    now[0] = 59
    assert texts(ask(made, completing(edited(1, 2)))) == ("123",)
    now[0] = 120
    assert ask(made, completing(edited(2, 3))) == LOST_SESSION
    assert len(made) == 0


def test_a_document_that_was_closed() -> None:
    """Nothing is kept of a document that is forgotten, in the session or by the model."""
    proposer = following(b"123")
    made = Sessions(proposer, TABLES)
    ask(made, completing(whole(), settings=EAGER))
    ask(made, SessionRequest("one", "forget", uri=URI))
    assert made.characters == 0
    assert ask(made, completing(edited(1, 2))) == LOST_DOCUMENT
    assert proposer.forgotten == [f"1 {URI}"]


def test_edits_and_places_outside_of_a_text() -> None:
    """A place that no text has is a mistake, and costs neither the session nor its document."""
    made = sessions()
    ask(made, completing(whole(), settings=EAGER))
    for change, offset in ((edited(1, 2, (5, 4, "x")), 0), (edited(1, 2, (0, 10_000, "")), 0), (edited(1, 2), 10_000)):
        with pytest.raises(BodyError):
            ask(made, completing(change, offset=offset))
    with pytest.raises(BodyError, match="1,000,000 characters"):
        ask(made, completing(edited(1, 2, (0, 0, "x" * 1_000_001))))
    assert texts(ask(made, completing(edited(1, 3)))) == ("123",)


def test_several_texts_by_hand() -> None:
    """The first candidate, and then all of them, come as they do in one process."""
    made = sessions()
    asked = replace(completing(whole(), settings=EAGER), operation="candidates", first=True)
    first = texts(ask(made, asked))
    assert texts(ask(made, replace(asked, document=edited(1, 2), settings=None, first=False)))[:1] == first
