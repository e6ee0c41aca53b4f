"""The reasons that keep a document from being completed, and the switches."""

from __future__ import annotations

import pytest

from dovetail.completer.snapshot import Snapshot
from dovetail.lsp.reason_off import reason_off
from dovetail.lsp.switches import Switches
from dovetail.settings import Settings


def document(text: str = "", *, language: str = "python", uri: str = "file:///a.py") -> Snapshot:
    return Snapshot(uri, language, 1, text)


def found(data: Snapshot, settings: Settings | None = None) -> str | None:
    settings = settings or Settings()
    return reason_off(data, settings, Switches(settings))


@pytest.mark.parametrize(
    ("uri", "language_id", "name"),
    [
        ("file:///a/b.py", "plaintext", "python"),
        ("file:///a/b%20c.PY", "", "python"),
        ("untitled:Untitled-1", "python", "python"),
        ("file:///a/b.py", "json", "json"),
        ("git:/a/b.py?ref=x.json", "", "python"),
        ("file:///a/b.txt", "plaintext", None),
        ("", "", None),
    ],
)
def test_the_language_is_the_clients_or_the_file_names(uri: str, language_id: str, name: str | None) -> None:
    """The client's name of the language decides if it is known, else the file name does."""
    assert document(language=language_id, uri=uri).language == name


def test_a_document_of_a_known_language_has_no_reason_off() -> None:
    """Text of any kind is completed, if it is text."""
    assert found(document("x = '\u2028😀'")) is None


def test_a_language_without_a_grammar_is_named() -> None:
    """The reason names the language and those that are known."""
    reason = found(document(language="fortran", uri="file:///p.f90"))

    assert reason is not None
    assert "fortran" in reason
    assert "python" in reason


def test_a_document_is_too_large_from_the_limit_on() -> None:
    """As many characters as the setting allows are completed, one more is not."""
    settings = Settings(max_characters=3)

    assert found(document("x=1"), settings) is None
    reason = found(document("x=12"), settings)
    assert reason is not None
    assert "`max_characters`" in reason


def test_half_a_surrogate_pair_is_no_text() -> None:
    """A document that no model can read is not completed."""
    reason = found(document('"\ud83d"'))

    assert reason is not None
    assert "surrogate" in reason


def test_all_three_switches_have_to_be_on() -> None:
    """A document is completed only where nothing that it belongs to is switched off."""
    switches = Switches(Settings())
    names, uri = ("python", "py"), "file:///a.py"
    outcomes = []
    for everywhere in (True, False):
        for language in (True, False):
            for one in (True, False):
                assert switches.all(everywhere) == everywhere
                assert switches.language(names, language) == language
                assert switches.document(uri, one) == one
                outcomes.append(switches.off(names, uri) is None)

    assert outcomes == [True] + [False] * 7
    assert switches.off(("json",), "file:///b") is not None
    switches.all(on=True)
    assert switches.off(("json",), "file:///b") is None
    assert switches.off(names, "file:///b.py") == "completions are switched off for Python"


def test_switching_over_is_switching_to_the_other() -> None:
    """Without a wanted state each switch changes, and changes back."""
    switches = Switches(Settings(disabled_languages=("py",)))

    assert [switches.language(("python", "py")) for _ in range(3)] == [True, False, True]
    assert [switches.document("a") for _ in range(2)] == [False, True]
    assert [switches.all() for _ in range(2)] == [False, True]


def test_settings_that_change_set_their_switches_only() -> None:
    """A switch of the user stays, unless the settings begin to say something else about it."""
    before = Settings(disabled_languages=("json",))
    switches = Switches(before)
    switches.language(("python",), on=False)
    switches.language(("json",), on=True)

    switches.follow(before, before)
    assert (switches.off(("json",), ""), switches.off(("python",), "") is None) == (None, False)

    switches.follow(before, Settings(enabled=False, disabled_languages=("json", "c")))
    assert not switches.everywhere
    switches.all(on=True)
    assert [switches.off((name,), "") is None for name in ("json", "python", "c", "go")] == [True, False, False, True]

    switches.follow(Settings(disabled_languages=("c",)), Settings())
    assert switches.off(("c",), "") is None
