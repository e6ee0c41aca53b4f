"""Ranked tokens against the quotient: the likeliest text that fits both sides.

Greedy: of the model's tokens, in the order of their likelihood, the first that fits is taken.
Left out on purpose: sampling, beams, masks, token healing.

The promise: the outcome is a program or nothing, and it has at most as many tokens as were allowed, its
closing included. It rests on the *plan* (`plan.py`), a known way to finish, made at some point of the text,
and on one invariant: where a plan was made, its cost was at most what was left of the budget there. So the
text up to that point with the plan's text behind it is always a possible outcome.

A completion that the model did not end by itself ends with its last line that makes it a program, if there is
one: half a line, however well closed, is seldom what anybody wants.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from dovetail.decoding.cancellation import Never
from dovetail.decoding.completion import Completion, Limits, Stop
from dovetail.decoding.plan import Plan, plan
from dovetail.decoding.prompt import build
from dovetail.decoding.stopping import Stopping
from dovetail.decoding.stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.constraint import Quotient, State
    from dovetail.decoding.proposer import Generation, Proposer

# How many of the model's best tokens are asked for, until one fits; then the whole vocabulary.
_RANKS = (8, 64, 512)

# Asking for the closing after every token would cost more than all other questions together. So where the end
# of the text is all that matters (see `stopping.py` for where it is not), it is asked
# only when the budget comes near to the last known cost (`_SLACK` tokens), and every `_STRIDE` tokens anyway.
# In between, the cost would have to grow by three tokens with each token to jump over the slack ((32 - 8) /
# 8). Should it, no program is lost, only some text: then the completion is finished by the last plan, from
# where that was made.
_SLACK = 32
_STRIDE = 8

# When the budget is tight and none of this many best tokens lowers the cost, the plan's own token is taken:
# it is known to, and each further trial would cost a question for a closing.
_TIGHT_RANKS = 64

_LINE_END = re.compile(rb"[\r\n]")


def complete(
    proposer: Proposer,
    open_quotient: Callable[[], Quotient],
    left: str,
    right: str,
    limits: Limits | None = None,
    cancellation: Cancellation | None = None,
) -> Completion:
    """Return the likeliest text, as far as greedy search finds it, that makes left and right a program.

    `open_quotient` is called once, here, so that its time is counted: `lambda: language.quotient(left,
    right)`.
    """
    limits = limits or Limits()
    watch = Stopwatch()
    quotient = open_quotient()
    stopping = Stopping(quotient.start, right) if quotient.viable else None
    closing = stopping.closing(quotient.start) if stopping is not None else None
    watch.charge("contexts")
    if stopping is None or closing is None:
        return Completion(None, Stop.NOT_VIABLE, "", 0, 0, watch.seconds)

    prompt = build(proposer, left, right, limits.max_tokens)
    first = plan(closing, proposer)
    watch.charge("model")
    if first.cost > prompt.room:
        return Completion(None, Stop.TOO_LONG, "", 0, 0, watch.seconds)

    writing = _Writing(proposer, quotient.start, stopping, first, prompt.room, limits, cancellation or Never(), watch)
    stop = writing.interruption()
    if stop is None:
        generation = proposer.begin(prompt.tokens)
        watch.charge("model")
        stop = writing.run(generation)
    return writing.finish(stop)


class _Writing:
    """One completion while it is written."""

    def __init__(
        self,
        proposer: Proposer,
        state: State,
        stopping: Stopping,
        first: Plan,
        room: int,
        limits: Limits,
        cancellation: Cancellation,
        watch: Stopwatch,
    ) -> None:
        self._proposer = proposer
        self._pieces = proposer.vocabulary.pieces
        self._ends = proposer.vocabulary.ends
        self._stopping = stopping
        self._limits = limits
        self._cancellation = cancellation
        self._watch = watch

        self._text = b""
        self._state = state
        self._left = room                          # tokens left of the budget
        self._whole_lines = b""                    # the last program that ended with a line
        self._written = 0
        self._refused = 0
        # The last plan, and the text and state for which it was made.
        self._plan = first
        self._planned_text = b""
        self._planned_state = state
        self._unplanned = 0                        # tokens since then

    def interruption(self) -> Stop | None:
        """Return why the writing must end now, if it must."""
        if self._cancellation.cancelled:
            return Stop.CANCELLED
        if self._limits.seconds is not None and self._watch.elapsed >= self._limits.seconds:
            return Stop.TIME
        return None

    def run(self, generation: Generation) -> Stop:
        """Write until something says stop."""
        while self._left > 0:
            choice = self.interruption() or self._choose(generation)
            self._watch.charge("constraint")
            if isinstance(choice, Stop):
                return choice
            if self._left > 0:
                generation.feed(choice)
                self._watch.charge("model")
        return Stop.BUDGET

    def finish(self, stop: Stop) -> Completion:
        """Return the outcome: what was written, cut to whole lines or closed unless it ended by itself."""
        text: bytes | None = self._text
        closing = b""
        if stop is Stop.CANCELLED:
            text = None
        elif stop not in (Stop.END, Stop.LINE) and self._whole_lines:
            text = self._whole_lines
        elif stop not in (Stop.END, Stop.LINE):
            if self._unplanned:
                present = self._stopping.closing(self._state)
                made = None if present is None else plan(present, self._proposer)
                if made is not None and made.cost <= self._left:
                    self._replan(made)
            closing = self._plan.text
            end = self._planned_state.advance(closing)
            assert end is not None, f"{closing!r} does not fit"
            assert end.accepting, f"{closing!r} closes nothing"
            text = self._planned_text + closing
        self._watch.charge("constraint")
        return Completion(
            None if text is None else text.decode(),
            stop,
            closing.decode(errors="replace"),
            self._written,
            self._refused,
            self._watch.seconds,
        )

    def _choose(self, generation: Generation) -> int | Stop:
        """Take the best token that fits, and return it; or return why none is taken."""
        dear = False                               # whether a token fitted and could not be closed in time
        for rank, token in enumerate(self._ranked(generation)):
            if rank >= _TIGHT_RANKS and dear:
                break
            if rank % _TIGHT_RANKS == 0 and rank > 0 and (stop := self.interruption()):
                return stop
            if token in self._ends:
                if self._stopping.may_stop(self._state):
                    return Stop.END
                self._refused += 1
                continue
            piece = self._pieces[token] if token < len(self._pieces) else None
            line = self._line_end(piece) if piece else None
            if line is not None and self._limits.single_line:
                self._append(*line)
                return Stop.LINE
            state = self._state.advance(piece) if piece else None
            if piece and state is not None:
                whole_lines = self._text + line[0] if line is not None else self._whole_lines
                if self._take(token, piece, state):
                    self._whole_lines = whole_lines
                    return token
                dear = True
            self._refused += 1
        return self._take_planned() if dear else Stop.UNFIT

    def _ranked(self, generation: Generation) -> Iterator[int]:
        """Yield the model's tokens, likeliest first, each once, asking for more only when they are wanted."""
        size = len(self._pieces)
        seen: set[int] = set()                     # two requests may order equal likelihoods differently
        for count in (*(count for count in _RANKS if count < size), size):
            self._watch.charge("constraint")
            ranked = generation.ranked(count)
            self._watch.charge("model")
            for token, _ in ranked:
                if token not in seen:
                    seen.add(token)
                    yield token

    def _take(self, token: int, piece: bytes, state: State) -> bool:
        """Append a token that fits, unless the text could not be closed within the budget after it."""
        left = self._left - 1
        made = None
        near = left < self._plan.cost + _SLACK
        if near or self._unplanned >= _STRIDE or self._stopping.guarded:
            made = None if self._unplanned else self._plan.follow(token, piece, self._proposer)
            if made is None or made.cost > left:
                closing = self._stopping.closing(state)
                # Inside a character there is no closing yet. Should the budget not suffice to finish the
                # character, it is lost: the last plan was made before it.
                if closing is None and not _inside_character(self._text + piece):
                    return False
                made = None if closing is None else plan(closing, self._proposer)
            if made is not None and made.cost > left:
                return False
        self._append(piece, state)
        self._unplanned += 1
        if made is not None:
            self._replan(made)
        return True

    def _take_planned(self) -> int | Stop:
        """Take the plan's own next token; stop where there is none."""
        if self._unplanned or not self._plan.tokens:
            return Stop.BUDGET
        token = self._plan.tokens[0]
        piece = self._pieces[token]
        assert piece, "a plan is spelt by tokens with bytes"
        state = self._state.advance(piece)
        made = self._plan.follow(token, piece, self._proposer)
        assert state is not None, "a plan fits"
        assert made is not None, "its own token follows it"
        self._append(piece, state)
        self._replan(made)
        return token

    def _append(self, piece: bytes, state: State) -> None:
        self._text += piece
        self._state = state
        self._left -= 1
        self._written += 1

    def _replan(self, made: Plan) -> None:
        self._plan = made
        self._planned_text = self._text
        self._planned_state = self._state
        self._unplanned = 0

    def _line_end(self, piece: bytes) -> tuple[bytes, State] | None:
        """Return what a piece has before its first line end and the state there, if the text may end so."""
        line = _LINE_END.split(piece, 1)[0]
        if len(line) == len(piece) or not (self._text + line).strip():
            return None                            # no line ends, or none that holds anything
        state = self._state.advance(line) if line else self._state
        return (line, state) if state is not None and self._stopping.may_stop(state) else None


def _inside_character(text: bytes) -> bool:
    """Return whether a text ends inside a character."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    decoder.decode(text)
    return decoder.getstate()[0] != b""
