"""One step of decoding: from a text and a ranking of next tokens to the token that is taken, or to the end.

The functions wait for nobody. A ranking that is given in parts is asked for outside, between two calls; so the same
functions serve a single text, a batch of texts with one forward pass for all, a beam, and another engine's step loop:

    progress = begin(task)
    while not progress.is_spent:
        outcome = step(progress, first_part_of_the_ranking)
        while isinstance(outcome, More):
            outcome = step(outcome.progress, next_part) if there_is_a_next_part else exhaust(outcome.progress)
        progress = outcome.progress
        if isinstance(outcome, Ended):
            break
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.candidate import Candidate
from dovetail.decoding.completion import Cause, Stop
from dovetail.decoding.ended_line import ended_line
from dovetail.decoding.progress import OpenStep
from dovetail.decoding.rules import RULES, RULES_WITHIN_LINE, WITHOUT_CHOICE
from dovetail.decoding.verdict import End, Instead, Take

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dovetail.decoding.ended_line import EndedLine
    from dovetail.decoding.progress import Progress, Refused
    from dovetail.decoding.proposer import Proposal

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.

# To look up a member of an enumeration is slow.
_INDENTATION, _CLOSE_SOONER = Cause.INDENTATION, (Cause.UNCLOSABLE, Cause.ESCAPE)

RANKS = 64
"""The number of further refused proposals after which tokens are tried that are no free choice of the model."""

_MOST_RANKS = 512
"""With so many refused and no closing in time, the step ends; only the model can choose the name that is due then."""

_SEARCHED = 2
"""For so many proposals the shortest closing is searched for; for the others the known ways to finish are tried."""


class Taken(NamedTuple):
    """A token was appended."""

    progress: Progress
    """The text with it."""
    token: int
    path: tuple[int, ...]
    """Tokens to feed to the model before it, which spell held text."""
    draft: tuple[int, ...]
    """A guess of the tokens to come, all of which fit; empty while the last draft is followed."""


class Ended(NamedTuple):
    """The text has ended."""

    progress: Progress
    """The text, cut where it ends. `finish` (`finishing.py`) makes a completion of it."""
    stop: Stop


class More(NamedTuple):
    """All proposals were refused so far."""

    progress: Progress
    """The text with the position in the ranking; give the proposals that follow to `step`."""


def step(progress: Progress, ranking: Iterable[Proposal]) -> Taken | Ended | More:
    """Return the outcome of proposals for the next token, likeliest first; none is read after the one that decides.

    If more of the ranking is wanted, call again with `More.progress` and only the proposals that follow. When the
    ranking has no more, call `exhaust`.
    """
    pieces, text, state, extent = progress.task.vocabulary.pieces, progress.text, progress.state, progress.extent
    size, advance, follower = len(pieces), state.advance, progress.follower
    drafted = follower.state if follower.tokens else None
    excluded, terminator = () if progress.tokens else progress.excluded, progress.task.style.terminator
    rank, unclosable_seen, plan_tried, misindented, lost, lowest = progress.open_step
    refused: list[Refused] = []
    for token, score, path, skipped, held in ranking:
        piece = pieces[token] if token < size else None
        if skipped and piece:
            piece = piece[skipped:]
        if excluded and piece in excluded:
            continue
        if rank and rank % RANKS == 0:
            if unclosable_seen or misindented:
                progress, refused = progress.with_refusals(refused), []
                progress, outcome = _without_choice(progress, unclosable_seen and not plan_tried, misindented)
                if outcome is not None:
                    return outcome
                misindented = ()
            plan_tried = unclosable_seen
            if unclosable_seen and rank >= _MOST_RANKS:
                return Ended(progress.with_refusals(refused), Stop.BUDGET)
        after, line, rules, longer = None, None, RULES, text
        if piece:
            after = (drafted and drafted(token)) or advance(piece)
            if after is not None:
                longer = text + piece
                line = ended_line(text, state, extent, piece, terminator)
                if line is None:
                    rules = RULES_WITHIN_LINE
        if held:
            score -= held
        candidate = _new(Candidate, (token, piece, after, longer, line, rank, rank < _SEARCHED, path, score))
        for rule in rules:
            verdict = rule(progress, candidate)
            if verdict is not None:
                break
        if isinstance(verdict, Take):
            return _appended(progress, candidate, verdict, refused, lost)
        if isinstance(verdict, End):
            if verdict.refused is not None:
                refused.append((len(text), token, verdict.refused))
            return _ended(progress.with_refusals(refused), candidate, verdict, lost)
        if isinstance(verdict, Instead):
            refused.append((len(text), token, verdict.refused))
            outcome = _otherwise(progress.with_refusals(refused), candidate, verdict, lost)
            if outcome is not None:
                return outcome
            refused.pop()
            verdict = verdict.refused
        assert verdict is not None, "the last rule always has a verdict"
        refused.append((len(text), token, verdict))
        rank += 1
        lost, lowest = lost + exp(min(score, 0.0)), score
        if verdict is _INDENTATION:
            misindented = (*misindented, candidate)
        elif verdict in _CLOSE_SOONER:
            unclosable_seen = True
    position = OpenStep(rank, unclosable_seen, plan_tried, misindented, lost, lowest)
    return More(progress.with_refusals(refused)._replace(open_step=position))


def exhaust(progress: Progress) -> Taken | Ended:
    """Return the outcome of a step whose ranking has no more proposals."""
    _, unclosable_seen, plan_tried, misindented, _, _ = progress.open_step
    progress, outcome = _without_choice(progress, unclosable_seen and not plan_tried, misindented)
    if outcome is not None:
        return outcome
    return Ended(progress, Stop.BUDGET if unclosable_seen else Stop.UNFIT)


def _without_choice(
    progress: Progress, plan_due: bool, misindented: tuple[Candidate, ...]
) -> tuple[Progress, Taken | Ended | None]:
    """Return the outcome of tokens that are no free choice of the model; None if none of them can be taken.

    Those are the next token of the known way to finish, if `plan_due`, and then the tokens that are indented otherwise
    than the file. The progress that is returned may know a better way to finish.
    """
    if plan_due:
        budget = progress.budget.replanned(progress.text, progress.state)
        progress = progress._replace(budget=budget)
        planned = budget.planned_token(progress.state)
        if planned is not None:
            token, piece = planned
            state = progress.state.advance(piece)
            assert state is not None, "a plan fits"
            line = _line_of(progress, piece)
            path = () if progress.tokens else progress.task.prompt.held_tokens
            # It is at most as likely as the last one that was refused, which came before it.
            score = progress.open_step.lowest
            candidate = Candidate(token, piece, state, progress.text + piece, line, path=path, score=score)
            outcome = _if_taken(progress, candidate)
            # A plan is in time. It may still indent the rest of the line; then there is no way to finish.
            if outcome is not None:
                return progress, outcome
    for candidate in misindented:
        outcome = _if_taken(progress, candidate._replace(search=False))
        if outcome is not None:
            return progress, outcome
    return progress, None


def _if_taken(progress: Progress, candidate: Candidate) -> Taken | Ended | None:
    """Return the outcome of a token for which there is no alternative; None if it cannot be closed in time."""
    for rule in WITHOUT_CHOICE:
        verdict = rule(progress, candidate)
        if isinstance(verdict, Cause):
            return None
        if isinstance(verdict, Take):
            return _appended(progress, candidate, verdict)
        if isinstance(verdict, End):
            return _ended(progress, candidate, verdict)
        assert verdict is None, "these rules write nothing otherwise"
    return None


def _otherwise(progress: Progress, candidate: Candidate, verdict: Instead, lost: float) -> Taken | Ended | None:
    """Return the outcome of a candidate that is written otherwise; None if it cannot be spelt so, or is refused.

    It is as likely as the candidate, which means the same; `lost` is the probability of those refused before it.
    """
    planner = progress.task.planner
    token = planner.first_token(verdict.piece)
    piece = None if token is None else planner.pieces[token]
    state = None if piece is None else progress.state.advance(piece)
    if token is None or not piece or state is None:
        return None
    path = () if progress.tokens else progress.task.prompt.held_tokens
    text, line = progress.text + piece, _line_of(progress, piece)
    other = Candidate(token, piece, state, text, line, candidate.rank, candidate.search, path, candidate.score)
    for rule in RULES:
        found = rule(progress, other)
        if isinstance(found, Take):
            return _appended(progress, other, found, lost=lost)
        if isinstance(found, End):
            return _ended(progress, other, found, lost)
        if found is not None:
            return None
    raise AssertionError("the last rule always has a verdict")


def _line_of(progress: Progress, piece: bytes) -> EndedLine | None:
    """Return the line that a piece ends after the text."""
    return ended_line(progress.text, progress.state, progress.extent, piece, progress.task.style.terminator)


def _appended(
    progress: Progress, candidate: Candidate, verdict: Take, refused: Sequence[Refused] = (), lost: float = 0.0
) -> Taken:
    """Return the outcome of a candidate that is taken after others, of the probability `lost`, were refused."""
    longer, draft = progress.appended(candidate, verdict.budget, refused, lost)
    return _new(Taken, (longer, candidate.token, candidate.path, draft))


def _ended(progress: Progress, candidate: Candidate, verdict: End, lost: float = 0.0) -> Ended:
    """Return the outcome of a text that ends before or inside of a candidate; see `_appended` for `lost`."""
    return Ended(progress.ended(candidate, verdict.first, verdict.mark, lost), verdict.stop)
