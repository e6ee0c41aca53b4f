"""Tables and cases as HTML; everything that comes from a file or a model is escaped here."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dovetail.evaluation.record import Method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.evaluation.analysis import FailedCase
    from dovetail.evaluation.record import Outcome, Record
    from dovetail.evaluation.tables import Table

_LINES = 5
"""Lines of each context that are shown around a completion."""


def table(shown: Table) -> str:
    """Return a table with its title and note; what others have measured is marked as theirs."""
    head = "".join(f"<th>{escape(column)}</th>" for column in shown.columns)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in shown.rows
    )
    note = f"<small>{escape(shown.note)}</small>" if shown.note else ""
    mark = '<span class="badge">theirs</span> ' if shown.theirs else ""
    kind = ' class="theirs"' if shown.theirs else ""
    return (
        f"<figure{kind}><figcaption>{mark}<b>{escape(shown.title)}</b> {note}</figcaption>"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></figure>'
    )


def side_by_side(*parts: str) -> str:
    """Return parts beside each other where the page is wide enough."""
    return f'<div class="pair">{"".join(parts)}</div>'


def folded(summary: str, inside: str) -> str:
    """Return something that is shown when asked for."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


def failures(found: Sequence[FailedCase], *, quoting: bool) -> str:
    """Return failures as a list, with or without text of their files."""
    items = "".join(
        f"<li><code>{escape(failure.place)}</code> {escape(failure.kind)}"
        f"{', unconstrained ✓' if failure.unconstrained else ', checked ✓' if failure.checked else ''}: "
        f"{escape(failure.told(quoting=quoting))}</li>"
        for failure in found
    )
    return f'<ul class="failures">{items}</ul>'


def case(record: Record) -> str:
    """Return a case as its methods left it, side by side."""
    panes = [_pane("what was there", "", record, record.removed, "was")]
    for method in Method:
        outcome = record.outcomes.get(method)
        if outcome is not None:
            style = "good" if outcome.valid else "bad"
            panes.append(_pane(method.value, _verdict(outcome), record, outcome.text, style))
    heading = f"{escape(record.file)}, character {record.offset:,}"
    return f'<section class="case"><h3>{heading}</h3><div class="panes">{"".join(panes)}</div></section>'


def _verdict(outcome: Outcome) -> str:
    said = "as it was" if outcome.exact else "a program" if outcome.valid else "no program"
    return f"{said}; {outcome.reason}"


def _pane(title: str, verdict: str, record: Record, text: str | None, style: str) -> str:
    before = "\n".join(record.before.split("\n")[-_LINES:])
    after = "\n".join(record.after.split("\n")[:_LINES])
    middle = '<i class="none">nothing</i>' if text is None else f'<ins class="{style}">{_visible(text)}</ins>'
    note = f"<small>{escape(verdict)}</small>" if verdict else ""
    return (
        f'<div class="pane"><h4 class="{style}">{escape(title)} {note}</h4>'
        f'<pre><span class="context">{escape(before)}</span>{middle}<span class="context">{escape(after)}</span></pre>'
        "</div>"
    )


def _visible(text: str) -> str:
    """Return a text whose line ends can be seen; one that is empty is a mark."""
    return escape(text).replace("\n", '<span class="end">⏎</span>\n') or '<span class="end">∅</span>'
