"""One run of a program that a model wrote: in a process of its own, with limits, and only where the user asked for it.

The limits keep a mistake from filling the machine. They are no sandbox: the program has the rights of the user.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dovetail.evaluation.error import EvaluationError

FILE = "{file}"
"""The place of the program's path in a command."""

_GIBIBYTE = 1 << 30
_LIMITED = """
import sys
try:
    import resource
except ImportError:  # Windows
    import subprocess
    sys.exit(subprocess.run(sys.argv[3:], check=False).returncode)
import os
for kind, limit in (("CPU", int(sys.argv[1])), ("AS", int(sys.argv[2])), ("FSIZE", 64 << 20), ("CORE", 0)):
    resource.setrlimit(getattr(resource, "RLIMIT_" + kind), (limit, limit))
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""The beginning of the process: it limits itself, and becomes the command."""


class RunLimits(NamedTuple):
    """The limits of one run."""

    seconds: float = 10.0
    """Of the clock, and rounded up of the processor."""
    memory: int = 4 * _GIBIBYTE
    """Bytes of addresses of each process."""


DEFAULT = RunLimits()


class ProgramRun(NamedTuple):
    """The result of a run."""

    passed: bool
    """True if the program ended with 0."""
    printed: str
    """The end of what it wrote, or why it was ended."""


def check_command(command: str) -> None:
    """Raise EvaluationError for a command that names no program file."""
    if FILE not in command:
        raise EvaluationError(
            f"--run {command}: write {FILE} where the program's path belongs, as `python3 -I {FILE}`."
        )


def run_program(command: str, program: str, ending: str, limits: RunLimits = DEFAULT) -> ProgramRun:
    """Write a program to a file of its own and run it; `ending`: that of the file's name, with its dot.

    It has an empty folder as home and working folder, no input, and of the environment little but `PATH`. Raises
    EvaluationError where the command cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="dovetail-run-") as folder:
        file = Path(folder, f"program{ending}")
        file.write_text(program, encoding="utf-8")
        words = [word.replace(FILE, str(file)) for word in shlex.split(command)]
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT")}
        log = Path(folder, "printed")
        with log.open("wb") as output:
            try:
                process = subprocess.Popen(
                    [sys.executable, "-I", "-c", _LIMITED, str(int(limits.seconds) + 1), str(limits.memory), *words],
                    cwd=folder, env={**kept, "HOME": folder, "TMPDIR": folder}, stdin=subprocess.DEVNULL,
                    stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                raise EvaluationError(f"--run {command}: it cannot be started ({error}).") from None
            try:
                code: int | None = process.wait(limits.seconds)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                _end(process)
        printed = log.read_bytes()[-400:].decode(errors="replace").strip()
    if code is None:
        return ProgramRun(False, f"it took more than {limits.seconds:g} s")
    return ProgramRun(code == 0, "" if code == 0 else printed or f"it ended with {code}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started in its session."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
