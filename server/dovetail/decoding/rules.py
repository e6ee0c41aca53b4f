"""The rules of decoding: which proposals of the model are taken, and where a text ends.

A rule is a function from a text and a candidate for its next token to a verdict (`verdict.py`). `RULES` is the order in
which they are asked; the first verdict counts. To add a rule, write one function, here or in a file of its own, enter
it in `RULES`, and add a case file to `tests/decoding/cases`.

Rules only look: a candidate that is refused leaves no trace in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.brevity import end_of_lines, is_bounded
from dovetail.decoding.comma_behind import ends_before_comma
from dovetail.decoding.completion import Cause, Stop
from dovetail.decoding.due_sign import begins_other
from dovetail.decoding.extent import Kind
from dovetail.decoding.finishing import mark_before
from dovetail.decoding.gain import is_hopeless
from dovetail.decoding.hidden_characters import has_no_hidden_character
from dovetail.decoding.leaving import find_exit
from dovetail.decoding.limits import Shape
from dovetail.decoding.named_elements import NamedState
from dovetail.decoding.progress import Mark
from dovetail.decoding.prose_brackets import writes_no_closer_as_text
from dovetail.decoding.quotes import with_quotes_of_file
from dovetail.decoding.repetition import repetition
from dovetail.decoding.rest_of_line import to_line_end
from dovetail.decoding.terminators import last_line_end, unwanted_sign
from dovetail.decoding.unasked_comments import begins_no_unasked_comment, is_no_documentation
from dovetail.decoding.verdict import End, Instead, Take

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.constraint import ConstraintState
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
    fits = indentation.fits(candidate.text, progress.state, state, written=len(progress.text))
    return None if fits else Cause.INDENTATION


def keeps_rest_of_line(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse to move the rest of the cursor's line to another line, and to indent it anew (`rest_of_line.py`).

    If it is the model's first choice, the model is done with the line: end there. Where that is no program there is no
    text while the user types; who asks by hand gets one that stays on the line, within brackets and where one is due.
    """
    rest, piece = progress.task.rest_of_line, candidate.piece
    if rest is None:
        return None
    assert piece, _JUDGED
    if not rest.is_moved_by(progress.text, piece):
        return None
    if candidate.rank:
        return Cause.REST_OF_LINE
    length, start = len(progress.text), progress.task.start
    mark = find_exit(progress, candidate) or Mark(length, progress.state, None)
    added = to_line_end(piece.decode(errors="ignore")).rstrip().encode()
    if added and mark.length == length and not mark.state.accepting:
        longer = progress.state.advance(added)
        mark = mark if longer is None else Mark(length + len(added), longer, None)
    if not mark.length or not progress.may_stop(candidate.text[: mark.length], mark.state):
        # Where something is due, as in `for a in |:`, within brackets and in elements another token may stay there.
        is_within = start.enclosure.inner > 0 or (isinstance(start, NamedState) and progress.task.place.prose)
        if not progress.task.typing and not rest.begins_line and (is_within or not start.accepting):
            return Cause.REST_OF_LINE
        mark = Mark(0, start, None)
    return End(Stop.REST_OF_LINE, piece, mark, Cause.REST_OF_LINE)


def is_written_like_the_file(progress: Progress, candidate: Candidate) -> Verdict:
    """Write a string with the quotes of the file, and no sign at the end of a statement that the file leaves out."""
    style, piece = progress.task.style, candidate.piece
    assert piece, _JUDGED
    if len(piece.translate(None, style.signs)) == len(piece) or progress.task.limits.shape is Shape.FREE:
        return None
    found = unwanted_sign(progress, piece)
    if found is None:
        other = with_quotes_of_file(progress, piece)
        return None if other is None else Instead(other, Cause.STYLE)
    shorter, before = found
    if shorter.strip(b" \t"):
        return Instead(shorter, Cause.STYLE)
    if progress.extent.kind is Kind.STATEMENT and progress.may_stop(candidate.text[: before.length], before.state):
        return End(progress.extent.stop, piece, before, Cause.STYLE)
    return Cause.STYLE


def adds_no_blanks_to_blanks(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse to begin with a blank behind blanks that were typed: a model goes on with them where it is at a loss."""
    if progress.text or not progress.task.blanks_enough or progress.task.limits.shape is Shape.FREE:
        return None
    piece = candidate.piece
    assert piece, _JUDGED
    return Cause.BLANKS if piece[0] in b" \t" else None


def may_stand_in_its_function(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse a word that the innermost function does not allow, as `await` in one that is not `async`."""
    words = progress.task.allowed_words
    if words is None:
        return None
    before, text = (part.decode(errors="ignore") for part in (progress.text, candidate.text))
    return Cause.WORD_OF_FUNCTION if words.has_misplaced(text, len(before)) else None


def stays_in_bracket(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse to leave the bracket or string around the cursor while the text can still be finished inside it."""
    extent, place = progress.extent, find_exit(progress, candidate)
    if place is None or progress.may_stop(candidate.text[: place.length], place.state):
        return None
    if progress.last_stop() is not None:
        return None
    inside: ConstraintState | None = progress.state
    for character in progress.state.closing() or "":
        inside = inside.advance(character) if inside is not None else None
        if inside is None or extent.leaves_bracket(inside.enclosure):
            return None
    return Cause.ESCAPE


def is_no_padding(progress: Progress, candidate: Candidate) -> Verdict:
    """End before what a reader has seen already, once a line ends with it; with nothing if there is no place before."""
    line = candidate.line
    if line is None or progress.task.limits.shape is Shape.FREE:
        return None
    text = (progress.text + line.added).decode()
    start = progress.task.padding.begin(text)
    if start is None:
        return None
    return _ends_before(progress, candidate, len(text[:start].encode()))


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


def begins_another_statement(progress: Progress, candidate: Candidate) -> Verdict:
    """End with the line above where a line end has ended its statement, as the beginning of this line shows."""
    terminator = progress.task.style.terminator
    if terminator is None or progress.extent.kind is not Kind.STATEMENT:
        return None
    above = last_line_end(progress, candidate)
    if above is None or not begins_other(terminator, above[0].state, above[1]):
        return None
    return End(progress.extent.stop, candidate.piece, above[0])


def ends_before_terminator(progress: Progress, candidate: Candidate) -> Verdict:
    """End before the sign that ends statements, where the text may end before it and not behind it.

    What follows goes on with the statement, as `.on(` does below a callback. Behind `});` the text would have to begin
    another statement, for the right text to go on with.
    """
    terminator, piece, state = progress.task.style.terminator, candidate.piece, candidate.state
    assert piece, _JUDGED
    assert state is not None, _JUDGED
    at = -1 if terminator is None else piece.find(terminator.sign.encode())  # Nearly no piece has it.
    if at < 0 or state.accepting or progress.task.limits.shape is Shape.FREE:
        return None
    before = progress.state.advance(piece[:at]) if at else progress.state
    length = len(progress.text) + at
    if before is None or not candidate.text[:length].strip() or not progress.may_stop(candidate.text[:length], before):
        return None
    return End(progress.extent.stop, piece, Mark(length, before, None))


def leaves_its_extent(progress: Progress, candidate: Candidate) -> Verdict:
    """End at the last place where the text may stop before it leaves the statement, the block, bracket or string."""
    extent, line, state = progress.extent, candidate.line, candidate.state
    assert state is not None, _JUDGED
    place = find_exit(progress, candidate)
    if place is None and not extent.is_left(
        state.enclosure, lines=progress.line_ended or (line is not None and line.has_content)
    ):
        return None
    mark: Mark | None
    if place is not None and progress.may_stop(candidate.text[: place.length], place.state):
        mark = place
    elif line is not None and line.may_stop and not progress.state.accepting:
        mark = Mark(line.length, line.state, None)
    else:
        mark = progress.last_stop()
    return None if mark is None else End(extent.stop, candidate.piece, mark)


def has_lines_enough(progress: Progress, candidate: Candidate) -> Verdict:
    """End with the last line that is shown while the user types, unless the syntax asks for a block."""
    line = candidate.line
    if line is None or not is_bounded(progress.task, progress.extent):
        return None
    end = end_of_lines(candidate.text)
    if end is None:
        return None
    mark = Mark(line.length, line.state, None) if line.may_stop and line.length == end else None
    return End(Stop.LINES, candidate.piece, mark)


def repeats_itself(progress: Progress, candidate: Candidate) -> Verdict:
    """End before the text repeats itself, at the place that the model likes best; with nothing where there is none."""
    repeats = repetition(candidate.text)
    return None if repeats is None else _ends_before(progress, candidate, repeats)


def gains_by_more(progress: Progress, candidate: Candidate) -> Verdict:
    """End where more is so unlikely to be right that it is not worth reading, but not before a statement's sign."""
    terminator, piece = progress.task.style.terminator, candidate.piece
    assert piece, _JUDGED
    if terminator is not None and piece.startswith(terminator.sign.encode()):
        return None
    return End(Stop.GAIN, candidate.piece) if is_hopeless(progress, candidate.text) else None


def can_be_closed_in_time(progress: Progress, candidate: Candidate) -> Verdict:
    """Take a token after which the tokens left suffice to make the text a program; refuse all others."""
    token, piece, state, text, _, _, search, _, _ = candidate
    assert piece, _JUDGED
    assert state is not None, _JUDGED
    budget = progress.budget.spend(token, piece, text, state, search=search)
    return Cause.UNCLOSABLE if budget is None else _new(Take, (budget,))


def _ends_before(progress: Progress, candidate: Candidate, length: int) -> Verdict:
    """Return the end of a text at its best place within so many bytes (`mark_before`).

    A text that nobody reads along goes on with another token instead.
    """
    if progress.task.limits.shape is Shape.FREE:
        mark = progress.best_stop(length)
        return Cause.REPETITION if mark is None else End(Stop.REPETITION, candidate.piece, mark)
    return End(Stop.REPETITION, candidate.piece, mark_before(progress, length))


STOP_RULES: tuple[Rule, ...] = (
    ends_with_its_line,
    repeats_next_line,
    begins_another_statement,
    ends_before_terminator,
    ends_before_comma,
    leaves_its_extent,
    has_lines_enough,
)
"""The places where a text ends whatever the model prefers."""

RULES: tuple[Rule, ...] = (
    model_may_end,
    fits,
    has_no_hidden_character,
    keeps_rest_of_line,
    is_indented_like_the_file,
    is_written_like_the_file,
    adds_no_blanks_to_blanks,
    is_no_documentation,
    begins_no_unasked_comment,
    writes_no_closer_as_text,
    may_stand_in_its_function,
    stays_in_bracket,
    is_no_padding,
    *STOP_RULES,
    repeats_itself,
    gains_by_more,
    can_be_closed_in_time,
)
"""All rules, in the order in which they are asked. The last one always has a verdict.

The cheap ones come first. A rule that ends the text comes after those that refuse a token for what it is, so that a
token that would not be taken ends nothing.
"""

_AT_LINE_END = (is_no_padding, ends_with_its_line, repeats_next_line, has_lines_enough)

RULES_WITHIN_LINE: tuple[Rule, ...] = tuple(rule for rule in RULES if rule not in (model_may_end, fits, *_AT_LINE_END))
"""The rules that may have a verdict on a token that fits and ends no line, as nearly all do: the others look for what
it is not."""

WITHOUT_CHOICE: tuple[Rule, ...] = (has_no_hidden_character, keeps_rest_of_line, *STOP_RULES, can_be_closed_in_time)
"""The rules for tokens that are taken only because nothing else is left."""
