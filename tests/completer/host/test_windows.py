"""Windows of one host: each has its answers, settings and cancellations, and waits for one step of the others."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import pytest
from tests.completer.host.served import (
    MINE,
    PATIENCE,
    Asking,
    NumberProposer,
    Served,
    ask,
    document,
    is_of,
    text,
    until,
)

from dovetail.completer import tables
from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.host import shared
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.wire import to_line
from dovetail.decoding.completion import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.completer.remote import RemoteCompleter

NAMES = ("A", "B", "C")


@pytest.fixture(name="model")
def _model() -> NumberProposer:
    return NumberProposer()


@pytest.fixture(name="served")
def _served(model: NumberProposer) -> Iterator[Served]:
    served = Served(lambda *_: model)
    yield served
    served.close()


def ready(served: Served) -> dict[str, RemoteCompleter]:
    """Return three windows that have completed something, so that all tables are made."""
    windows = {name: served.window() for name in NAMES}
    for name, window in windows.items():
        other = document(name, uri="file:///other.json")
        assert is_of(window.complete(other, len(text(name)), CancelToken()), name)
    return windows


def at_step(model: NumberProposer, number: int, do: Callable[[], None]) -> None:
    """Do something in the middle of a step of the model, counted from now."""
    last = len(model.steps) + number

    def during() -> None:
        if len(model.steps) == last:
            model.during = lambda: None
            do()

    model.during = during


def test_three_windows_have_one_model(served: Served, model: NumberProposer) -> None:
    """The model is loaded once, and each window gets what it alone has asked for, in a document of the same name."""
    loads: list[object] = []
    served.host._shared.model._load = lambda *_: loads.append(_) or model
    windows = ready(served)

    assert len(loads) == 1
    for _ in range(3):
        for name, window in windows.items():
            assert is_of(ask(window, name), name)


def test_no_text_of_a_window_is_in_the_answer_of_another(served: Served, model: NumberProposer) -> None:
    """However requests interleave, texts, edits and remembered completions of windows stay apart."""
    windows = ready(served)
    wrong: list[object] = []
    answered: list[str] = []

    def type_on(name: str) -> None:
        for step in range(12):
            left = text(name) + "1" * (step % 4)
            edited = Snapshot("file:///same.json", "json", step, left + "}")
            answer = windows[name].complete(edited, len(left), CancelToken())
            if not is_of(answer, name):
                wrong.append((name, answer))
            recalled = windows[name].recall(edited, len(left))
            if recalled.texts != answer.texts:
                wrong.append((name, answer, recalled))
            answered.append(name)

    threads = [threading.Thread(target=type_on, args=(name,), daemon=True) for name in NAMES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)

    assert wrong == []
    assert sorted(answered) == sorted(12 * NAMES)
    # What the model keeps of a document belongs to one window, though the documents have the same address.
    for one, other in combinations(NAMES, 2):
        assert model.documents[one]
        assert not model.documents[one] & model.documents[other]


def test_a_slow_window_delays_another_by_one_step(served: Served, model: NumberProposer) -> None:
    """From a request on, every step of another window is followed by one of this one, until it has its answer."""
    windows = ready(served)
    model.steps.clear()
    short: list[Asking] = []

    def join() -> None:
        short.append(Asking(windows["B"], "B"))
        until(lambda: served.host.turns.waiting == 1)

    at_step(model, 3, join)
    long = Asking(windows["A"], "A")
    assert is_of(long.answer(), "A")
    assert is_of(short[0].answer(), "B")

    steps = "".join(model.steps)
    between = steps[3 : steps.rindex("B")]
    assert steps[:3] == "AAA"
    assert between.count("B") > 5
    # One step of A may run while the request of B is prepared, and one between any two of its steps.
    assert "AAA" not in between
    assert sum(pair == ("A", "A") for pair in pairwise(between)) <= 1


def test_three_windows_go_round(served: Served, model: NumberProposer) -> None:
    """Three requests that run together take turns at every step."""
    windows = ready(served)
    model.steps.clear()
    others: list[Asking] = []

    def join() -> None:
        others.extend(Asking(windows[name], name) for name in "BC")
        until(lambda: served.host.turns.waiting == 2)

    at_step(model, 2, join)
    first = Asking(windows["A"], "A")
    assert is_of(first.answer(), "A")
    for asking, name in zip(others, "BC", strict=True):
        assert is_of(asking.answer(), name)

    steps = "".join(model.steps)
    start = max(steps.index("B"), steps.index("C"))
    ends = min(steps.rindex(name) for name in NAMES)
    assert ends - start > 10
    for place in range(start, ends - 2):
        assert set(steps[place : place + 3]) == set(NAMES)


def test_requests_are_cancelled_one_by_one(served: Served, model: NumberProposer) -> None:
    """A cancelled request ends at its next step; those of other windows go on to their ends."""
    windows = ready(served)
    model.steps.clear()
    askings: dict[str, Asking] = {}

    def join() -> None:
        askings["B"] = Asking(windows["B"], "B")
        until(lambda: served.host.turns.waiting == 1)
        at_step(model, 4, lambda: cancel(askings["A"]))

    def cancel(asking: Asking) -> None:
        before = len(model.steps)
        asking.token.cancel()
        until(lambda: any(token.cancelled for window in served.host._windows for token in window._tokens.values()))
        assert len(model.steps) == before

    started = threading.Event()

    def begin() -> None:
        assert started.wait(PATIENCE)
        join()

    at_step(model, 2, begin)
    askings["A"] = Asking(windows["A"], "A")
    started.set()

    assert askings["A"].answer().reason == Stop.CANCELLED.value
    assert is_of(askings["B"].answer(), "B")
    steps = "".join(model.steps)
    assert steps.count("A") <= 8
    assert steps.count("B") > steps.count("A")
    assert is_of(ask(windows["A"], "A"), "A")


def test_settings_are_those_of_the_window(served: Served) -> None:
    """Lengths and versions that one window sets change nothing for another."""
    short = served.window(replace(MINE, max_tokens=3))
    long = served.window(MINE)
    old = served.window(replace(MINE, target_versions={"python": "3.9"}))

    assert len(ask(short, "A").texts[0]) < len(ask(long, "A").texts[0])
    assert len(ask(short, "A").texts[0]) < 4
    matched = Snapshot("file:///m.py", "python", 1, '# "A"\nmatch x:\n    case ')
    assert old.complete(matched, len(matched.text), CancelToken()).texts == ()
    assert long.complete(matched, len(matched.text), CancelToken()).texts != ()


def test_documents_have_one_limit(served: Served) -> None:
    """The documents that windows have open are kept up to one number for all of them; all are completed still."""
    shared_limit = served.host._shared.limit
    shared_limit._most = 4
    windows = {name: served.window() for name in NAMES}

    for number in range(4):
        for name, window in windows.items():
            other = document(name, uri=f"file:///{number}.json")
            assert is_of(window.complete(other, len(text(name)), CancelToken()), name)
            assert len(shared_limit) <= 4
    assert len(shared_limit) == 4
    for name, window in windows.items():
        assert is_of(ask(window, name), name)


def test_a_window_that_goes_takes_its_documents_along(served: Served, model: NumberProposer) -> None:
    """A window that goes has its documents released and its request ended, and other windows go on."""
    windows = ready(served)
    model.forgotten.clear()
    began, going = threading.Event(), threading.Event()
    at_step(model, 2, lambda: (began.set(), going.wait(PATIENCE)))  # type: ignore[arg-type]
    lost = Asking(windows["A"], "A")
    assert began.wait(PATIENCE)

    windows["A"].abandon()
    going.set()

    assert lost.answer().texts == ()
    until(lambda: len(model.forgotten) == 2)
    assert served.host.status()["windows"] == 2
    assert sorted(name.partition(" ")[2] for name in model.forgotten) == ["file:///other.json", "file:///same.json"]
    assert is_of(ask(windows["B"], "B"), "B")


def test_a_window_that_reads_nothing_keeps_nobody_waiting(served: Served) -> None:
    """Its answers wait in memory, not the host."""
    windows = ready(served)
    deaf = served.folder.connect(served.files)
    assert deaf is not None

    deaf.sendall(b"".join(to_line({"status": True, "number": number}) for number in range(5000)))

    assert is_of(ask(windows["B"], "B"), "B")
    deaf.close()


@pytest.mark.parametrize("line", [b"nonsense\n", b"[]\n", b"3\n", b"\xff\n", b'{"call": "load"}\n', b'{"hello": 1}\n'])
def test_nonsense_ends_its_own_connection(served: Served, line: bytes) -> None:
    """A line that is no message costs its sender the connection, or is passed over, and nobody else anything."""
    window = served.window()
    other = served.folder.connect(served.files)
    assert other is not None

    with other, other.makefile("rb") as answers:
        other.sendall(line + to_line({"status": True, "number": 7}))
        other.settimeout(PATIENCE)
        said = answers.readline()

    assert said == b"" or b'"number":7' in said
    assert is_of(ask(window, "A"), "A")


def test_tables_are_made_once_and_keep_nobody_waiting(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one window waits for the tables of a language, another completes; a third gets the same tables."""
    windows = ready(served)
    made: list[str] = []
    began, going = threading.Event(), threading.Event()
    make = tables.new_masker

    def slowly(language: object, vocabulary: object) -> object:
        made.append("python")
        began.set()
        assert going.wait(PATIENCE)
        return make(language, vocabulary)  # type: ignore[arg-type]

    monkeypatch.setattr(shared, "new_masker", slowly)
    python = Snapshot("file:///x.py", "python", 1, "x = ")
    preparing = [threading.Thread(target=windows[name].prepare, args=(python,), daemon=True) for name in "AC"]
    preparing[0].start()
    assert began.wait(PATIENCE)
    preparing[1].start()

    assert is_of(ask(windows["B"], "B"), "B")
    going.set()
    for thread in preparing:
        thread.join(PATIENCE)
    assert made == ["python"]
    assert all(thread.is_alive() is False for thread in preparing)
