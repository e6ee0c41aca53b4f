"""`dovetail eval --experiment cross-file`: the real decoder with a scripted model that copies what it was shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, at_random

from dovetail.__main__ import main
from dovetail.evaluation.crossfile.record import WITH, WITHOUT
from dovetail.model import hosting

if TYPE_CHECKING:
    from pathlib import Path

MONEY = "class Euro:\n    def __init__(self, whole, cents):\n        self.whole = whole\n        self.cents = cents\n"
CART = "from shop.money import Euro\n\n\ndef start():\n    return Euro(0, cents=0)\n"

COMMAND = ("eval", "--experiment", "cross-file", "--cut", "names")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data/shop").mkdir(parents=True)
    (tmp_path / "data/shop/money.py").write_text(MONEY)
    (tmp_path / "data/shop/cart.py").write_text(CART)
    proposer = ScriptedProposer([b"Euro", b"(", b")", b"0", b", "], at_random(3), window=4096)
    monkeypatch.setattr(hosting, "load_model", lambda name=None: proposer)
    return tmp_path


def test_both_ways(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each case is completed with a part of the imported file and without, recorded, reported, and done once."""
    command = [*COMMAND, "--data", str(folder / "data"), "--output", str(folder / "out")]
    for _ in range(2):
        assert main([*command, "--cases", "1", "--max-tokens", "6"]) == 0
    setup, record = map(json.loads, (folder / "out/cross-file.1-of-1.jsonl").read_text("utf-8").splitlines())
    assert (setup["experiment"], setup["language"], setup["files"]) == ("cross-file", "python", 2)
    assert (record["file"], record["wanted"], record["name"]) == ("shop/cart.py", "Euro(0, cents=0)", "Euro")
    assert record["outcomes"][WITHOUT]["parts"] == 0
    assert record["outcomes"][WITH]["parts"] == 1
    assert (folder / "out/cross-file.md").exists()
    assert "cross-file.md" in capsys.readouterr().err


def test_solved_by_a_smaller_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that a smaller model writes from the file alone are not completed nor counted, and the report says so."""
    ours = hosting.load_model()
    wanted = b"Euro(0, cents=0)"
    smaller = ScriptedProposer(
        rank=lambda own, text: [wanted[len(text)] if wanted.startswith(text) and text != wanted else own.end],
        window=4096,
    )
    monkeypatch.setattr(hosting, "load_model", lambda name=None: ours if name is None else smaller)
    command = [*COMMAND, "--data", str(folder / "data"), "--unsolved-by", "small", "--max-tokens", "20"]
    assert main([*command, "--cases", "1", "--output", str(folder / "out")]) == 0
    setup, record = map(json.loads, (folder / "out/cross-file.1-of-1.jsonl").read_text("utf-8").splitlines())
    assert setup["smaller"] == smaller.name
    assert (record["is_solved"], record["outcomes"]) == (True, {})
    assert not (folder / "out/cross-file.md").exists()

    (folder / "data/shop/purse.py").write_text(CART.replace("start", "empty").replace("cents=0", "cents=1"))
    assert main([*command, "--cases", "2", "--output", str(folder / "more")]) == 0
    report = (folder / "more/cross-file.md").read_text("utf-8")
    assert "1 of the 2 lines are left out" in report
    assert "1 count." in report


def test_mistakes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown language and too many cases are mistakes of the command line, said before a model is loaded."""
    command = [*COMMAND, "--data", str(folder / "data"), "--output", str(folder / "out")]
    assert main([*command, "--language", "cobol"]) == 2
    assert "known are" in capsys.readouterr().err
    assert main([*command, "--cases", "7"]) == 2
    assert "another file (1)" in capsys.readouterr().err
    assert not (folder / "out").exists()
