"""`dovetail complete` with the real engine; the models are scripted, but for the embedded one at the end."""

from __future__ import annotations

import ast
import io
import json
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, at_random, writes

from dovetail.__main__ import main
from dovetail.commands import complete

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = Path(__file__).parent.parent / "examples"
PLACES = [(EXAMPLES / "inventory.py", 47, 57), (EXAMPLES / "report.py", 12, 5)]
"""The places that the demonstration completes; neither file parses as it is."""


@pytest.fixture(name="complete_with")
def _complete_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, dict[str, object]]]:
    """Return a function that completes with a given model and returns exit code and printed JSON."""

    def complete_with(proposer: ScriptedProposer, *arguments: str) -> tuple[int, dict[str, object]]:
        monkeypatch.setattr(complete, "_proposer", lambda name: proposer)
        code = main(["complete", "--json", *arguments])
        return code, json.loads(capsys.readouterr().out)

    return complete_with


def parse(text: str) -> None:
    """Raise SyntaxError for what is no Python; what only warns is Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(text)


def inserted(path: Path, outcome: dict[str, object]) -> str:
    text = path.read_text(encoding="utf-8")
    offset = outcome["offset"]
    assert isinstance(offset, int)
    return f"{text[:offset]}{outcome['text']}{text[offset:]}"


@pytest.mark.parametrize(("path", "line", "column"), PLACES, ids=["brackets", "block"])
def test_the_examples_need_a_completion(path: Path, line: int, column: int) -> None:
    """The files of the demonstration do not parse before they are completed."""
    with pytest.raises(SyntaxError):
        ast.parse(path.read_text(encoding="utf-8"))


def test_the_model_has_its_way(complete_with: Callable[..., tuple[int, dict[str, object]]]) -> None:
    """The text that the model wants is inserted if it fits."""
    path, line, column = PLACES[0]
    proposer = ScriptedProposer([b"item", b".count"], writes(b"item", b".count"))

    code, outcome = complete_with(proposer, f"{path}:{line}:{column}")

    assert (code, outcome["text"], outcome["stop"]) == (0, "item.count", "end")
    assert "key=lambda item: item.count):" in inserted(path, outcome)


def test_beams_find_a_likelier_text_than_greedy_decoding(
    complete_with: Callable[..., tuple[int, dict[str, object]]],
) -> None:
    """With `--beams` a text counts as a whole: one that begins with the second choice may be the likeliest."""
    path, line, column = PLACES[0]

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        wanted = [proposer.token(b"a"), proposer.token(b"item")]
        if text == b"a":
            wanted = [proposer.token(piece) for piece in (b"]", b"}", b"?", b"x")]
        elif text:
            wanted = [proposer.end]
        return wanted + [token for token in range(len(proposer.vocabulary.pieces)) if token not in wanted]

    proposer = ScriptedProposer([b"a", b"item"], rank)

    greedy = complete_with(proposer, f"{path}:{line}:{column}")
    searched = complete_with(proposer, "--beams", "3", f"{path}:{line}:{column}")

    assert [greedy[1]["text"], searched[1]["text"]] == ["ax", "item"]
    assert greedy[0] == searched[0] == 0


def test_several_candidates(
    complete_with: Callable[..., tuple[int, dict[str, object]]], capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--candidates` up to so many different texts are offered, and each parses; the first is the usual one."""
    path, line, column = PLACES[0]
    proposer = ScriptedProposer([b"item", b".count", b"size"], writes(b"item", b".count"))

    code, outcome = complete_with(proposer, f"{path}:{line}:{column}", "--candidates", "3")
    main(["complete", f"{path}:{line}:{column}", "--candidates", "3"])

    candidates = outcome["candidates"]
    assert isinstance(candidates, list)
    texts = [candidate["text"] for candidate in candidates]
    assert (code, texts[0], outcome["text"]) == (0, "item.count", "item.count")
    assert 1 < len(set(texts)) == len(texts) <= 3
    for candidate in candidates:
        parse(inserted(path, {**outcome, **candidate}))
    printed = capsys.readouterr().out
    assert [f"{path}, candidate {number}" in printed for number in (1, 2)] == [True, True]


def test_only_what_an_editor_shows_by_itself(
    complete_with: Callable[..., tuple[int, dict[str, object]]], tmp_path: Path
) -> None:
    """With `--while-typing` nothing is offered within a word, where a text that fits is offered by hand."""
    path = tmp_path / "word.py"
    path.write_text("value = itm\n", encoding="utf-8")
    proposer = ScriptedProposer([b"e"], writes(b"e"))

    by_hand = complete_with(proposer, f"{path}:1:11")
    by_itself = complete_with(proposer, f"{path}:1:11", "--while-typing")

    assert (by_hand[0], by_hand[1]["text"]) == (0, "e")
    assert (by_itself[0], by_itself[1]["text"], by_itself[1]["stop"]) == (1, None, "word")


def test_standard_input_is_completed(
    complete_with: Callable[..., tuple[int, dict[str, object]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-` completes what standard input holds, under the name and at the place of `--stdin-filename`."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[1, , 3]")))

    code, outcome = complete_with(
        ScriptedProposer([b"2"], writes(b"2")), "-", "--stdin-filename", "no/such/folder/data.json:1:5"
    )

    assert (code, outcome["text"], outcome["file"]) == (0, "2", str(Path("no/such/folder/data.json")))
    assert outcome["version"] == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-"], "-: give a name and a place with --stdin-filename, as in `module.py:12:5`."),
        (
            ["-", "--stdin-filename", "a.py"],
            "a.py: a place is written FILE:LINE:COLUMN, as in `module.py:12:5`.",
        ),
        (
            ["a.py:1:1", "--stdin-filename", "a.py:1:1"],
            "--stdin-filename a.py:1:1: only - as the place reads standard input.",
        ),
        (["a.py:1:1", "--candidates", "0"], "--candidates 0 leaves nothing to offer: give at least 1."),
    ],
)
def test_mistakes_are_told(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options that do not go together are one sentence and exit code 2."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))

    assert main(["complete", *arguments]) == 2
    assert capsys.readouterr().err == sentence + "\n"


def test_there_is_at_least_one_beam(capsys: pytest.CaptureFixture[str]) -> None:
    """A search without a beam is a mistake that is told."""
    assert main(["complete", "--beams", "0", f"{PLACES[0][0]}:1:1"]) != 0
    assert "--beams 0 leaves nothing to follow: give at least 1" in capsys.readouterr().err


def test_a_doubled_bracket_is_refused(complete_with: Callable[..., tuple[int, dict[str, object]]]) -> None:
    """A model that would close the bracket a second time, on the same line, is not let."""
    path, line, column = PLACES[0]
    proposer = ScriptedProposer([b"item", b"))"], writes(b"item", b"))"))

    code, outcome = complete_with(proposer, f"{path}:{line}:{column}")

    assert (code, outcome["stop"]) == (0, "end")
    assert outcome["refused"] == 1 + 9  # the brackets, and the bytes that come before a tab
    assert outcome["text"] == "item\t"
    parse(inserted(path, outcome))


@pytest.mark.parametrize(("path", "line", "column"), PLACES, ids=["brackets", "block"])
@pytest.mark.parametrize("budget", [1, 8, 20])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_model_that_knows_nothing_still_completes(
    complete_with: Callable[..., tuple[int, dict[str, object]]],
    path: Path,
    line: int,
    column: int,
    budget: int,
    seed: int,
) -> None:
    """The result parses whatever is proposed, or nothing is offered that the model did not write."""
    proposer = ScriptedProposer([b"except", b":\n", b"    ", b"item", b"(", b"'"], at_random(seed))

    code, outcome = complete_with(proposer, f"{path}:{line}:{column}", "--max-tokens", str(budget))

    if outcome["text"] is None:
        assert code == 1
        assert outcome["stop"] in ("too_long", "invented", "short")
    else:
        assert code == 0
        parse(inserted(path, outcome))


def test_nothing_fits(tmp_path: Path, complete_with: Callable[..., tuple[int, dict[str, object]]]) -> None:
    """Nothing is offered if nothing fits, with exit code 1."""
    path = tmp_path / "file.json"
    path.write_text("[1] ]")

    code, outcome = complete_with(ScriptedProposer(), f"{path}:1:4")

    assert (code, outcome["text"], outcome["stop"]) == (1, None, "not_viable")


def test_a_file_that_was_broken_before_is_not_blamed_on_the_completion(
    tmp_path: Path, complete_with: Callable[..., tuple[int, dict[str, object]]]
) -> None:
    """The parser's no is told as one that the file had before, if a part of it was left out."""
    path = tmp_path / "file.py"
    path.write_text("a = = 1\nb = [1, ]\n")

    _, outcome = complete_with(ScriptedProposer([], at_random(5)), f"{path}:2:9")

    judgement = outcome["judgement"]
    assert isinstance(judgement, dict), outcome
    assert (judgement["accepted"], judgement["broken_before"]) == (False, True)


@pytest.mark.parametrize(("text", "line"), [("", 1), ("\n", 2), ("[1, 2]", 1)])
def test_json_and_the_ends_of_a_file(
    text: str, line: int, tmp_path: Path, complete_with: Callable[..., tuple[int, dict[str, object]]]
) -> None:
    """JSON is completed at the start and the end of a file, an empty one too."""
    path = tmp_path / "file.json"
    path.write_text(text)

    code, outcome = complete_with(ScriptedProposer([], at_random(5)), f"{path}:{line}:1", "--max-tokens", "9")

    if outcome["text"] is None:
        assert (code, outcome["stop"], text) == (1, "blank", "[1, 2]")  # only blanks fit there
    else:
        assert code == 0
        json.loads(inserted(path, outcome))


def test_an_unknown_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A version of Python that the grammar does not know is one sentence and exit code 2."""
    path = tmp_path / "file.py"
    path.write_text("")

    code = main(["complete", f"{path}:1:1", "--target", "2.7"])

    printed = capsys.readouterr()
    assert (code, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert "2.7" in printed.err


def test_a_model_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model folder that does not exist is one sentence and exit code 2."""
    path = tmp_path / "file.py"
    path.write_text("")

    code = main(["complete", f"{path}:1:1", "--model", f"{tmp_path}/none"])

    printed = capsys.readouterr()
    assert (code, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert f"{tmp_path}/none" in printed.err


@pytest.mark.parametrize(("path", "line", "column"), PLACES, ids=["brackets", "block"])
def test_the_embedded_model_completes_the_examples(
    path: Path, line: int, column: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model that comes with Dovetail completes the places of the demonstration, and the result parses."""
    code = main(["complete", "--json", "--max-tokens", "12", f"{path}:{line}:{column}"])

    outcome = json.loads(capsys.readouterr().out)
    assert (code, outcome["model"]) == (0, "embedded")
    assert outcome["judgement"]["accepted"]
    parse(inserted(path, outcome))


def test_refused_tokens_are_explained(
    tmp_path: Path,
    complete_with: Callable[..., tuple[int, dict[str, object]]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With --explain each refused token is named with what refused it: the left text, the right one, or a rule."""
    path = tmp_path / "file.json"
    path.write_text('{"a": [1, }')

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        middle = proposer.vocabulary.specials["<|fim_middle|>"]
        wanted = [proposer.token(piece) for piece in (b"}", b"] x", b"]]") if not text]
        return [middle, proposer.end, *wanted, proposer.end if text.endswith(b"]") else proposer.token(b"2]")]

    proposer = ScriptedProposer([b"2]", b"] x", b"]]", b"}"], rank)
    code, outcome = complete_with(proposer, f"{path}:1:11", "--explain")

    assert (code, outcome["text"]) == (0, "2]")
    refused = [(entry["text"], entry["piece"], entry["by"]) for entry in outcome["refusals"]]  # type: ignore[attr-defined]
    assert refused == [
        ("", "<|fim_middle|>", "it stands for no text"),
        ("", "<|endoftext|>", "the text cannot end here"),
        ("", "}", "no program begins like this"),
        ("", "] x", "no program begins like this"),
        ("", "]]", "no program begins like this"),
        ("2]", "<|fim_middle|>", "it stands for no text"),
    ]

    main(["complete", f"{path}:1:11", "--explain"])
    printed = capsys.readouterr().out
    assert "Tokens that the model would rather have had:" in printed
    assert "'' '}': no program begins like this" in printed


def test_the_right_text_refuses_too(
    tmp_path: Path, complete_with: Callable[..., tuple[int, dict[str, object]]]
) -> None:
    """A token that the left text would take is refused by the right one, and is said to be."""
    path = tmp_path / "file.json"
    path.write_text("[1, , 3]")
    proposer = ScriptedProposer(
        [b"2]"], lambda proposer, text: [proposer.end] if text else [proposer.token(b"2]"), ord("4")]
    )

    _, outcome = complete_with(proposer, f"{path}:1:5", "--explain")

    assert outcome["text"] == "4"
    assert outcome["refusals"] == [{"text": "", "piece": "2]", "by": "what follows the cursor does not go with it"}]
