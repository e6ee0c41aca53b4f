"""A model that says that it knows few languages: the embedded one under another name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from dovetail.model.hosting import EMBEDDED, LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path


def narrow_model(folder: Path, *languages: str) -> Path:
    """Make a folder with the embedded model that names these languages alone, and return it."""
    folder.mkdir()
    for path in EMBEDDED.iterdir():
        if path.name != LANGUAGES:
            (folder / path.name).symlink_to(path)
    (folder / LANGUAGES).write_text(json.dumps(languages), encoding="utf-8")
    return folder
