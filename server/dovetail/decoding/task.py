"""The task of decoding: one place to complete, with everything that stays the same while texts are written there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.decoding.drafting import Drafts, PromptIndex
from dovetail.decoding.indentation import find_indentation

if TYPE_CHECKING:
    from dovetail.decoding.constraint import Quotient, State
    from dovetail.decoding.indentation import Indentation
    from dovetail.decoding.limits import Limits
    from dovetail.decoding.plan import Plan, Planner
    from dovetail.decoding.prompt import Prompt
    from dovetail.decoding.request import Request
    from dovetail.vocabulary.vocabulary import Vocabulary

# Not `str.splitlines`: it also breaks at form feeds and U+2028, where no line of a program ends.
_REST_OF_LINE = re.compile(r"[^\r\n]*")


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One place to complete."""

    left: str
    right: str
    limits: Limits
    start: State
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
    indentation: Indentation | None
    """How lines near the cursor are indented; None if no line is."""
    drafts: Drafts
    """The texts that drafts are copied from."""


def make_task(
    request: Request, quotient: Quotient, plan: Plan, prompt: Prompt, vocabulary: Vocabulary, planner: Planner
) -> Task:
    """Return the task of a request, whose texts start from the empty middle of a quotient."""
    content = request.right.lstrip()
    line = _REST_OF_LINE.match(content)
    assert line is not None, "the rest of a line may be empty"
    return Task(
        request.left,
        request.right,
        request.limits,
        quotient.start,
        plan,
        prompt,
        vocabulary,
        planner,
        content=content,
        next_line=line[0].rstrip(),
        indentation=find_indentation(request.left, request.right, quotient.comment, quotient.tab),
        drafts=Drafts(PromptIndex(prompt.left_tokens, prompt.right_tokens)),
    )
