"""The supervisor: failures that come close together lead to a fallback, and the user is told of each."""

from __future__ import annotations

import pytest

from dovetail.completer.fallback import Fallback
from dovetail.completer.supervisor import Supervisor, TroubleError
from dovetail.settings import Settings

LOST = TroubleError("lost", "its process stopped")


def supervisor(*times: float) -> Supervisor:
    """Return a supervisor after one lost process at each of these times, in seconds."""
    found = Supervisor(iter(times).__next__)
    found.take(Settings(), anew=False)
    for _ in times:
        found.fail(LOST, window=2048)
    return found


@pytest.mark.parametrize(
    ("times", "fallback"),
    [
        ((0.0, 1.0), Fallback()),
        ((0.0, 300.0, 600.0), Fallback(device="cpu")),
        ((0.0, 300.0, 601.0), Fallback()),
        ((0.0, 1.0, 2000.0, 2001.0), Fallback()),
    ],
)
def test_three_failures_within_ten_minutes_lead_to_a_fallback(times: tuple[float, ...], fallback: Fallback) -> None:
    """The third failure of a kind within ten minutes reduces the model; failures further apart only restart it."""
    assert supervisor(*times).fallback == fallback


def test_the_same_settings_forget_nothing() -> None:
    """A fallback and its notice stay when the same settings come again."""
    failed = supervisor(0.0, 1.0, 2.0)
    failed.take(Settings(), anew=False)

    assert failed.fallback == Fallback(device="cpu")
    assert failed.notice is not None


@pytest.mark.parametrize(("settings", "anew"), [(Settings(max_tokens=7), False), (Settings(), True)])
def test_other_settings_forget_the_failures(settings: Settings, anew: bool) -> None:
    """Other settings, and a restart by hand, begin without fallback and notice."""
    failed = supervisor(0.0, 1.0, 2.0)
    failed.take(settings, anew=anew)

    assert failed.fallback == Fallback()
    assert failed.notice is None


def test_an_answer_ends_the_notice_of_a_restart_alone() -> None:
    """A notice that the process was restarted ends with the next answer; the notice of a fallback stays."""
    restarted, reduced = supervisor(0.0), supervisor(0.0, 1.0, 2.0)
    assert restarted.notice == "The model process stopped and was restarted."
    restarted.succeed()
    reduced.succeed()

    assert restarted.notice is None
    assert reduced.notice is not None
    assert "it runs on the processor now" in reduced.notice


def test_a_model_without_fallbacks_is_given_up() -> None:
    """The third failure gives the model up if the settings allow no fallback, and later ones change nothing."""
    clock = iter([0.0, 1.0, 2.0]).__next__
    found = Supervisor(clock)
    found.take(Settings(fallbacks=()), anew=False)
    for _ in range(4):
        found.fail(LOST, window=2048)

    assert found.fallback is None
    assert found.notice is not None
    assert found.notice.startswith("The embedded model cannot go on (its process stopped): run the command")
