"""The rules of decoding: which proposals of the model are taken, and where a text ends.

A rule is a function from a text and a candidate for its next token to a verdict (`verdict.py`). `RULES` is the order in
which they are asked; the first verdict counts. To add a rule, write one function here, enter it in `RULES`, and add a
case file to `tests/decoding/cases`.

Rules only look: a candidate that is refused leaves no trace in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.completion import Cause, Stop
from dovetail.decoding.progress import Mark
from dovetail.decoding.repetition import repetition
from dovetail.decoding.verdict import End, Take

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.constraint import State
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.verdict import Verdict

    Rule = Callable[[Progress, Candidate], Verdict]

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.

_UNFIT = Cause.UNFIT  # The commonest cause. To look up a member of an enumeration is slow.

_REPEATED = 4
"""Characters that a line needs to be recognised as the first line of the right text."""

_JUDGED = "an earlier rule refuses a token that adds no text or does not fit"


def model_may_end(progress: Progress, candidate: Candidate) -> Verdict:
    """End where the model wants it and the text is a program; refuse all other tokens that stand for no text."""
    if candidate.piece:
        return None
    if candidate.token not in progress.task.vocabulary.ends:
        return Cause.SPECIAL
    return End(Stop.END, first=None) if progress.may_end else Cause.UNFINISHED


def fits(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse a token after which no program continues.

    If it is the model's first choice and the right text begins with it, the model goes on with the right text: end.
    """
    if candidate.state is not None:
        return None
    if candidate.rank == 0:
        assert candidate.piece, _JUDGED
        wanted = candidate.piece.strip().decode(errors="replace")
        if wanted and progress.task.content.startswith(wanted) and progress.may_end:
            return End(Stop.FOLLOWING, first=None, refused=_UNFIT)
    return _UNFIT


def is_indented_like_the_file(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse an indentation that the lines near the cursor do not have."""
    indentation = progress.task.indentation
    if indentation is None:
        return None
    state = candidate.state
    assert state is not None, _JUDGED
    return None if indentation.fits(candidate.text, progress.state, state) else Cause.INDENTATION


def stays_in_bracket(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse to leave the bracket around the cursor while the text can still be finished inside it."""
    extent, state = progress.extent, candidate.state
    assert state is not None, _JUDGED
    if not extent.leaves_bracket(state.enclosure) or progress.last_stop() is not None:
        return None
    inside: State | None = progress.state
    for character in progress.state.closing() or "":
        inside = inside.advance(character) if inside is not None else None
        if inside is None or extent.leaves_bracket(inside.enclosure):
            return None
    return Cause.ESCAPE


def ends_with_its_line(progress: Progress, candidate: Candidate) -> Verdict:
    """End with the line that completes the statement, or the one line that was asked for."""
    line = candidate.line
    if line is None or not line.may_stop or not line.has_content:
        return None
    below = line.state.advance(line.separator)
    if below is None or not progress.extent.ends_with_line(below.enclosure):
        return None
    return End(progress.extent.stop, candidate.piece, Mark(line.length, line.state, None))


def repeats_next_line(progress: Progress, candidate: Candidate) -> Verdict:
    """End before a line that is the first one of the right text."""
    line = candidate.line
    if line is None or not line.may_stop:
        return None
    text = progress.text + line.added
    start = max(text.rfind(b"\n"), text.rfind(b"\r"))
    last = text[start + 1 :].strip().decode(errors="replace")
    if start < 0 or len(last) < _REPEATED or last != progress.task.next_line:
        return None
    state = progress.task.start.advance(text[:start])
    if state is None or not state.accepting:
        return None
    return End(Stop.FOLLOWING, candidate.piece, Mark(start, state, None))


def leaves_its_extent(progress: Progress, candidate: Candidate) -> Verdict:
    """End at the last place where the text may stop before it leaves the statement, the block or the bracket."""
    extent, line, state = progress.extent, candidate.line, candidate.state
    assert state is not None, _JUDGED
    if not extent.is_left(state.enclosure, lines=progress.line_ended or (line is not None and line.has_content)):
        return None
    if line is not None and line.may_stop and not progress.state.accepting:
        mark: Mark | None = Mark(line.length, line.state, None)
    else:
        mark = progress.last_stop()
    return None if mark is None else End(extent.stop, candidate.piece, mark)


def repeats_itself(progress: Progress, candidate: Candidate) -> Verdict:
    """End before the text repeats itself, at the place that the model likes best; refuse where there is none."""
    repeats = repetition(candidate.text)
    if repeats is None:
        return None
    mark = progress.best_stop(repeats)
    return Cause.REPETITION if mark is None else End(Stop.REPETITION, candidate.piece, mark)


def can_be_closed_in_time(progress: Progress, candidate: Candidate) -> Verdict:
    """Take a token after which the tokens left suffice to make the text a program; refuse all others."""
    token, piece, state, text, _, _, search, _ = candidate
    assert piece, _JUDGED
    assert state is not None, _JUDGED
    budget = progress.budget.spend(token, piece, text, state, search=search)
    return Cause.UNCLOSABLE if budget is None else _new(Take, (budget,))


STOP_RULES: tuple[Rule, ...] = (ends_with_its_line, repeats_next_line, leaves_its_extent)
"""The places where a text ends whatever the model prefers."""

RULES: tuple[Rule, ...] = (
    model_may_end,
    fits,
    is_indented_like_the_file,
    stays_in_bracket,
    *STOP_RULES,
    repeats_itself,
    can_be_closed_in_time,
)
"""All rules, in the order in which they are asked. The last one always has a verdict.

The cheap ones come first. A rule that ends the text stands behind those that refuse a token for what it is, so that a
token that would not be taken ends nothing.
"""

RULES_WITHIN_LINE: tuple[Rule, ...] = tuple(
    rule for rule in RULES if rule not in (model_may_end, fits, ends_with_its_line, repeats_next_line)
)
"""The rules that may have a verdict on a token that fits and ends no line, as nearly all do: the others look for what
it is not."""

WITHOUT_CHOICE: tuple[Rule, ...] = (*STOP_RULES, can_be_closed_in_time)
"""The rules for tokens that are taken only because nothing else is left."""
