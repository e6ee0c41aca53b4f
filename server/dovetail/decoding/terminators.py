r"""Signs that end a statement where a line end may do so as well, as `;` in JavaScript.

- In a file that writes none, none is added: the model's is left out.
- In a file that writes them, none is left out: each statement of a suggestion that ended with its line gets one.
- None comes where a statement has ended, as after a block, and none is a suggestion by itself.
- Where a sign may still come, a line end says nothing yet: the next line may go on with the statement, as a chain of
  calls does. So the text ends when that line begins another one.

No fact about the syntax is needed but the sign and a statement that may begin wherever one may (`Terminator`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop
from dovetail.decoding.due_sign import begins_other, is_due
from dovetail.decoding.extent import begins_with_one
from dovetail.decoding.limits import Shape
from dovetail.decoding.progress import Mark
from dovetail.decoding.rest_of_line import to_line_end

if TYPE_CHECKING:
    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.task import Task
    from dovetail.grammar.habits import Terminator

_ENDED = frozenset({Stop.END, Stop.LINE, Stop.STATEMENT, Stop.BLOCK, Stop.FOLLOWING, Stop.REPETITION})
"""The reasons to stop where a statement is as long as the model would have it."""

_CLOSER = " )"
"""Fits after a text in prose, and nowhere where a statement may begin."""


_GOES_ON = re.compile(r"[(\[.+*/%<>=?&|^]")
"""The beginning of a rest of a line that no statement begins with, as a rule."""

_CALL = re.compile(r"(?<=[\w\])>])\([^()\r\n]*\)\Z")

_CLOSERS = re.compile(r"[\r\n][ \t]*[)\]}]+\Z")
"""The last line of a statement of several lines, as it mostly is."""


def last_line_end(progress: Progress, candidate: Candidate) -> tuple[Mark, bytes] | None:
    """Return the end of the line above the content that a candidate begins a line with, and that content.

    None if the candidate begins no line, or if the text may not stop above.
    """
    text = candidate.text
    start = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
    content = text[start:].lstrip()
    # A comment may begin with two tokens.
    if not start or not content or len(progress.text[start:].strip()) > 1:
        return None
    line = candidate.line
    if line is not None:
        return (Mark(line.length, line.state, None), content) if line.may_stop else None
    found = None
    for mark in reversed(progress.marks):
        if progress.text[mark.length : start].strip():
            break
        found = mark if mark.length < start else found
    if found is None or not progress.may_stop(progress.text[: found.length], found.state):
        return None
    return found, content


def unwanted_sign(progress: Progress, piece: bytes) -> tuple[bytes, Mark] | None:
    """Return a piece without the sign that the file does not write there, and the place before the sign.

    None if the piece may stay as it is.
    """
    style = progress.task.style
    terminator = style.terminator
    if terminator is None:
        return None
    sign = terminator.sign.encode()
    place = piece.find(sign)
    if place < 0:
        return None
    before = progress.state.advance(piece[:place]) if place else progress.state
    if before is None or before.enclosure.inner:
        return None
    found = piece[:place] + piece[place + len(sign) :], Mark(len(progress.text) + place, before, None)
    if before.advance(f" {terminator.statement}") is not None:
        return found if _is_ended(progress, piece[:place], before) else None
    if style.writes_terminator is not False or before.advance(f"\n{terminator.statement}") is None:
        return None
    line = _line(progress, piece[:place])
    # A block on one line needs the sign between its statements.
    if line.count("{") > line.count("}"):
        return None
    return found


def _is_ended(progress: Progress, added: bytes, before: ConstraintState) -> bool:
    """Return whether a statement has ended where another may begin."""
    if before.advance(_CLOSER) is not None or before.enclosure.blank is not None:
        return False
    terminator, line = progress.task.style.terminator, _line(progress, added).rstrip()
    assert terminator is not None, "a caller has asked"
    return line.endswith((terminator.sign, *(end for end in progress.task.block_ends if len(end) == 1)))


def _line(progress: Progress, added: bytes) -> str:
    """Return the line that a text ends with once more is added to it."""
    whole = progress.task.left + (progress.text + added).decode(errors="replace")
    return whole[max(whole.rfind("\n"), whole.rfind("\r")) + 1 :]


def terminated(progress: Progress, text: str, closing: str, stop: Stop) -> tuple[str, str]:
    """Return a text and its closing with the signs that its statements lack in a file that writes them."""
    task = progress.task
    terminator = task.style.terminator
    if terminator is None or task.limits.shape is Shape.FREE or not text.strip():
        return text, closing
    longer, closing_of_longer, state = "", closing, task.start
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        bare = line.rstrip()
        there = state.advance(bare)
        if there is None:  # a sign that was added fits nowhere in the whole
            return text, closing
        following = next((other.strip() for other in lines[number + 1 :] if other.strip()), None)
        lacks = (
            _lacks_last(progress, terminator, text, there, stop)
            if following is None
            else bool(bare.strip()) and begins_other(terminator, there, following.encode())
        )
        if lacks and task.style.writes_terminator and (ended := there.advance(terminator.sign)) is not None:
            longer, there = longer + bare + terminator.sign, ended
            is_own = following is not None or _writes_sign(progress, terminator, text)
            closing_of_longer += "" if is_own else terminator.sign
        else:
            longer += bare
        rest = line[len(bare) :]
        longer += rest
        after = there.advance(rest)
        if after is None:
            return text, closing
        state = after
    return (longer, closing_of_longer) if longer != text and task.start.accepts(longer) else (text, closing)


def before_rest_of_statement(task: Task, text: str) -> str:
    """Return a text without the end of its statement, or its call, where the rest of the line goes on: before `(1)`.

    The same text where the shorter one is no program.
    """
    rest, terminator = to_line_end(task.right).lstrip(), task.style.terminator
    signs = (task.style.comment, (task.comment_opening or b"").decode())
    is_comment = any(sign and rest.startswith(sign) for sign in signs)
    if task.limits.shape is Shape.FREE or not _GOES_ON.match(rest) or is_comment:
        return text
    shorter = text.rstrip()
    if terminator is not None:
        shorter = shorter.removesuffix(terminator.sign)
    if rest[0] == "(":
        shorter = _CALL.sub("", shorter)
    return shorter if shorter != text.rstrip() and shorter.strip() and task.start.accepts(shorter) else text


def _lacks_last(progress: Progress, terminator: Terminator, text: str, state: ConstraintState, stop: Stop) -> bool:
    """Return whether the last statement of a text, with a state after it, lacks its sign."""
    task = progress.task
    ended = stop in _ENDED or (stop is Stop.LINES and _CLOSERS.search(text)) or _writes_sign(progress, terminator, text)
    if not ended:
        return False
    if to_line_end(task.right).strip() or begins_with_one(task.content, (terminator.sign,)) or text[-1:].isspace():
        return False
    return is_due(terminator, state)


def _writes_sign(progress: Progress, terminator: Terminator, text: str) -> bool:
    """Return whether the model ended the statement right behind a text that was cut there."""
    written = progress.text.decode(errors="ignore")
    return written.startswith(text) and written[len(text) :].startswith(terminator.sign)


def is_only_sign(progress: Progress, text: str) -> bool:
    """Return whether a text is nothing but a sign that need not be there."""
    task = progress.task
    terminator = task.style.terminator
    if terminator is None or task.limits.shape is Shape.FREE:
        return False
    return text.strip() == terminator.sign and task.start.accepting
