"""The session of typing that the editors' tests play: its places are in the files of the project."""

from __future__ import annotations

from typing import Any

import pytest
from tests.end_to_end.session.script import read_script, typed


@pytest.mark.parametrize("file", read_script(), ids=lambda file: str(file["file"]))
def test_each_step_has_its_place(file: dict[str, Any]) -> None:
    """A change of a file that takes a place away is told here, and not first by an editor."""
    text = file["text"]
    for step in file["steps"]:
        assert step.get("after", "") in text
        text = typed(step, text)
