"""`dovetail complete` where nothing fits, because of a mistake elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes

from dovetail.__main__ import main
from dovetail.commands import complete

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "text", "place", "said"),
    [
        ("before.json", '{ "a" "b": }\n', "1:12", "line 1, column 7: "),
        ("behind.json", "[1, \n]\ntwo\n", "1:5", "line 3, column 1: "),
    ],
)
def test_what_is_in_the_way_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    name: str, text: str, place: str, said: str,
) -> None:  # fmt: skip
    """The mistake is named, before the cursor or behind it."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(complete, "_proposer", lambda name: ScriptedProposer([b"1"], writes(b"1")))

    code = main(["complete", f"{path}:{place}"])

    printed = capsys.readouterr().out
    assert code == 1
    assert f"Nothing is offered: no text at all fits between the left and the right: {said}" in printed
