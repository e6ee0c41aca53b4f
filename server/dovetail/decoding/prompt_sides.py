"""The text before the cursor in a prompt, whatever the form of the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.formats import Side, Words, forms_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.decoding.formats import PromptForm


def left_tokens(prompt: Sequence[int], specials: Mapping[str, int]) -> Sequence[int]:
    """Return the tokens of the text before the cursor in a prompt; the whole prompt if its form is not known."""
    for form in forms_for(specials):
        found = _left_in(prompt, form, specials)
        if found is not None:
            return found
    return prompt


def _left_in(prompt: Sequence[int], form: PromptForm, specials: Mapping[str, int]) -> Sequence[int] | None:
    """Return the tokens of the left text of a prompt in a form; None if the prompt is in another."""
    end, left = len(prompt), prompt[:0]
    between: Side | Words | None = None  # what stands after the next mark; words beside a side count as part of it
    # From the end, since other files, with marks of their own, stand at the beginning.
    for part in reversed(form.parts):
        if not isinstance(part, str):
            between = between or part
            continue
        mark, start = specials[part], end - 1
        while between is not None and start >= 0 and prompt[start] != mark:
            start -= 1
        if start < 0 or prompt[start] != mark:
            return None
        if between is Side.LEFT:
            left = prompt[start + 1 : end]
        end, between = start, None
    return prompt[:end] if between is Side.LEFT else left
