"""Other interpreters' verdicts on texts: each runs in a process of its own, which answers many questions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from tests.oracles.cpython import LIMITS

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORKER = f"""
import ast, json, sys, warnings
warnings.simplefilter("ignore")
LIMITS = {LIMITS!r}
def verdict(text):
    try:
        ast.parse(text)
    except SyntaxError as error:
        return None if any(words in str(error) for words in LIMITS) else False
    except ValueError:
        return False
    except (RecursionError, MemoryError):
        return None
    return True
for line in sys.stdin:
    question = json.loads(line)
    answer = ast.__file__[:-7] if question == "library" else [verdict(text) for text in question]
    print(json.dumps(answer), flush=True)
"""


class Interpreter:
    """One interpreter, ready to judge; closing it ends its process."""

    def __init__(self, path: Path) -> None:
        """Start the interpreter; it needs nothing but its standard library."""
        self._process = subprocess.Popen(
            [str(path), "-E", "-S", "-c", _WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="ascii",
        )

    def parses(self, texts: Sequence[str]) -> list[bool | None]:
        """Return for each text whether `ast.parse` accepts it; None where the interpreter gave up."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(list(texts)) + "\n")
        self._process.stdin.flush()
        answers: list[bool | None] = json.loads(self._process.stdout.readline())
        assert len(answers) == len(texts)
        return answers

    def library(self) -> Path:
        """Return the folder of its standard library."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write('"library"\n')
        self._process.stdin.flush()
        return Path(json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@cache
def find_interpreter(version: str) -> Path | None:
    """Return the CPython of a version, such as `3.12`, or None.

    It is searched for in pyenv's folder, on the search path, and where `make interpreters` unpacks the newest.
    """
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    kept = sorted(root.glob(f"versions/{version}.*/bin/python{version}"))
    on_path = shutil.which(f"python{version}")
    unpacked = platformdirs.user_cache_path("dovetail-tests") / "cpython" / f"python{version}"
    for candidate in [*kept, *([Path(on_path)] if on_path else []), *([unpacked] if unpacked.exists() else [])]:
        if _is_version(candidate, version):
            return candidate
    return None


def _is_version(path: Path, version: str) -> bool:
    # A launcher of that name may be there for a version that is not installed.
    question = "import sys; print('%d.%d' % sys.version_info[:2], sys.implementation.name)"
    command = [str(path), "-E", "-S", "-c", question]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.stdout.split() == [version, "cpython"]
