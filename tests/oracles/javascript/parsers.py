"""Workers of the parsers of JavaScript, TypeScript and JSON with comments, where `make javascript-parsers` put them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs
import pytest

from dovetail.comparison.oracle_process import OracleProcess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.grammar.oracle import Verdict

FOLDER = platformdirs.user_cache_path("dovetail-tests") / "javascript"
"""The folder that `make javascript-parsers` fills."""
FILES = FOLDER / "files"
"""The corpus: a folder for each kind of file, and in it one for each package."""
CONFORMANCE = FOLDER / "node_modules" / "test262-parser-tests"
"""Texts that are programs, those that are none, and those with an early error, each in a folder of that name."""

_WORKER = Path(__file__).parent / "worker.mjs"


def find_worker(target: str) -> str | None:
    """Return the command of the worker for a target, such as `2022 module jsx`, or None if the parsers are not here."""
    if not (FOLDER / "ready").exists() or shutil.which("node") is None:
        return None
    return f"node --experimental-vm-modules --no-warnings {_WORKER} {target}"


def verdicts(target: str, texts: Sequence[str]) -> list[Verdict]:
    """Return what the parsers together say of each text; skip the test that asks where they are not at hand."""
    command = find_worker(target)
    if command is None:
        pytest.skip("no parsers of JavaScript at hand; `make javascript-parsers` fetches them")
    judge = OracleProcess(command)
    try:
        return judge.judge(texts)
    finally:
        judge.close()


def answers(command: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return what each parser says of each text: parser → whether it accepts, the early error's name, the message."""
    sent = [text.encode() for text in texts]
    message = b"".join(b"%d\n" % len(text) + text for text in sent)
    answered = subprocess.run([*command.split(), "--each"], input=message, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in answered.stdout.splitlines()]
