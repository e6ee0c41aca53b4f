"""`dovetail models`: the list, what fits, and the trial."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer
from tests.model.played_hub import silent_address

from dovetail.__main__ import main
from dovetail.model.catalogue import catalogue
from dovetail.model.conversion import convert
from dovetail.model.downloaded import Note, path_of, read_note, write_note
from dovetail.model.hardware import Fit, GraphicsCard, Hardware, fit, this_hardware
from dovetail.model.hosting import EMBEDDED, load_model
from dovetail.model.trial import measure

if TYPE_CHECKING:
    from pathlib import Path

NAME = "qwen2.5-coder-1.5b"

OTHERS = f"Otherwise choose {', '.join(catalogue())}."


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / name)


def test_the_list_has_all_that_a_choice_needs(capsys: pytest.CaptureFixture[str]) -> None:
    """Each model has its size, languages, licence and reason, and none is said to be here."""
    assert main(["models"]) == 0

    printed = capsys.readouterr().out
    for model in catalogue().values():
        assert f"{model.name}  {model.gigabytes:.1f} GB, " in printed
        assert f"\n  {model.reason}\n  {model.languages}. Licence: {model.licence}.\n" in printed
    assert printed.count("not downloaded yet") == len(catalogue())
    assert "\nembedded  part of Dovetail, the default\n" in printed
    known = "Go, JavaScript, JavaScript JSX, JSON, JSON with Comments, Lua, Python, TypeScript, TypeScript JSX"
    assert f"\n  {known}.\n" in printed


def test_the_list_knows_what_is_here(capsys: pytest.CaptureFixture[str]) -> None:
    """A whole file, a part of one and nothing are told apart, for people and for editors."""
    path = path_of(NAME)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"GGUF")
    other = path_of("codegemma-2b")
    other.with_name(f"{other.name}.0123456789abcdef.part").write_bytes(bytes(500_000))

    assert main(["models"]) == 0
    printed = capsys.readouterr().out
    assert main(["models", "--json"]) == 0
    models = {model["name"]: model for model in json.loads(capsys.readouterr().out)["models"]}

    assert printed.count("not downloaded yet") == len(catalogue()) - 2
    assert "0.5 MB of it on this machine" in printed
    assert list(models) == list(catalogue())
    assert (models[NAME]["path"], models[NAME]["unfinished"]) == (str(path), 0)
    assert (models["codegemma-2b"]["path"], models["codegemma-2b"]["unfinished"]) == (None, 500_000)


@pytest.mark.parametrize(
    ("memory", "graphics", "expected"),
    [
        (16, [], Fit.MEMORY),
        (8, [], Fit.TIGHT),
        (4, [], Fit.TOO_LARGE),
        (4, [8], Fit.GRAPHICS),
        (16, [2], Fit.MEMORY),
        (None, [], Fit.UNKNOWN),
    ],
)
def test_the_larger_the_memory_the_more_fits(memory: int | None, graphics: list[int], expected: Fit) -> None:
    """A file of 5 GB fits by the memory of the graphics card, or of the machine beside other programs, or alone."""
    cards = tuple(GraphicsCard("card", gigabytes * 10**9) for gigabytes in graphics)

    assert fit(Hardware(None if memory is None else memory * 10**9, 4, cards), 5 * 10**9) is expected


def test_the_hardware_is_known() -> None:
    """It has memory and at least one processor."""
    hardware = this_hardware()

    assert hardware.memory is not None
    assert hardware.memory > 10**9
    assert hardware.processors >= 1


def test_a_trial_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    """The speed of a model that is here is measured with the model itself, printed, and stands in the list."""
    path = path_of(NAME)
    path.parent.mkdir(parents=True)
    convert(EMBEDDED, path, "f16")
    write_note(NAME, Note("owner/name", "0" * 40, "0" * 64))

    assert main(["models", "try", NAME, "--json"]) == 0

    speed = json.loads(capsys.readouterr().out)
    assert speed["prompt"] > 0
    assert speed["text"] > 0
    assert speed["numbers"] == load_model(NAME).numbers
    note = read_note(NAME)
    assert note is not None
    assert note.sha256 == "0" * 64
    assert note.speed is not None
    assert note.speed.text == speed["text"]
    assert main(["models"]) == 0
    assert "\n  Measured here: reads " in capsys.readouterr().out


def test_the_trial_looks_at_the_clock() -> None:
    """Three passes of 32 tokens are read and four tokens written if each look at the clock takes a second."""
    seconds = map(float, count())

    speed = measure(ScriptedProposer(rank=lambda proposer, text: [120]), "word " * 100, lambda: next(seconds))

    assert (speed.prompt, speed.text) == (96 / 5, 4 / 6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["get"], "Name the model: dovetail models get NAME. `dovetail models` lists them."),
        (["get", "gpt"], f"There is no model gpt to fetch: choose {', '.join(catalogue())}."),
        (["get", "qwen"], f"There is no model qwen to fetch: did you mean {next(iter(catalogue()))}? {OTHERS}"),
        (["remove", "embedded"], "The model embedded is part of Dovetail, so it cannot be removed by itself."),
        (["remove", "gpt"], f"There is no model gpt to fetch: choose {', '.join(catalogue())}."),
        (["--try", NAME], f"The model {NAME} is not on this machine: `dovetail models get {NAME}` fetches it."),
        (["get", NAME, "--try", NAME], "--try stands alone: dovetail models --try NAME."),
    ],
)
def test_mistakes_are_sentences(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each says what is wrong, and what to write."""
    assert main(["models", *arguments]) == 2
    assert capsys.readouterr().err == said + "\n"


def test_the_embedded_model_needs_no_download(capsys: pytest.CaptureFixture[str]) -> None:
    """To fetch it says so, instead of that there is no such model, and succeeds; editors get its folder."""
    assert main(["models", "get", "embedded"]) == 0
    assert main(["models", "get", "embedded", "--json"]) == 0

    sentence, plain = capsys.readouterr().out.splitlines()
    assert sentence == "The model embedded is part of Dovetail: there is nothing to fetch, and it is the default."
    assert json.loads(plain) == {"path": str(EMBEDDED)}


def test_no_bar_stands_before_the_size_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Until the hub has said how large a file is, one line says what it is asked for; offline, nothing else stands."""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with silent_address() as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        assert main(["models", "get", NAME]) == 2

    asking, refused = capsys.readouterr().err.strip().splitlines()
    assert asking == f"Asking the Hugging Face hub for {catalogue()[NAME].file}."
    assert refused.startswith(f"{address} cannot be reached")
