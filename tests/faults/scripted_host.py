"""A process like the one that holds the model, whose model fails as its name says.

The name is words: `memory:load` runs out of memory when it is loaded, `memory:work` when it is asked, as long as it is
given more than 300 tokens; `device`, `numbers` for the other faults, `defect` for what is none; `killed`, `crashed`,
`hung` for what happens to the process. `:cpu` after these: not on the processor. `:once`: only in the first process
that is begun in a folder, which is the first argument; without a word the model works. The second word says when:
`load` or `work`, or `alone`: when it is loaded into a process that has loaded another model.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tests.decoding.scripted_proposer import ScriptedProposer, writes

from dovetail.completer.child import Child, main
from dovetail.completer.local import LocalCompleter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.decoding.scripted_proposer import ScriptedGeneration

WINDOW = 1024

ENOUGH = 300
"""Tokens that a model of little memory can be given."""


loaded: list[str | None] = []
"""The models that this process has loaded."""


class InjectedError(Exception):
    """A fault of a model, or a defect; the message is its kind."""


class FaultyProposer(ScriptedProposer):
    """Writes `2.5]`, or fails."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(rank=writes(b"2", b".", b"5", b"]"), window=WINDOW)
        self.name = ":".join(words)
        self._words = words

    def begin(self, prompt: Sequence[int], document: str | None = None) -> ScriptedGeneration:
        """Return an empty text, or fail."""
        if "work" in self._words and not ("memory" in self._words and self.window <= ENOUGH):
            fail(self._words[0])
        return super().begin(prompt, document)


def fail(how: str) -> None:
    """Have something happen."""
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "crashed":
        os._exit(3)
    if how == "hung":
        threading.Event().wait()
    raise InjectedError(how)


def host(name: str | None, device: str | None) -> ScriptedProposer:
    """Return the model of a name, the embedded one being one that works."""
    words = (name or "embedded").split(":")
    folder = Path(sys.argv[1])
    if "once" in words:
        try:
            (folder / "begun").touch(exist_ok=False)
        except FileExistsError:
            words = ["well"]
    if "cpu" in words and device == "cpu":
        words = ["well"]
    if "load" in words or ("alone" in words and loaded):
        fail(words[0])
    loaded.append(name)
    proposer = FaultyProposer(words)
    proposer.name = (name or "embedded") + (f" on {device}" if device else "")
    return proposer


def trouble(error: Exception) -> str | None:
    """Return the kind of an injected fault; None for a defect, as for whatever nobody injected."""
    return str(error) if isinstance(error, InjectedError) and str(error) != "defect" else None


if __name__ == "__main__":
    main(Child(LocalCompleter(host), trouble))
