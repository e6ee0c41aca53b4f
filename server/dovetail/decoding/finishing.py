"""The end of a text: from the progress where it stopped to the text that is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.completion import Stop
from dovetail.decoding.ending import characters, tidy
from dovetail.decoding.placeholder_names import is_placeholder

if TYPE_CHECKING:
    from dovetail.decoding.progress import Progress

_COMPLETE = frozenset(
    {Stop.END, Stop.LINE, Stop.STATEMENT, Stop.BLOCK, Stop.ENCLOSURE, Stop.FOLLOWING, Stop.REPETITION}
)
"""The reasons to stop at a place where the text is a program."""


def finish(progress: Progress, stop: Stop) -> tuple[str | None, str, Stop]:
    """Return the text to offer, its closing, and why it ended; no text where none is worth showing.

    The text is cut or closed unless it ended by itself, and has neither the beginning of the right text nor blanks at
    its end. The closing is the end of it that the model did not write.
    """
    text, closing = _program(progress, stop)
    if text is None:
        return None, "", stop if stop is Stop.CANCELLED else Stop.INVENTED
    task = progress.task
    text = tidy(text, task.left, task.right, task.start)
    if characters(text) < task.limits.min_characters:
        return None, "", Stop.SHORT
    return text, closing if text.endswith(closing) else "", stop


def _program(progress: Progress, stop: Stop) -> tuple[str | None, str]:
    """Return a text that is a program in its place, with its closing; no text if it would need a made-up name."""
    if stop is Stop.CANCELLED:
        return None, ""
    if stop in _COMPLETE:
        return progress.text.decode(), ""
    mark = progress.best_stop()
    if mark is not None:
        return progress.text[: mark.length].decode(), ""
    finished = progress.budget.finish(progress.text, progress.state)
    assert finished.state.accepts(finished.closing), f"{finished.closing!r} closes nothing"
    text = finished.start + finished.closing
    try:
        closing = finished.closing.decode()
    except UnicodeDecodeError:  # only a name goes on inside a character
        return None, ""
    if not text.strip() or not is_placeholder(finished.state, closing):
        return text.decode(), closing
    return None, ""
