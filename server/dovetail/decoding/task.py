"""The task of decoding: one place to complete, with everything that stays the same while texts are written there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.decoding.acceptance import DEFAULT
from dovetail.decoding.block_indentation import find_block_indentation
from dovetail.decoding.cursor_place import find_place
from dovetail.decoding.drafting import Drafts, PromptIndex
from dovetail.decoding.file_style import FileStyle
from dovetail.decoding.indentation import find_line_indentation
from dovetail.decoding.padding import Padding
from dovetail.decoding.rest_of_line import find_rest_of_line, to_line_end
from dovetail.decoding.silence import least_acceptance

if TYPE_CHECKING:
    from dovetail.decoding.acceptance import Calibration
    from dovetail.decoding.block_indentation import BlockIndentation
    from dovetail.decoding.constraint import Constraint, ConstraintState, WordJudge
    from dovetail.decoding.cursor_place import CursorPlace
    from dovetail.decoding.indentation import Indentation
    from dovetail.decoding.limits import Limits
    from dovetail.decoding.plan import Plan, Planner
    from dovetail.decoding.prompt import Prompt
    from dovetail.decoding.request import Request
    from dovetail.decoding.rest_of_line import RestOfLine
    from dovetail.vocabulary.vocabulary import Vocabulary


_BLANKS_ENOUGH = re.compile(r"\S(?: [ \t]|\t)[ \t]*\Z")

_BELOW = re.compile(r"(?:\A|[\n\r])([ \t]*)\S[^\n\r]*[\n\r](?:[ \t]*[\n\r])*([ \t]+)\Z")
"""A line with content, and blanks alone below it."""

_NEAR = 2_000
"""Characters before the cursor in which blanks are sought."""


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One place to complete."""

    left: str
    right: str
    limits: Limits
    start: ConstraintState
    """The empty completion."""
    plan: Plan
    """A way to complete the place; it costs at most `prompt.room` tokens."""
    prompt: Prompt
    vocabulary: Vocabulary
    planner: Planner
    content: str
    """The right text from its first character that is not blank."""
    next_line: str
    """The first line of the right text that is not blank, without blanks around it; empty without one."""
    rest_of_line: RestOfLine | None
    """The rest of the cursor's line, which stays in its place; None if it is blank."""
    indentation: Indentation | BlockIndentation | None
    """The indentation of the lines near the cursor; None if no line is indented."""
    block_ends: tuple[str, ...]
    """The texts that close a block, where brackets make them."""
    drafts: Drafts
    """The texts that drafts are copied from."""
    place: CursorPlace
    calibration: Calibration
    threshold: float
    """The least probability of being accepted with which a text is shown; 0 for none (`silence.py`)."""
    padding: Padding
    """The judge of what a reader has seen already."""
    typing: bool
    """True if the user types and has not asked by hand."""
    style: FileStyle
    """The habits of the file."""
    blanks_enough: bool
    """True if a text needs no blanks of its own before it (`_has_blanks_enough`)."""
    comma_behind: bool
    """True if a comma stands behind the cursor, perhaps behind blanks."""
    documentation: re.Pattern[bytes] | None
    """A pattern that no line may begin with: documentation quotes that nobody asked for; None if all may."""
    comment_opening: bytes | None
    """The sign that opens a comment within a line; None in a language without such."""
    imports: re.Pattern[str] | None
    """A pattern for lines that import; None if the language has none."""
    allowed_words: WordJudge | None
    """The judge of words that stand only in functions of one kind; None if the language has none."""


def make_task(
    request: Request, quotient: Constraint, plan: Plan, prompt: Prompt, vocabulary: Vocabulary, planner: Planner,
    calibration: Calibration = DEFAULT, start: ConstraintState | None = None,
) -> Task:  # fmt: skip
    """Return the task of a request, whose texts start from the empty middle of a quotient.

    `calibration`: that of the model. `start`: the state of the empty middle, if it is not the quotient's own.
    """
    content = request.right.lstrip()
    start = quotient.start if start is None else start
    find = find_block_indentation if quotient.has_bracket_blocks else find_line_indentation
    documentation = quotient.documentation if request.typing else None
    return Task(
        request.left,
        request.right,
        request.limits,
        start,
        plan,
        prompt,
        vocabulary,
        planner,
        content=content,
        next_line=to_line_end(content).rstrip(),
        rest_of_line=find_rest_of_line(request),
        indentation=find(request.left, request.right, quotient),
        block_ends=quotient.block_ends,
        drafts=Drafts(PromptIndex(prompt.left_tokens, prompt.right_tokens)),
        place=find_place(start, request.left, request.right),
        calibration=calibration,
        threshold=least_acceptance(request),
        padding=Padding(
            request.left,
            request.right,
            quotient.start.enclosure.inner,
            quotient.comment,
            quotient.imports,
            quotient.declarations,
        ),
        typing=request.typing,
        style=FileStyle(quotient.habits, request.left, request.right, quotient.comment),
        blanks_enough=_has_blanks_enough(request.left[-_NEAR:], quotient.has_bracket_blocks),
        comma_behind=request.right.lstrip(" \t").startswith(","),
        documentation=None if documentation is None else re.compile(documentation.encode()),
        comment_opening=None if quotient.long_comment is None else quotient.long_comment[0].encode(),
        imports=None if quotient.imports is None else re.compile(quotient.imports),
        allowed_words=quotient.allowed_words(request.left),
    )


def _has_blanks_enough(left: str, by_brackets: bool) -> bool:
    """Return whether several blanks stand before the cursor, behind content of its line or deeper than the line above.

    `by_brackets`: brackets make blocks. Otherwise the depth of the line is no matter of style.
    """
    if _BLANKS_ENOUGH.search(left) is not None:
        return True
    below = _BELOW.search(left) if by_brackets else None
    return below is not None and len(below[1].expandtabs()) < len(below[2].expandtabs())
