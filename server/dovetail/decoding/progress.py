"""The progress of one text while it is written.

A value: nothing changes it, so a text may be forked, kept and resumed. Beams and batches fork it; another engine's
step loop keeps one for each of its sequences. It is a tuple because a new one is made for every token: to replace a
field of a frozen dataclass takes several times as long.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.acceptance import Choice
from dovetail.decoding.completion import Refusal
from dovetail.decoding.draft_follower import DraftFollower
from dovetail.decoding.extent import find_extent
from dovetail.decoding.next_statement import lacks_block
from dovetail.decoding.token_budget import TokenBudget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.completion import Cause
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.extent import Extent
    from dovetail.decoding.task import Task

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.

_KEPT = 1000
"""Refusals that are kept; at a hard place a whole vocabulary may be refused, and the others are only counted."""

_LEAST = 1e-6
"""The least probability that is left when nearly all of it was refused."""

Refused = tuple[int, int, "Cause"]
"""A refused token: the bytes of the text before it, the token, the cause."""


class Mark(NamedTuple):
    """A place where the text might stop."""

    length: int
    """Bytes of the text up to there."""
    state: ConstraintState
    ending: float | None
    """The log-probability that the model ends the text there; None if the model was not asked."""


class OpenStep(NamedTuple):
    """The position in the ranking of the next token, while none is taken."""

    rank: int = 0
    """Proposals that were refused."""
    unclosable_seen: bool = False
    """True if one of them fitted and could not be closed in time."""
    plan_tried: bool = False
    """True if the known way to finish was tried since then."""
    misindented: tuple[Candidate, ...] = ()
    """Proposals that fit and are only indented otherwise than the file."""
    lost: float = 0.0
    """The probability of the refused ones."""
    lowest: float = 0.0
    """The log-probability of the last of them."""


_NOT_BEGUN = OpenStep()


class Progress(NamedTuple):
    """One text from its first token to its end."""

    task: Task
    excluded: frozenset[bytes | None]
    """First pieces of other texts, from which this one has to differ; None stands for an immediate end."""
    state: ConstraintState
    text: bytes
    """The text so far. It may end inside a character."""
    tokens: int
    """Tokens that the model contributed."""
    first: bytes | None
    """The first piece, even if it was cut off again; None for an end before any text, empty while there is none."""
    marks: tuple[Mark, ...]
    """Places before the end of the text where it might stop."""
    choices: tuple[Choice, ...]
    """The tokens of the text; at its end some may lie after the place where it was cut."""
    refused: int
    """Refused proposals of all steps."""
    refusals: tuple[Refused, ...]
    """The first of them."""
    line_ended: bool
    """True if a line with content has ended in the text."""
    extent: Extent
    budget: TokenBudget
    follower: DraftFollower
    open_step: OpenStep

    @property
    def is_spent(self) -> bool:
        """True if the text has to stop because the tokens are used up, or just suffice for the closing.

        With a temperature above 0 chance may still draw another closing of the same length.
        """
        budget = self.budget
        return budget.left <= 0 or (self.task.limits.temperature == 0 and budget.is_forced)

    @property
    def may_end(self) -> bool:
        """True if the model may end the text here. An empty text may end unless another text ended like that."""
        return self.may_stop(self.text, self.state) and (self.tokens > 0 or None not in self.excluded)

    def may_stop(self, text: bytes, state: ConstraintState) -> bool:
        """Return whether a beginning or continuation of the text, with its state, may be the whole completion.

        It has to be a program, and neither to join a word of the right text nor to take in the statement below.
        """
        rest = self.task.rest_of_line
        if not state.accepting or (rest is not None and rest.is_joined_by(text)):
            return False
        return not lacks_block(self.task, text, state)

    def marked(self, ending: float) -> Progress:
        """Return the same text with the log-probability that the model ends it here."""
        # Without `_replace`, which takes four times as long, for each token.
        (task, excluded, state, text, tokens, first, marks, choices, count, refusals, line_ended, extent, budget,
         follower, open_step) = self  # fmt: skip
        marks = (*marks, _new(Mark, (len(text), state, ending)))
        return _new(Progress, (
            task, excluded, state, text, tokens, first, marks, choices, count, refusals, line_ended, extent, budget,
            follower, open_step,
        ))  # fmt: skip

    def last_stop(self) -> Mark | None:
        """Return the last place where the text may stop, its end included; None without one."""
        if self.may_stop(self.text, self.state):
            return Mark(len(self.text), self.state, None)
        return next(
            (mark for mark in reversed(self.marks) if self.may_stop(self.text[: mark.length], mark.state)), None
        )

    def best_stop(self, before: int | None = None) -> Mark | None:
        """Return the place where the text may stop that saves most typing, or None; `before`: at most so many bytes.

        Places are weighed by the probability that the text ends there times its length: each of two texts that are as
        likely ends saves as much typing as it has characters. Places after nothing but blanks do not count. Places
        where the model was not asked are taken only if there is no other.
        """
        limit = len(self.text) if before is None else before
        marks = [mark for mark in (*self.marks, Mark(len(self.text), self.state, None)) if mark.length <= limit]
        asked = [mark for mark in marks if mark.ending is not None and mark.length]
        asked.sort(key=lambda mark: (mark.ending or 0.0) + math.log(mark.length), reverse=True)
        others = [mark for mark in reversed(marks) if mark.ending is None]
        for mark in (*asked, *others):
            if self.text[: mark.length].strip() and self.may_stop(self.text[: mark.length], mark.state):
                return mark
        return None

    def with_refusals(self, refused: Sequence[Refused]) -> Progress:
        """Return the same text with more refused proposals."""
        if not refused:
            return self
        return self._replace(refused=self.refused + len(refused), refusals=_kept(self.refusals, refused))

    def named_refusals(self) -> tuple[Refusal, ...]:
        """Return the first refusals with the texts of their tokens."""
        vocabulary = self.task.vocabulary
        names = {token: name for name, token in vocabulary.specials.items()}
        found = []
        for length, token, cause in self.refusals:
            piece = vocabulary.pieces[token] if token < len(vocabulary.pieces) else None
            shown = names.get(token, f"<{token}>") if piece is None else piece.decode(errors="replace")
            found.append(Refusal(self.text[:length].decode(errors="replace"), shown, cause))
        return tuple(found)

    def appended(
        self, candidate: Candidate, budget: TokenBudget, refused: Sequence[Refused] = (), lost: float = 0.0
    ) -> tuple[Progress, tuple[int, ...]]:
        """Return the text with a candidate that fits, and a draft of the tokens to come.

        `refused`: the proposals that were refused before it and are not entered yet. `lost`: the probability of all
        that were refused for this step.
        """
        token, piece, state, text, line, _, _, path, score = candidate
        assert piece, "only a token that adds bytes is appended"
        assert state is not None, "only a token that fits is appended"
        # Everything is entered in one new value: it is made for every token.
        task, excluded, _, _, tokens, first, marks, choices, count, refusals, line_ended, extent, _, follower, _ = self
        choices = _chosen(task, choices, len(text), score, lost)
        if refused:
            count += len(refused)
            refusals = _kept(refusals, refused)
        if line is not None:
            line_ended = line_ended or line.has_content
            if line.may_stop:
                marks = (*marks, Mark(line.length, line.state, None))
        around = state.enclosure
        if extent.is_left(around, lines=line_ended):
            extent = extent.without(around)
        follower, draft = follower.follow(path, token, state, budget.left - 1)
        first = first if tokens else piece
        longer = _new(Progress, (
            task, excluded, state, text, tokens + 1, first, marks, choices, count, refusals, line_ended, extent,
            budget, follower, _NOT_BEGUN,
        ))  # fmt: skip
        return longer, draft

    def ended(self, candidate: Candidate, first: bytes | None, mark: Mark | None, lost: float = 0.0) -> Progress:
        """Return the text cut at a mark, which may lie inside of the next token; see `End` for `first`.

        `lost`: the probability of what was refused before the candidate.
        """
        first = self.first if self.tokens else first
        if mark is None:
            return self._replace(first=first)
        text, choices = self.text, self.choices
        if mark.length > len(text):
            text += candidate.piece or b""
            choices = _chosen(self.task, choices, mark.length, candidate.score, lost)
        return self._replace(first=first, text=text[: mark.length], state=mark.state, choices=choices)


def begin(task: Task, excluded: frozenset[bytes | None] = frozenset(), *, drafting: bool = True) -> Progress:
    """Return the empty text of a task; its first piece will be none of `excluded`.

    `drafting`: whether tokens may be drafted if the limits allow it.
    """
    limits, start = task.limits, task.start
    return Progress(
        task=task,
        excluded=excluded,
        state=start,
        text=b"",
        tokens=0,
        first=b"",
        marks=(),
        choices=(),
        refused=0,
        refusals=(),
        line_ended=False,
        extent=find_extent(start, task.right, limits.shape, task.block_ends),
        budget=TokenBudget(task.prompt.room, task.plan, start, task.planner),
        follower=DraftFollower(task.drafts, task.vocabulary.pieces, drafting and limits.drafting),
        open_step=_NOT_BEGUN,
    )


def _chosen(
    task: Task, choices: tuple[Choice, ...], length: int, score: float, lost: float
) -> tuple[Choice, ...]:  # fmt: skip
    """Return the tokens of a text with one more; `lost`: the probability of those that were refused before it."""
    fitted = score if not lost else min(0.0, score - math.log(max(1.0 - lost, _LEAST)))
    total = task.calibration.token(fitted, task.place.prose)
    if choices:
        total += choices[-1].total
    return (*choices, _new(Choice, (length, score, fitted, total)))


def _kept(kept: tuple[Refused, ...], refused: Sequence[Refused]) -> tuple[Refused, ...]:
    """Return the refusals that are kept after further ones."""
    return kept if len(kept) >= _KEPT else (*kept, *refused[: _KEPT - len(kept)])
