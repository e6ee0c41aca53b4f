"""`dovetail grammar FILE --oracle COMMAND`: what it finds where a grammar is not its parser's language."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dovetail.__main__ import main
from dovetail.comparison.oracle_process import OracleProcess
from dovetail.comparison.survey import in_turn
from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from pathlib import Path

SUMS = """
start: sum
sum: WORD | sum "+" WORD | sum "-" WORD
WORD: /[ab]+/
"""
WORKER = """
import re, sys
while line := sys.stdin.buffer.readline():
    text = sys.stdin.buffer.read(int(line)).decode()
    {special}
    fits = re.fullmatch({pattern!r}, text)
    sys.stdout.buffer.write(b"1\\n" if fits else b"0 line 1: no sum at %a\\n" % text[:1])
    sys.stdout.buffer.flush()
"""


def compare(
    folder: Path, capsys: pytest.CaptureFixture[str], pattern: str, *options: str, special: str = "pass"
) -> tuple[int, str]:
    """Return exit code and output of a comparison of the sums with those that a pattern describes."""
    (folder / "sums.lark").write_text(SUMS, encoding="utf-8")
    worker = folder / "worker.py"
    worker.write_text(WORKER.format(pattern=pattern, special=special), encoding="utf-8")
    fixed = ["--derive", "40", "--mutated", "40", "--cuts", "20", "--masks", "2"]
    code = main(["grammar", str(folder / "sums.lark"), "--oracle", f"{sys.executable} {worker}", *fixed, *options])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


EXACT = "[ab]+([+-][ab]+)*"


def test_a_grammar_that_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing differs, and what was judged is counted."""
    code, printed = compare(tmp_path, capsys, EXACT)

    assert code == 0
    assert "derivation: 40\n" in printed
    assert "mask: 2\n" in printed
    assert "disagreements: 0 of 0 kinds" in printed


@pytest.mark.parametrize(
    ("pattern", "shortest"),
    [("[ab]+([+][ab]+)*", r"'[ab]-[ab]'"), ("[ab]+([+-]+[ab]+)*", r"'[ab][+-][+-][ab]'")],
    ids=["too loose", "too strict"],
)
def test_a_grammar_that_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pattern: str, shortest: str
) -> None:
    """The shortest text of the kind is shown, with both answers."""
    code, printed = compare(tmp_path, capsys, pattern)

    assert code == 1
    assert re.search(shortest, printed)
    assert "the engine: " in printed


def test_a_mask_that_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mask without any token is found, with the shortest place; saved, it is found again."""
    right, saved = Masker.mask, tmp_path / "saved.jsonl"
    monkeypatch.setattr(Masker, "mask", lambda self, state: np.zeros_like(right(self, state)))

    code, printed = compare(tmp_path, capsys, EXACT, "--failures", str(saved))
    assert code == 1
    assert "the engine: the mask lacks a token; the parser: the state takes it; b'" in printed
    assert compare(tmp_path, capsys, EXACT, "--redo", str(saved))[0] == 1
    monkeypatch.undo()
    assert compare(tmp_path, capsys, EXACT, "--redo", str(saved))[0] == 0


def test_findings_are_judged_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A saved disagreement is found again by the same parser, and no more by one that agrees."""
    saved = tmp_path / "saved.jsonl"
    assert compare(tmp_path, capsys, "[ab]+([+][ab]+)*", "--failures", str(saved))[0] == 1

    assert compare(tmp_path, capsys, "[ab]+([+][ab]+)*", "--redo", str(saved))[0] == 1
    code, printed = compare(tmp_path, capsys, EXACT, "--redo", str(saved))
    assert code == 0
    assert "0 still disagree" in printed


def test_a_listed_deviation_is_counted_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A difference that a list explains is no disagreement."""
    listed = tmp_path / "listed.toml"
    listed.write_text(
        """[[deviations]]\nname = "minus"\ntext = '-'\nmessage = 'no sum'\nengine = "accepts"\n""", encoding="utf-8"
    )
    code, printed = compare(tmp_path, capsys, "[ab]+([+][ab]+)*", "--deviations", str(listed))

    assert code == 0
    assert "explained, minus: " in printed


def test_one_cause_is_shown_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whole texts and middles, and objections in other words, are one cause if their smallest texts are alike."""
    special = "if '-' in text: print('0', 'odd' if text.count('-') % 2 else 'even', flush=True); continue"
    code, printed = compare(tmp_path, capsys, EXACT, special=special)

    assert code == 1
    assert printed.count("the engine: accepts") == 1
    for kind in ("text", "middle", "closing"):
        assert f"{kind}: accepts, refuses: odd (" in printed
        assert f"{kind}: accepts, refuses: even (" in printed
    assert printed.count("    the same as ") == 5
    assert re.search(r"disagreements: \d+ of 6 kinds with 1 cause\n", printed)


def test_two_causes_are_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Disagreements whose smallest texts differ are shown apart."""
    words = "'minus' if '-' in text else 'two'"
    special = f"if '-' in text or text.count('+') > 1: print('0', {words}, flush=True); continue"
    _, printed = compare(tmp_path, capsys, EXACT, special=special)

    assert re.search(r"'[ab]-[ab]'", printed)
    assert re.search(r"'[ab]\+[ab]\+[ab]'", printed)
    assert " kinds with 2 causes\n" in printed


def test_a_worker_that_fails_says_so_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its objection is printed at its first end, and not again at those that follow."""
    code, printed = compare(tmp_path, capsys, EXACT, special="raise ImportError('no parser here')")

    assert code == 2
    assert printed.count("no parser here") == 2, "the line of the program, and the message below it"
    assert "ended without an answer" in printed


def test_a_log_hears_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines say how much was compared if no person watches."""
    monkeypatch.setattr("dovetail.commands.steps.EVERY", 0)
    _, printed = compare(tmp_path, capsys, EXACT)

    assert re.findall(r"comparing: (\d+) of 102, 0 disagreements\n", printed)[-1] == "102"


def test_a_text_that_the_worker_does_not_survive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not judged, and the worker is started again for the next."""
    code, printed = compare(tmp_path, capsys, EXACT, special="if '-' in text: sys.exit()")

    assert code == 0
    assert "disagreements: 0 of 0 kinds" in printed


def test_a_text_that_a_worker_goes_round_on(tmp_path: Path) -> None:
    """It is not judged, and the worker is started again for the next."""
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import sys\n"
        "for line in sys.stdin.buffer:\n"
        "    text = sys.stdin.buffer.read(int(line))\n"
        "    if text == b'round': sys.stdin.buffer.read()\n"  # it waits for an end that does not come
        "    print(1, flush=True)\n"
    )
    process = OracleProcess(f"{sys.executable} {worker}", patience=0.5)
    [gone] = process.judge(["round"])
    process.patience = 600.0
    [judged] = process.judge(["straight"])
    process.close()

    assert (gone.accepted, judged.accepted) == (None, True)


@pytest.mark.parametrize(
    ("special", "words"),
    [("sys.exit()", "ended without an answer"), ("print('yes', flush=True)", "answered 'yes'")],
    ids=["silent", "another protocol"],
)
def test_a_worker_that_does_not_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], special: str, words: str
) -> None:
    """It is a mistake of the user's, said in one sentence."""
    code, printed = compare(tmp_path, capsys, EXACT, special=special)

    assert code == 2
    assert words in printed


def test_files_of_a_corpus_are_judged_and_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file about which the two disagree is shown."""
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "one.sum").write_text("a+b", encoding="utf-8")
    (tmp_path / "corpus" / "two.sum").write_text("a*b", encoding="utf-8")
    code, printed = compare(tmp_path, capsys, "[ab]+([+*-][ab]+)*", "--corpus", str(tmp_path / "corpus"))

    assert code == 1
    assert "file: 2\n" in printed
    assert "text: refuses, accepts" in printed


def test_it_is_said_what_the_parser_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verdicts are counted; where there was none, nothing was compared, and that is a mistake of the user's."""
    _, printed = compare(tmp_path, capsys, EXACT)
    assert re.search(r"texts that the parser judged: [1-9][\d,]* accepted, [1-9][\d,]* refused, 0 undecided", printed)

    undecided = "print('? no idea', flush=True); continue"
    code, printed = compare(tmp_path, capsys, EXACT, "--jobs", "2", special=undecided)
    assert code == 2
    assert "decided nothing, so nothing was compared." in printed


def test_an_end_before_all_was_compared_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The counts say what is missing, on the screen and in the summary."""
    summary = tmp_path / "summary.md"
    code, printed = compare(tmp_path, capsys, EXACT, "--minutes", "0", "--cuts", "0", "--summary", str(summary))

    assert code == 2, "nothing was decided"
    for text in (printed, summary.read_text("utf-8")):
        assert "derivation: 0 of 40\n" in text
        assert "mask: 0 of 2\n" in text
        assert "cut" not in text
        assert "ended before all was compared; --minutes allows more" in text

    _, printed = compare(tmp_path, capsys, EXACT, "--minutes", "0", "--keep", str(tmp_path / "run.json"))
    assert "ended before all was compared; the next run goes on" in printed


def test_a_comparison_that_was_ended_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing that was kept is judged again, and the same amounts have the same outcome; another seed is refused."""
    kept, wrong = ("--keep", str(tmp_path / "run.json")), "[ab]+([+][ab]+)*"
    _, at_once = compare(tmp_path, capsys, wrong)
    compare(tmp_path, capsys, wrong, "--derive", "20", "--cuts", "0", "--masks", "0", *kept)
    _, in_parts = compare(tmp_path, capsys, wrong, *kept)
    assert _totals(in_parts) == _totals(at_once) != []

    right = ("--keep", str(tmp_path / "right.json"))
    _, at_once = compare(tmp_path, capsys, EXACT, *right)
    code, again = compare(tmp_path, capsys, EXACT, "--minutes", "0", *right)
    assert code == 0
    assert _totals(again) == _totals(at_once)

    code, printed = compare(tmp_path, capsys, wrong, "--seed", "2", *kept)
    assert code == 2
    assert "was kept with another grammar" in printed


def test_a_narrower_language_of_ones_own_decides_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Texts of a language of one's own are not read in another, so it need not exist."""
    narrower = "[narrower]\nlanguage = 'other'\nsign = 'a'\npassed = 'b'\n"
    (tmp_path / "sums.toml").write_text(narrower, encoding="utf-8")

    code, printed = compare(tmp_path, capsys, EXACT, "--keep", str(tmp_path / "run.json"))

    assert code == 0, printed


def _totals(printed: str) -> list[str]:
    return re.findall(r"^(?:\w+: \d.*|texts .*|disagreements: .*)$", printed, re.MULTILINE)


def test_all_kinds_advance_alike() -> None:
    """Each kind has had about the same share of its texts, whatever ends a comparison early."""
    amounts = {"derivation": 2_000, "mutated": 400, "cut": 200, "mask": 100}
    blocks = in_turn(amounts)

    assert {kind: sum(block.amount for block in blocks if block.kind == kind) for kind in amounts} == amounts
    half = blocks[: len(blocks) // 2]
    shares = [sum(block.amount for block in half if block.kind == kind) / amounts[kind] for kind in amounts]
    assert all(share == pytest.approx(0.5, abs=0.15) for share in shares)


def test_a_folder_without_a_file_of_the_language_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of it could be judged."""
    (tmp_path / "empty").mkdir()
    code, printed = compare(tmp_path, capsys, EXACT, "--corpus", str(tmp_path / "empty"))

    assert code == 2
    assert "empty: there is no file in this folder." in printed
