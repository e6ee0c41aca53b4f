"""A real Emacs with eglot, in batch, with the lines that `EDITORS.md` tells its user to write."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import pytest

from dovetail import load_language

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
EDITORS = HERE.parents[2] / "EDITORS.md"

LEFT = '# 😀\ndef total(prices, rate):\n    subtotal = "😀" and sum('
RIGHT = "\n    return subtotal * (1 + rate)\n"


def find_emacs() -> str | None:
    """Return an Emacs that has eglot: the one that is installed, or what `install.sh` made."""
    unpacked = platformdirs.user_cache_path("dovetail-tests") / "emacs" / "emacs"
    for program in (shutil.which("emacs"), str(unpacked)):
        if program is None or not os.access(program, os.X_OK):
            continue
        asked = [program, "--batch", "--quick", "--eval", "(princ emacs-major-version)"]
        version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        if int(version) >= 29:
            return program
    return None


EMACS = find_emacs()

pytestmark = [
    pytest.mark.editor,
    pytest.mark.skipif(EMACS is None, reason="there is no Emacs with eglot; `make emacs` unpacks one"),
]


def settings() -> str:
    """Return the lines for eglot from `EDITORS.md`, with the server of this checkout and a longer time limit."""
    section = re.search(r"^## Emacs with eglot\n(.*?)^## ", EDITORS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert section is not None
    block = re.search(r"```elisp\n(.*?)```", section[1], re.DOTALL)
    assert block is not None
    lines = block[1]
    for written, meant in [
        ('"dovetail" "serve"', f'"{sys.executable}" "-m" "dovetail" "serve"'),
        (":completion_items t", ":completion_items t :completion_time_limit 60"),
    ]:
        assert lines.count(written) == 1
        lines = lines.replace(written, meant)
    return lines


def parse_javascript(text: str) -> None:
    """Raise SyntaxError for a text that is no program, as the parsers of the other languages do."""
    if not load_language("javascript").accepts(text):
        raise SyntaxError(text)


@pytest.mark.parametrize(
    ("name", "left", "right", "parse"),
    [
        ("total.py", LEFT, RIGHT, ast.parse),
        ("flags.json", '{"😀": [true, fal', "]\n}\n", json.loads),
        ("total.js", "const flags = [true, fal", "];\n", parse_javascript),
    ],
)
def test_what_the_key_inserts_fits(
    tmp_path: Path, name: str, left: str, right: str, parse: Callable[[str], object]
) -> None:
    """The file that was opened, completed once and saved is a program, and more than before."""
    path = tmp_path / name
    path.write_text(left + right, "utf-8")
    (tmp_path / "settings.el").write_text(settings(), "utf-8")
    assert EMACS is not None
    command = [
        EMACS, "--batch", "--quick", "--load", str(tmp_path / "settings.el"), "--load", str(HERE / "complete.el"),
        str(path), str(len(left)),
    ]  # fmt: skip

    finished = subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=300, check=False,
        env={**os.environ, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
    )  # fmt: skip

    assert finished.returncode == 0, finished.stderr
    completed = path.read_text("utf-8")
    parse(completed)
    assert completed.startswith(left)
    assert completed.endswith(right)
    assert len(completed) > len(left + right)
