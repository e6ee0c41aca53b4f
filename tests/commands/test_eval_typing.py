"""`dovetail eval --experiment typing`: the real completer with a scripted model, interrupted and gone on with."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, at_random
from tests.evaluation.test_page import Reader
from tests.fuzz.sources import LIBRARY
from tests.oracles.cpython import TARGET

from dovetail.__main__ import main
from dovetail.completer.snapshot import Snapshot
from dovetail.decoding.cancellation import Never
from dovetail.evaluation.replay.suggestions import Suggestions
from dovetail.evaluation.verdict import LANGUAGE
from dovetail.model import hosting
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PIECES = [b"    ", b"\n    ", b"\n", b"()", b"return ", b" = ", b"self.", b"if ", b":\n", b"'", b", ", b"x"]
SMALL = ["--characters", "90", "--cases", "3", "--setting", "max_tokens=4", "--setting", "min_characters=1"]


@pytest.fixture(name="programs", scope="module")
def _programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    for package in ("email", "wsgiref"):
        shutil.copytree(LIBRARY / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(name="evaluate")
def _evaluate(monkeypatch: pytest.MonkeyPatch, programs: Path) -> Callable[..., list[Any]]:
    """Return a function that runs the command and returns what its journal has, without the times."""
    proposer = ScriptedProposer(PIECES, at_random(3))
    monkeypatch.setattr(hosting, "load_model", lambda name=None: proposer)

    def evaluate(output: Path, *arguments: str) -> list[Any]:
        command = ["eval", "--experiment", "typing", "--data", str(programs), "--output", str(output)]
        assert main([*command, *SMALL, *arguments]) == 0
        return journal(output)

    return evaluate


def journal(output: Path) -> list[Any]:
    """Return the lines of the journals, the times apart."""

    def timeless(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {name: value for name, value in pairs if name != "milliseconds"}

    lines = [line for path in sorted(output.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    return [json.loads(line, object_pairs_hook=timeless) for line in lines]


def test_an_interrupted_run_goes_on(evaluate: Callable[..., list[Any]], tmp_path: Path) -> None:
    """The same command twice has the same journal, and one that was cut off anywhere ends in the same."""
    expected = evaluate(tmp_path / "whole")
    assert [line.get("case") for line in expected] == [None, 0, 1, 2]
    assert any(node["asked"] for line in expected[1:] for typed in line["typed"] for node in typed["nodes"])
    whole = (tmp_path / "whole" / "typing.1-of-1.jsonl").read_bytes()
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]

    for number, length in enumerate([ends[0] + 1, ends[1] + 100, len(whole)]):
        output = tmp_path / str(number)
        output.mkdir()
        (output / "typing.1-of-1.jsonl").write_bytes(whole[:length])
        assert evaluate(output) == expected


def test_the_report_is_written_and_merged(
    evaluate: Callable[..., list[Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unfinished shards are in the report, and `--merge` makes it of the journals alone."""
    evaluate(tmp_path, "--shard", "1/2")
    assert "typing: 2 of 3 cases are done, and are in the report." in capsys.readouterr().err
    evaluate(tmp_path, "--shard", "2/2")
    (tmp_path / "typing.html").unlink()

    assert main(["eval", "--output", str(tmp_path), "--merge"]) == 0

    assert Reader((tmp_path / "typing.html").read_text("utf-8")).open == []
    assert json.loads((tmp_path / "typing.json").read_text("utf-8"))["typing"]["files"] == 3


def test_parts_and_settings_are_those_that_were_asked_for(evaluate: Callable[..., list[Any]], tmp_path: Path) -> None:
    """The set-up says them, and the two parts are of different packages."""
    report = evaluate(tmp_path / "report")
    tuning = evaluate(tmp_path / "tuning", "--part", "tuning", "--setting", "trigger=eager", "--all-thresholds")

    assert tuning[0]["settings"] == {"max_tokens": 4, "min_characters": 1, "trigger": "eager"}
    assert (tuning[0]["part"], tuning[0]["all_thresholds"]) == ("tuning", True)
    packages = [{line["file"].partition("/")[0] for line in lines[1:]} for lines in (report, tuning)]
    assert packages[0].isdisjoint(packages[1])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--setting", "trigger"], 'a setting is written NAME=VALUE, as trigger="eager"'),
        (["--setting", "trigger=never"], "`trigger` has to be"),
        (["--setting", "triger=eager"], "did you mean `trigger`?"),
        (["--characters", "0"], "--characters 0 leaves nothing to do"),
        (["--cases", "5000"], "usable files in this part: ask for fewer with --cases"),
        (["--part", "none"], "invalid choice"),
    ],
)
def test_bad_input_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, programs: Path, arguments: list[str], said: str
) -> None:
    """A mistake is named before a model is loaded, and nothing is written."""
    output = tmp_path / "output"
    command = ["eval", "--experiment", "typing", "--data", str(programs), "--output", str(output), *arguments]

    try:
        code = main(command)
    except SystemExit as ended:
        code = int(str(ended.code))

    assert code == 2
    assert said in capsys.readouterr().err
    assert not output.exists()


def test_suggestions_are_those_of_an_editor_without_memory() -> None:
    """The request is that of a user who types: silent inside a word, and the same however often it is asked."""
    settings = Settings.from_mapping({f"{LANGUAGE.name}.target_version": TARGET, "max_tokens": 4})
    typing = Suggestions(ScriptedProposer(PIECES, at_random(3)), settings)
    eager = Suggestions(ScriptedProposer(PIECES, at_random(3)), Settings.from_mapping({"trigger": "eager"}))
    for suggestions in (typing, eager):
        suggestions.open("one")

    assert typing.ask("na", "me = 1\n").stop == "there are letters on both sides of the cursor"
    assert eager.ask("na", "me = 1\n").stop == "there are letters on both sides of the cursor"
    first = typing.ask("x = ", "\n")
    assert first.tokens > 0
    assert typing.ask("x = ", "\n")._replace(milliseconds=0) == first._replace(milliseconds=0)


def test_what_is_suggested_is_not_remembered() -> None:
    """`suggest` leaves nothing that `recall` would find, unlike `complete`."""
    from dovetail.completer.local import LocalCompleter

    completer = LocalCompleter(lambda *_: ScriptedProposer(PIECES, at_random(3)))
    assert completer.load(Settings(max_tokens=4, min_characters=1, time_limit=600.0)).complaint is None
    document = Snapshot("file:///x.py", LANGUAGE.name, 1, "x = \n")

    suggested = completer.suggest(document, 4, Never())
    assert suggested.text
    assert completer.recall(document, 4).texts == ()
    assert completer.complete(document, 4, Never()).texts == (suggested.text,)
    assert completer.recall(document, 4).texts == (suggested.text,)
