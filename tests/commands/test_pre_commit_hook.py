"""The hook for pre-commit: it runs a command that there is, over files whose languages are known."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dovetail.__main__ import main
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from collections.abc import Mapping

HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def hook() -> Mapping[str, str]:
    """Return the keys of the only hook; each is one line."""
    return dict(re.findall(r"^(?:- |  )(\w+): (.+)$", HOOKS.read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize(("text", "code"), [("x = 1\n", 0), ("x = (\n", 1)])
def test_the_hook_runs(text: str, code: int, tmp_path: Path) -> None:
    """With the files that pre-commit appends, the hook ends with 1 exactly if one of them does not fit."""
    (tmp_path / "right.json").write_text("[]", "utf-8")
    (tmp_path / "x.py").write_text(text, "utf-8")

    program, *arguments = shlex.split(hook()["entry"])

    assert program == "dovetail"
    assert main([*arguments, str(tmp_path / "right.json"), str(tmp_path / "x.py")]) == code


def test_the_hook_is_for_known_languages() -> None:
    """Each kind of file that pre-commit hands over is a language with a grammar, an ending of files, or notebooks."""
    kinds = set(hook()["types_or"].strip("[]").split(", "))
    endings = {extension.removeprefix(".") for facts in languages().values() for extension in facts.extensions}

    assert {"python", "json"} <= kinds <= {"jupyter", *endings, *languages()}
