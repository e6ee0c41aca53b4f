"""The end of a text: from the progress where it stopped to the text that is offered."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from dovetail.decoding.acceptance import acceptance
from dovetail.decoding.block_indentation import BlockIndentation, line_end_of
from dovetail.decoding.brevity import end_of_lines, is_bounded
from dovetail.decoding.closer_lines import lay_out_closers
from dovetail.decoding.completion import Stop
from dovetail.decoding.ending import characters, tidy
from dovetail.decoding.gain import best_stop
from dovetail.decoding.last_comma import without_last_comma
from dovetail.decoding.left_closer import leaves_bracket, leaves_quote, moves_bracket
from dovetail.decoding.limits import Shape
from dovetail.decoding.lone_name import ends_with_name
from dovetail.decoding.named_elements import NamedState
from dovetail.decoding.next_statement import lacks_block, takes_in_next
from dovetail.decoding.placeholder_names import is_placeholder
from dovetail.decoding.progress import Mark
from dovetail.decoding.prose_brackets import is_element_text, makes_prose_of_closers, without_last_opener
from dovetail.decoding.reopened_block import find_reopened
from dovetail.decoding.swallowed_lines import swallows_lines
from dovetail.decoding.tag_lines import indent_children, lay_out_tags
from dovetail.decoding.terminators import before_rest_of_statement, is_only_sign, terminated
from dovetail.decoding.type_arguments import close_type_arguments

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.task import Task

_COMPLETE = frozenset(
    {
        Stop.END,
        Stop.LINE,
        Stop.STATEMENT,
        Stop.BLOCK,
        Stop.ENCLOSURE,
        Stop.FOLLOWING,
        Stop.REPETITION,
        Stop.REST_OF_LINE,
    }
)
"""The reasons to stop at a place where the text is a program, or where there is no text."""


_WORD = re.compile(rb"\w\w")
_LAST_WORD = re.compile(rb"\w\Z")

_WORD_OR_BRACKET = re.compile(r"[^\W_]|[{}<>]")

_LINE = 8
"""Characters that a line needs to be known again."""

_MOST_ENDS = 4
"""The most ends of blocks that are put below a text in the place of a closing that nobody means."""


def finish(progress: Progress, stop: Stop) -> tuple[str | None, str, Stop]:
    """Return the text to offer, its closing, and why it ended; no text where none is worth showing.

    The text is cut or closed unless it ended by itself, and has neither the beginning of the right text nor blanks at
    its end. The closing is the end of it that the model did not write.
    """
    text, closing, stop = _program(progress, stop)
    if text is None:
        # A text that was given up as unlikely lacks no name: more of it would not have been shown.
        return None, "", {Stop.CANCELLED: stop, Stop.GAIN: Stop.UNSURE}.get(stop, Stop.INVENTED)
    task = progress.task
    if task.limits.shape is not Shape.FREE:
        if closing.strip() and _comes_again(text.removesuffix(closing), 2 if stop is Stop.REPETITION else 3):
            return None, "", Stop.REPETITION
        if swallows_lines(text, task.start):
            lines = _lines_above(progress)
            if lines is None:
                return None, "", Stop.SWALLOWED
            text, closing = lines
        if any(leaves(text, task.right, task.start) for leaves in (leaves_quote, leaves_bracket, moves_bracket)):
            return None, "", Stop.OUTSIDE
        text, closing, stop = _unpadded(progress, text, closing, stop)
        if not text.strip() and stop in (Stop.REPETITION, Stop.UNFIT):
            return None, "", stop
        reopened = find_reopened(text, task.start, task.block_ends)
        if reopened is not None:
            mark = best_stop(progress, len(text[:reopened].encode()))
            if mark is None:
                return None, "", Stop.REOPENED
            text, closing = progress.text[: mark.length].decode(), ""
    if task.typing and ends_with_name(task, text):
        return None, "", Stop.UNSURE if stop is Stop.GAIN else Stop.LONE_NAME
    rest = task.rest_of_line
    if rest is not None:
        data = text.encode()
        if rest.is_moved_by(b"", data) or rest.is_joined_by(data) if data else stop is Stop.REST_OF_LINE:
            return None, "", Stop.REST_OF_LINE
    if is_bounded(task, progress.extent) and end_of_lines(text.encode()) is not None:
        return None, "", Stop.LINES
    written, text = text, tidy(text, task.left, task.right, task.start)
    if makes_prose_of_closers(text, task.right, task.start):
        return None, "", Stop.REPETITION
    if isinstance(task.start, NamedState):
        text = without_last_opener(text, task.start)
    closing = closing if text.endswith(closing) else ""
    text = text if closing else close_type_arguments(task, before_rest_of_statement(task, text))
    text, closing = terminated(progress, text, closing, stop)
    if task.limits.shape is not Shape.FREE and not closing:
        text = without_last_comma(task, text)
    if task.limits.shape is not Shape.FREE and (takes_in_next(task, text) or _lacks_block(task, text)):
        return None, "", Stop.NEXT
    if (
        characters(text) < task.limits.min_characters
        or is_only_sign(progress, text)
        or _is_empty_comment(progress, text)
        or _is_sign_in_element(progress, text)
    ):
        return None, "", stop if stop in (Stop.TIME, Stop.PACE) else _reason_for_too_little(written, text)
    return *_laid_out(progress, text, closing), stop


def _laid_out(progress: Progress, text: str, closing: str) -> tuple[str, str]:
    """Return a text and its closing with the last closers, and the lines of elements, laid out by their openers.

    Where columns make blocks, only closers that the model did not write are.
    """
    task, indentation = progress.task, progress.task.indentation
    by_brackets = isinstance(indentation, BlockIndentation)
    if task.rest_of_line is not None or not (by_brackets or closing):
        return text, closing
    line_end = line_end_of(task.left)
    lines = lay_out_closers(task.left, text, task.style.comment, line_end, closing)
    if isinstance(task.start, NamedState) and isinstance(indentation, BlockIndentation):
        # Blanks alone change, so the closing is as many other characters as before.
        lines = indent_children(task.left, lines, indentation.level, indentation.tab)
        lines = lay_out_tags(task.left, lines, _end_of(lines, characters(closing)), line_end)
    if lines == text or not task.start.accepts(lines):
        return text, closing
    return lines, _end_of(lines, characters(closing))


def _end_of(text: str, count: int) -> str:
    """Return the end of a text that has so many characters beside blanks, with the blanks before its first."""
    own = characters(text) - count
    place = next(place for place in range(len(text) + 1) if characters(text[:place]) == own)
    return text[place:] if count else ""


def mark_before(progress: Progress, length: int) -> Mark:
    """Return the best place to cut a text within so many bytes.

    Without such a place it ends with a line after which closers alone make it a program; without such a line nothing
    is left of it.
    """
    mark = best_stop(progress, length) or last_closable_line(progress, length)
    return mark or Mark(0, progress.task.start, None)


def last_closable_line(progress: Progress, before: int) -> Mark | None:
    """Return the end of the last line within so many bytes of a text after which closers alone make it a program.

    None without such a line, or if the tokens that are left do not suffice for the closers.
    """
    text = progress.text[:before]
    while (end := max(text.rfind(b"\n"), text.rfind(b"\r"))) >= 0:
        text = text[:end].rstrip()
        state = progress.task.start.advance(text)
        closing = state.closing() if state is not None and _WORD.search(text) else None
        if state is None or closing is None:
            return None
        if not is_placeholder(state, closing):
            plan = progress.task.planner.plan(closing.encode())
            return Mark(len(text), state, None) if plan.cost <= progress.budget.left else None
    return None


def _lines_above(progress: Progress) -> tuple[str, str] | None:
    """Return a text up to the last line end at which ends of blocks make it a program, with these, and these alone.

    None if there is no such line.
    """
    task, text = progress.task, progress.text
    while (line_end := text.rfind(b"\n")) >= 0:
        text = text[:line_end].rstrip()
        state = task.start.advance(text)
        if state is None or not _WORD.search(text):
            return None
        for end, number in product(task.block_ends, range(_MOST_ENDS + 1)):
            closing = f" {end}" * number
            if state.accepts(closing):
                closing = _in_lines(progress, text, state, closing)
                return text.decode() + closing, closing
    return None


def estimate(progress: Progress, text: str, closing: str) -> float:
    """Return the probability that a user accepts the text to offer, with its closing."""
    own = len(text.removesuffix(closing).encode())
    closed = progress.task.calibration.closed if closing else 1.0
    return acceptance(progress.choices, progress.text, own, closed)


def _reason_for_too_little(written: str, left: str) -> Stop:
    """Return why a text is not shown of which too little is left beside what stands after the cursor."""
    if left.strip():
        return Stop.SHORT
    return Stop.THERE if written.strip() else Stop.BLANK


def _is_empty_comment(progress: Progress, text: str) -> bool:
    """Return whether a text is nothing but the sign that begins a comment."""
    task = progress.task
    if task.limits.shape is Shape.FREE or task.place.prose:
        return False
    return text.strip() == task.style.comment


def _is_sign_in_element(progress: Progress, text: str) -> bool:
    """Return whether a text is a sign such as `&` that readers of an element would see, and no word."""
    task = progress.task
    return isinstance(task.start, NamedState) and is_element_text(task.start) and not _WORD_OR_BRACKET.search(text)


def _comes_again(text: str, often: int) -> bool:
    """Return whether a line stands so often in a text, at whatever depth: closers below make no sense of that."""
    lines = Counter(bare for line in text.splitlines() if len(bare := line.strip()) >= _LINE)
    return max(lines.values(), default=0) >= often


def _unpadded(progress: Progress, text: str, closing: str, stop: Stop) -> tuple[str, str, Stop]:
    """Return a text without the part that a reader has seen already; empty where no program is left of it."""
    # What is last is judged by what follows it, so each cut is judged anew.
    while text and (start := progress.task.padding.begin(text, whole=True)) is not None:
        mark = best_stop(progress, min(len(text[:start].encode()), len(text.encode()) - 1))
        text = "" if mark is None else progress.text[: mark.length].decode()
        closing, stop = "", Stop.REPETITION
    return text, closing, stop


def _program(progress: Progress, stop: Stop) -> tuple[str | None, str, Stop]:
    """Return a text that is a program in its place, its closing, and why it ended; no text if it needs a made-up name.

    Whatever ended it, it is cut where the expected gain is greatest.
    """
    if stop is Stop.CANCELLED:
        return None, "", stop
    free = progress.task.limits.shape is Shape.FREE
    mark = progress.best_stop() if free and stop not in _COMPLETE else None if free else best_stop(progress)
    if mark is not None:
        cut = stop in _COMPLETE and progress.text[mark.length :].strip() != b""
        return progress.text[: mark.length].decode(), "", Stop.GAIN if cut else stop
    if stop in _COMPLETE:
        # A text that ends with its last closable line is no program yet; every other is, and so is no text.
        is_open = bool(progress.text) and not progress.state.accepting
        closing = (progress.state.closing() or "") if is_open else ""
        closing = _in_lines(progress, progress.text, progress.state, closing)
        return progress.text.decode() + closing, closing, stop
    # The last word may be torn where nothing but the tokens ended it.
    is_torn = stop is Stop.BUDGET and _LAST_WORD.search(progress.text) is not None
    line = last_closable_line(progress, len(progress.text)) if is_torn else None
    if line is not None:
        closing = _in_lines(progress, progress.text[: line.length], line.state, line.state.closing() or "")
        return progress.text[: line.length].decode() + closing, closing, stop
    finished = progress.budget.finish(progress.text, progress.state)
    assert finished.state.accepts(finished.closing), f"{finished.closing!r} closes nothing"
    try:
        closing = finished.closing.decode()
    except UnicodeDecodeError:  # only a name goes on inside a character
        return None, "", stop
    text = finished.start + finished.closing
    if not text.strip() or not is_placeholder(finished.state, closing):
        closing = _in_lines(progress, finished.start, finished.state, closing)
        return (finished.start + closing.encode()).decode(), closing, stop
    return None, "", stop


def _in_lines(progress: Progress, text: bytes, state: ConstraintState, closing: str) -> str:
    """Return the closing of a text, after which the state is another, with each end of a block on a line of its own."""
    indentation = progress.task.indentation
    if not isinstance(indentation, BlockIndentation) or progress.task.rest_of_line is not None:
        return closing
    return indentation.lay_out(state, closing, text.decode(errors="replace"))


def _lacks_block(task: Task, text: str) -> bool:
    """Return whether a text would take in the statement below as its block."""
    after = task.start.advance(text)
    return after is not None and lacks_block(task, text.encode(), after)
