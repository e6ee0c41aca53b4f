"""`python -m tests.team.demo`: a host with the embedded model, asked by the lines of `docs/team.md`.

Every text that comes back is put into its window, and the language's own parser says whether that is a program.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.team.doors.bodies import read_completion, read_fim, read_generate, read_infill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.team.doors.window_request import WindowRequest

PAGE = Path(__file__).parents[2] / "docs" / "team.md"
WRITTEN = "http://127.0.0.1:8750"
"""The address in the page's lines."""

_READERS = {
    "/v1/completions": read_completion,
    "/v1/fim/completions": read_fim,
    "/infill": read_infill,
    "/api/generate": read_generate,
}
_SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Answered(NamedTuple):
    """One line of the page and its answer."""

    line: str
    asked: WindowRequest
    text: str

    @property
    def program(self) -> str:
        """The window with the text in it."""
        return self.asked.left + self.text + self.asked.right

    def check(self) -> None:
        """Raise SyntaxError or ValueError if that is no program."""
        if self.asked.language == "json":
            json.loads(self.program)
        else:
            ast.parse(self.program)


def lines() -> list[str]:
    """Return the page's lines that ask a host."""
    blocks = _SHELL.findall(PAGE.read_text("utf-8"))
    return [line for block in blocks for line in block.splitlines() if line.startswith("curl ")]


def ask(line: str, address: str) -> Answered:
    """Run one line against a host."""
    command = shlex.split(line.replace(WRITTEN, address))
    done = subprocess.run([*command, "--max-time", "600"], capture_output=True, text=True, check=True)
    body = json.loads(command[command.index("-d") + 1])
    place = next(word for word in command if word.startswith(address)).removeprefix(address)
    return Answered(line, _READERS[place](body), _text(done.stdout))


def _text(answer: str) -> str:
    """Return the text of an answer, whatever its shape."""
    if answer.startswith("data: "):
        parts = [part.removeprefix("data: ") for part in answer.split("\n\n")]
        return "".join(_text(part) for part in parts if part and part != "[DONE]")
    found = json.loads(answer)
    if "error" in found:
        raise SystemExit(f"The host refused: {found['error']['message']}")
    for name in ("content", "response"):
        if name in found:
            return str(found[name])
    choice = found["choices"][0]
    return str(choice["text"] if "text" in choice else (choice.get("message") or choice["delta"])["content"])


@contextmanager
def host(configuration: str = "") -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a host as people do, at a free port, and return its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "team.toml"
        path.write_text(f"port = 0\n{configuration}", "utf-8")
        command = [sys.executable, "-P", "-m", "dovetail", "host", "--team", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                said = process.stdout.readline()
                found = re.search(r"https?://[\d.]+:\d+", said)
                if found is None:
                    raise SystemExit(f"The host did not start: {said}")
                yield found[0], process
            finally:
                process.terminate()
                process.wait(60)


def say(sentence: str) -> None:
    """Print a sentence at once."""
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def show(address: str) -> int:
    """Run the lines against a host and show what comes back; return how many get no text or no program."""
    wrong = 0
    for line in lines():
        answered = ask(line, address)
        say(line.replace(WRITTEN, address))
        say(f"  inserts {answered.text!r}")
        try:
            answered.check()
        except (SyntaxError, ValueError) as error:
            wrong += 1
            say(f"  which is no program: {error}\n")
        else:
            wrong += not answered.text
            say("  which makes a program of it\n")
    return wrong


def main() -> int:
    """Start a host and show its answers; return 1 if something is no program."""
    with host() as (address, _):
        say(f"A host with the embedded model answers at {address}.\n")
        return 1 if show(address) else 0


if __name__ == "__main__":
    sys.exit(main())
