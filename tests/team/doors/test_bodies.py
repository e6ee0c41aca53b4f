"""The requests that real clients send, read into what they ask.

Each file of `cases` has the client, the door, the body, and the fields of `WindowRequest` that differ from their
defaults, or the sentence with which the body is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dovetail.team.doors.bodies import read_completion, read_fim, read_generate, read_infill
from dovetail.team.doors.window_request import BodyError, Form, WindowRequest

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))
READERS = {"completions": read_completion, "fim": read_fim, "infill": read_infill, "generate": read_generate}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_client(path: Path) -> None:
    """A client's request is read as it means it, or refused with a sentence that says what to send."""
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    reader = READERS[case["door"]]
    if "refused" in case:
        with pytest.raises(BodyError) as raised:
            reader(case["body"])
        assert str(raised.value) == case["refused"]
        return
    fields = {**case["asked"], "form": Form[case["asked"]["form"]], "stops": tuple(case["asked"].get("stops", ()))}

    assert reader(case["body"]) == WindowRequest(**fields)
