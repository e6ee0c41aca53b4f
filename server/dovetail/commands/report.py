"""A completion as people see it in a terminal, and as programs read it."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from dovetail.commands.place import split_lines
from dovetail.commands.refusals import refusal_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from dovetail.commands.judgement import Judgement
    from dovetail.commands.place import Place
    from dovetail.commands.refusals import ExplainedRefusal
    from dovetail.decoding.completion import Completion

_VERSION = 1
"""The version of the JSON form: one more whenever a field goes or means something else."""

_AROUND = 4
"""The lines that are shown before and after the completion."""

_LONGEST = 200
"""The characters of a line that are shown on either side of the completion."""

_TAB = "    "
"""The look of a tab: behind the number of a line, those of a terminal are of several widths."""

_INSERTED = "bold green"


@dataclass(frozen=True, slots=True)
class JudgedCompletion:
    """A completion with everything that is said of it."""

    completion: Completion
    judgement: Judgement | None = None
    """The judgement of the language's own parser on the result; None without a text."""
    refusals: Sequence[ExplainedRefusal] | None = None
    """The refused tokens; None if they were not asked for."""
    obstacle: str | None = None
    """The mistake elsewhere for which nothing fits, with its place; None if it is not known."""

    @property
    def parses(self) -> bool:
        """True if a text is offered, and the result parses."""
        return self.judgement is not None and self.judgement.accepted


def show(console: Console, place: Place, answer: JudgedCompletion, model: str, number: int | None = None) -> None:
    """Print the lines around the cursor with the completion marked, then its reasons, times and verdict.

    `number`: the place of the completion among several, counted from 1.
    """
    completion = answer.completion
    if number is not None and number > 1:
        console.print()
    title = str(place.path) if number is None else f"{place.path}, candidate {number}"
    console.print(Text(title, "bold"), soft_wrap=True)
    console.print(_excerpt(place, completion.text or ""), soft_wrap=True)
    console.print()
    console.print(_outcome(completion, answer.obstacle), soft_wrap=True)
    seconds = completion.seconds
    times = ", ".join(
        f"{name} {1000 * value:.0f} ms"
        for name, value in (
            ("contexts", seconds.contexts),
            ("prompt", seconds.prompt),
            ("model", seconds.model),
            ("constraint", seconds.constraint),
        )
    )
    tokens = f"{completion.tokens} {'token' if completion.tokens == 1 else 'tokens'}"
    console.print(Text(f"{model}: {tokens}, {completion.refused} refused; {times}.", "dim"), soft_wrap=True)
    if answer.judgement is not None:
        console.print(_judged(answer.judgement), soft_wrap=True)
    if answer.refusals is not None:
        console.print()
        for line in refusal_lines(answer.refusals, completion.refused):
            console.print(line, soft_wrap=True)


def as_json(
    place: Place, answers: Sequence[JudgedCompletion], language: str, model: str, *, listed: bool = False
) -> str:
    """Return everything that `show` prints, and the exact texts, as one JSON object on one line.

    The object describes the first completion; with `listed`, its `candidates` describe all.
    """
    fields: dict[str, object] = {
        "version": _VERSION,
        "file": str(place.path),
        "offset": place.offset,
        "language": language,
        "model": model,
        **_fields(answers[0]),
    }
    if listed:
        fields["candidates"] = [_fields(answer) for answer in answers]
    return json.dumps(fields)


def _fields(answer: JudgedCompletion) -> dict[str, object]:
    """Return what JSON says of one completion."""
    completion, judgement = answer.completion, answer.judgement
    fields: dict[str, object] = {
        "text": completion.text,
        "closing": completion.closing,
        "stop": completion.stop.name.lower(),
        "tokens": completion.tokens,
        "refused": completion.refused,
        "seconds": dataclasses.asdict(completion.seconds),
        "judgement": None if judgement is None else dataclasses.asdict(judgement),
    }
    if answer.refusals is not None:
        fields["refusals"] = [dataclasses.asdict(refusal) for refusal in answer.refusals]
    return fields


def _excerpt(place: Place, inserted: str) -> Text:
    """Return the lines around the cursor, numbered; a `+` marks those that the completion touches.

    Without a completion a caret stands under the place of the cursor.
    """
    text = place.left + inserted + place.right
    start, end = place.offset, place.offset + len(inserted)
    lines = split_lines(text)
    touched = [number for number, (first, last) in enumerate(lines) if first <= end and last >= start]
    shown = range(max(touched[0] - _AROUND, 0), min(touched[-1] + _AROUND + 1, len(lines)))
    width = len(str(shown[-1] + 1))
    excerpt = Text()
    for number in shown:
        first, last = lines[number]
        mark = "+" if number in touched and inserted else " "
        excerpt.append(f"{number + 1:{width}} {mark} ", "dim")
        before, after = (min(max(place, first), last) for place in (start, end))
        left = _clipped(text[first:before], from_end=before > first and number in touched)
        excerpt.append(left)
        excerpt.append(text[before:after].replace("\t", _TAB), _INSERTED)
        excerpt.append(_clipped(text[after:last]))
        if number in touched and not inserted:
            excerpt.append(f"\n{' ' * (width + 3 + cell_len(left))}^", "yellow")
        if number != shown[-1]:
            excerpt.append("\n")
    return excerpt


def _clipped(text: str, *, from_end: bool = False) -> str:
    """Return a part of a line, shortened on the side away from the cursor if it is very long."""
    shown = text.replace("\t", _TAB)
    if len(shown) <= _LONGEST:
        return shown
    return f"…{shown[-_LONGEST:]}" if from_end else f"{shown[:_LONGEST]}…"


def _outcome(completion: Completion, obstacle: str | None) -> Text:
    if completion.text is None:
        where = f": {obstacle}" if obstacle else ""
        return Text(f"Nothing is offered: {completion.reason}{where}.", "yellow")
    outcome = f"Stopped because {completion.reason}"
    if completion.closing:
        outcome += f"; closed with {completion.closing!r}"
    return Text(f"{outcome}.")


def _judged(judgement: Judgement) -> Text:
    if judgement.accepted:
        return Text(f"The result parses: {judgement.parser} accepts the whole file.", "green")
    reason = f": {judgement.error}" if judgement.error else ""
    if judgement.broken_before:
        return Text(f"The file does not parse, as it did not before: {judgement.parser} refuses it{reason}.", "yellow")
    return Text(f"The result does not parse: {judgement.parser} refuses the whole file{reason}.", "red")
