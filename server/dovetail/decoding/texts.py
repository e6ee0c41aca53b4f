"""Several texts of one place, written together: one forward pass of the model reads what is new of all of them.

Each text is an `Attempt` of its own, with a row of the batch as its generation (`proposer.py`). A batch writes all
texts at once; rows that are taken in turn (`rows.py`) write one text after the other, with the same result.

In a batch the first text sets the pace. Once it is ready the others have a quarter as many passes again, at least a
few, and are then closed as they are. So a text that would go on and on does not keep the others waiting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.attempt import Attempt
from dovetail.decoding.completion import Stop
from dovetail.decoding.progress import begin
from dovetail.decoding.stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from dovetail.decoding.completion import Completion
    from dovetail.decoding.proposer import Proposal, Row
    from dovetail.decoding.request import Request
    from dovetail.decoding.rows import Rows
    from dovetail.decoding.task import Task

_TRIES = 3
"""Attempts for each text that is asked for; some have the text of an earlier one."""

_SHARE, _FEWEST = 4, 12
"""Passes after the first text is ready: the share of those before that they may be, and the number always allowed."""


class _Text:
    """One attempt, its row and its stopwatch."""

    def __init__(self, attempt: Attempt, row: Row, watch: Stopwatch) -> None:
        self.attempt = attempt
        self.row = row
        self._watch = watch

    def advance(self) -> Completion | None:
        """Append tokens until a forward pass is due, at least one; return the outcome if the text has ended."""
        self._watch.resume()
        completion = self.attempt.advance()
        while completion is None and self.row.known:
            completion = self.attempt.advance()
        return completion

    def end(self) -> Completion:
        """Return the outcome of the text as it is now, as it keeps others waiting."""
        self._watch.resume()
        return self.attempt.end(Stop.PACE)


class Texts:
    """The texts of one place. Attempts are numbered, and texts come in the order of their attempts."""

    def __init__(
        self, request: Request, task: Task, rows: Rows, opening: Iterable[Proposal], count: int, watch: Stopwatch,
        clock: Callable[[], float] | None = None,
    ) -> None:  # fmt: skip
        """Prepare to write up to `count` different texts.

        `opening`: the proposals for the first token if there is held text. `watch` is that of the first text; it has
        the time of what all of them share. `clock` is for those of the others.
        """
        self._request = request
        self._task = task
        self._rows = rows
        self._opening = opening
        self._count = count
        self._watch = watch
        self._clock = clock
        self._greedy = request.limits.temperature == 0
        self._firsts: list[bytes | None] = []
        """The first pieces of the attempts so far."""
        self._exhausted = False
        """True if a further attempt would bring nothing else."""
        self._writing: dict[int, _Text] = {}  # number → text
        self._ended: dict[int, Completion] = {}  # number → outcome
        self._found: set[str] = set()
        """The texts of the outcomes."""
        self._passes = 0
        self._last_pass: int | None = None
        """The number of the pass with which everything ends; None while no text is ready."""
        self._next = 0
        """The number of the next outcome to yield."""
        self._told: set[str] = set()
        """The texts that were yielded."""

    def write(self) -> Iterator[Completion]:
        """Yield completions with different texts, or a single one without a text, which says why there is none.

        Greedy texts differ in their first token. Drawn ones may come again, and then another is drawn. Each is yielded
        as soon as it and all before it are ready.
        """
        try:
            while self._begin_wanted() or self._writing:
                yield from self._ready()
                self._passes += 1
                for number in tuple(self._writing):
                    self._advance(number)
                    yield from self._ready()
        finally:
            for text in self._writing.values():
                text.row.drop()
        if not self._told:
            yield self._ended[0]

    def _ready(self) -> Iterator[Completion]:
        """Yield the outcomes that have become the next ones, if they have a new text."""
        while (completion := self._ended.get(self._next)) is not None:
            self._next += 1
            if completion.text is not None and completion.text not in self._told:
                if not self._told and self._rows.together:
                    self._last_pass = self._passes + max(self._passes // _SHARE, _FEWEST)
                self._told.add(completion.text)
                yield completion

    def _begin_wanted(self) -> bool:
        """Begin as many attempts as may still be needed, with their first tokens; return whether there were any."""
        before = len(self._firsts)
        while (
            not self._exhausted
            and len(self._firsts) < _TRIES * self._count
            and len(self._found) + len(self._writing) < self._count
            and (self._rows.together or not self._writing)
        ):
            self._begin()
        return len(self._firsts) > before

    def _begin(self) -> None:
        number, firsts = len(self._firsts), self._firsts
        # One pass reads the drafts of all texts, and a copy is seldom right where a text had to begin in another way:
        # with them three texts of the embedded model took 1.54 times the processor time of one, instead of 1.49.
        drafting = not (number and self._rows.together)
        progress = begin(self._task, frozenset(firsts if self._greedy else ()), drafting=drafting)
        watch = Stopwatch(self._clock) if number else self._watch
        row = self._rows.first.fork()
        attempt = Attempt(self._request, progress, row, self._opening, watch, number)
        self._writing[number] = _Text(attempt, row, watch)
        self._advance(number)
        first = attempt.progress.first
        if self._greedy and not attempt.interrupted and first in (b"", *firsts):
            self._exhausted = True  # there is nothing more to leave out, so the next would be this one again
        firsts.append(first)

    def _advance(self, number: int) -> None:
        written = self._writing[number]
        is_late = self._last_pass is not None and self._passes > self._last_pass
        completion = written.end() if is_late else written.advance()
        if completion is None:
            return
        written.row.drop()
        del self._writing[number]
        self._ended[number] = completion
        if is_late:
            self._exhausted = True
        if completion.text is not None and completion.text not in self._found:
            self._found.add(completion.text)
        elif written.attempt.interrupted:
            self._exhausted = True  # another would take as long for as little
