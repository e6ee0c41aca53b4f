"""The script of a session: what is typed, and where. `script.json` has it for both editors.

A file has steps, and begins empty or with the text of a file `of` the checkout. A step puts the cursor after the first
place `after` which stands a given text, and types a text. A `‸` in it stands for a pause: the typist looks at what the
editor shows there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]

PAUSE = "‸"


def read_script() -> list[dict[str, Any]]:
    """Return the files of the script, each with its text at the beginning."""
    files: list[dict[str, Any]] = json.loads(Path(__file__).with_name("script.json").read_text(encoding="utf-8"))
    for file in files:
        file["text"] = (ROOT / file["of"]).read_text(encoding="utf-8") if file["of"] else ""
    return files


def place_of(step: dict[str, str], text: str) -> int:
    """Return the offset at which a step types."""
    after = step.get("after", "")
    if not after:
        return len(text)
    assert after in text, f"the file has no {after!r} any more: choose another place in script.json"
    return text.index(after) + len(after)


def typed(step: dict[str, str], text: str) -> str:
    """Return the text after a step."""
    at = place_of(step, text)
    return text[:at] + step["type"].replace(PAUSE, "") + text[at:]
