"""OracleProcess: a language's real parser in a process of its own, which answers one text after another."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from threading import Timer
from typing import TYPE_CHECKING, Protocol

from dovetail.grammar.oracle import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO


_DEATHS = 10  # before the first answer, after which the worker is taken to be broken
_PATIENCE = 120.0
"""Seconds for the answer to one text. Some parsers go round for ever: that of TypeScript 5.0 does on broken texts."""


class Judge(Protocol):
    """Something that knows whether texts are programs."""

    def judge(self, texts: Sequence[str]) -> list[Verdict]:
        """Return the verdict on each text."""
        ...


class OracleError(Exception):
    """A worker that cannot be started, or does not answer as it should."""


class OracleProcess:
    """A process that is asked for one text after another.

    It reads the length of a text in bytes, a line feed, and the text in UTF-8, and answers with one line: `1` for a
    program, `0 message` for another text, `? message` where it cannot say. It is started when first asked, and anew
    after a text that it did not survive, or did not answer in time. What it writes to stderr is passed on when it ends,
    and no text twice: a worker that fails at every start says so once.
    """

    def __init__(self, command: str, patience: float = _PATIENCE) -> None:
        """Take a command line, split as a shell splits it; `patience`: the seconds for one answer."""
        self.command = command
        self.patience = patience
        self.verdicts: Counter[bool | None] = Counter()
        """Verdict → how often it was given; None: undecided."""
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._passed_on: set[bytes] = set()
        self._deaths = 0
        self._answered = False

    def judge(self, texts: Sequence[str]) -> list[Verdict]:
        """Return the verdict on each text. Raises OracleError for a worker that answers nothing or something else."""
        found = [self._ask(text) for text in texts]
        self.verdicts.update(one.accepted for one in found)
        return found

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            process, self._process = self._process, None
            process.communicate()
        if self._errors is not None:
            errors, self._errors = self._errors, None
            with errors:
                errors.seek(0)
                said = errors.read()
            if said and said not in self._passed_on:
                self._passed_on.add(said)
                sys.stderr.write(said.decode("utf-8", "replace"))

    def _ask(self, text: str) -> Verdict:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        data = text.encode("utf-8", "surrogatepass")
        watch = Timer(self.patience, process.kill)
        watch.daemon = True
        watch.start()
        try:
            process.stdin.write(b"%d\n" % len(data) + data)
            process.stdin.flush()
            answer = process.stdout.readline().decode("utf-8", "replace")
        except BrokenPipeError:
            answer = ""
        finally:
            watch.cancel()
        if not answer:
            self.close()
            self._deaths += 1
            if self._deaths > _DEATHS and not self._answered:
                raise OracleError(
                    f"`{self.command}` ended without an answer {self._deaths} times; try it by hand: printf '1\\nx' | …"
                )
            return Verdict(None, "the worker did not survive this text")
        mark, message = answer[:1], answer[1:].strip()
        if mark not in {"0", "1", "?"}:
            raise OracleError(f"`{self.command}` answered {answer.strip()[:80]!r}; it should be `1`, or `0 message`.")
        self._answered = True
        return Verdict({"0": False, "1": True, "?": None}[mark], message)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            command = shlex.split(self.command)
            # A pipe that nobody reads would stop the worker. It is closed with the process, in `close`.
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except (OSError, ValueError) as error:
            if self._errors is not None:
                self._errors.close()
            raise OracleError(f"`{self.command}` cannot be started: {error}.") from None
        return self._process
