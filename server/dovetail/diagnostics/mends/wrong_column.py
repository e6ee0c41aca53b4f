"""Wrong column: a line that stands in another column than it was meant to, in a language whose columns make blocks.

A header that is moved leaves its block behind, and a moved line the rest of its block. With the line in one of the
columns that other lines have, what follows fits: only the line itself is reported.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from dovetail.diagnostics.change import Change, best_change, mended
from dovetail.diagnostics.line_places import content_at, line_end, line_start, line_start_above
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right
from dovetail.recovery.placeholders import Placeholders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.change import Mend, Tried
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_MOST = 8
"""The most columns that are tried."""

_MOST_LINES = 100
"""The most lines above in which a column is looked for."""

_MOST_ABOVE = 15
"""The most lines above that are tried in the column of a line."""

_REMEMBERED = 16
"""Languages whose shortest header is remembered."""

_UNIT = "    "
_WIDTHS = (8, 4, 2)
"""The blanks that an editor may have written as a tab."""
_LINE = re.compile(r"[^\n\r]*(?:\r\n|\r|\n|\Z)")
_CONTENT = re.compile(r"(?:\A|(?<=[\n\r]))([ \t]*)[^\s]")


def mend_column(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a line in a wrong column; None if the fault is another one, or no column helps.

    The line after it has to fit too.
    """
    layout = machine.compiled.layout
    at = fault.reported.offset
    if layout is None or not (fault.reported.header or fault.is_in_wrong_column):
        return None
    start = line_start(text, at)
    if text[start:at].strip(" \t") or not text[at : at + 1].strip():
        return None
    following = _CONTENT.search(text, line_end(text, at))
    least = len(text) if following is None else line_end(text, following.end()) - 1
    blanks = text[start:at]
    columns = [Change(start, at, other) for other in islice(_columns(text, start, at), _MOST) if other != blanks]
    above = _lines_above(text, start, blanks)
    changes = [*columns, *above, *_other_blanks(text, start, blanks[:1])]
    changes += (
        _whole_statement(machine, text, start) if fault.reported.header else _headers(machine, text, start, blanks)
    )
    # A change of a line above has more text behind it, but the header of a block may be all that is lost.
    best = best_change(machine, text, changes, len(text)) or best_change(machine, text, changes, least)
    if best is None:
        return None
    too_far = _too_far(machine, text, blanks, columns, above, best.reach - 1) if fault.is_in_wrong_column else None
    if too_far is None:
        return mended(fault, text, best)
    line, _ = line_and_column(text, too_far.change.start)
    message = f"{fault.reported.message}; perhaps line {line} is indented too far"
    header = shortest_header(machine)
    if header is not None and text[too_far.change.start : too_far.change.end] == _further(blanks):
        message += f", or a line that ends with `{header[-1]}` is missing above it"  # A whole step is that of a block.
    return mended(replace(fault, reported=replace(fault.reported, message=message)), text, too_far)


def _too_far(
    machine: Machine, text: str, blanks: str, columns: list[Change], above: list[Change], least: int
) -> Tried | None:
    """Return the change of a line above that is indented too far; None if none fits beyond `least`, or it is not clear.

    `blanks`: those of the line that does not fit, which `columns` puts elsewhere, and `above` other lines there.
    """
    deeper = [change for change in above if text[change.start : change.end].startswith(blanks)]
    found = best_change(machine, text, deeper, least)
    if found is None:
        return None
    # Where the line itself fits elsewhere, too, its step from the header tells that the one above is wrong.
    header = text[: found.change.start].rstrip()
    is_step = blanks == _further(_blanks(header, line_start(header, len(header))))
    return found if is_step or best_change(machine, text, columns, least) is None else None


def _further(blanks: str) -> str:
    """Return the blanks of a line that stands one step deeper than one with some blanks."""
    return f"{blanks}\t" if blanks.startswith("\t") else f"{blanks}{_UNIT}"


def _blanks(text: str, start: int) -> str:
    """Return the blanks with which the line at an offset begins."""
    return text[start : content_at(text, start)]


def _lines_above(text: str, start: int, blanks: str) -> list[Change]:
    """Return the changes that put one of the lines above a line into its column: that one may be the wrong one."""
    found: list[Change] = []
    while start > 0 and len(found) < _MOST_ABOVE:
        end, start = start, line_start_above(text, start)
        line = text[start:end]
        content = len(line) - len(line.lstrip(" \t"))
        if line.strip() and line[:content] != blanks:
            found.append(Change(start, start + content, blanks))
    return found


def _whole_statement(machine: Machine, text: str, start: int) -> list[Change]:
    """Return the change that ends the statement above a line with all its parts, where a block is not enough.

    As for `try`, which is nothing without `except`.
    """
    end = len(text[:start].rstrip())
    right = read_right(machine, machine.stacks(), "")
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    closing = None if at is None else right.closings.closing(at)
    return [Change(end, end, closing)] if closing and "\n" in closing else []


def _headers(machine: Machine, text: str, start: int, blanks: str) -> list[Change]:
    """Return the changes that put in a header above a line, for a block whose own header is lost."""
    header = shortest_header(machine)
    if header is None:
        return []
    lines = (line for line in _LINE.finditer(text, 0, start) if line.group().strip())
    above = (_blanks(text, line.start()) for line in lines)
    outer = dict.fromkeys(each for each in above if len(each) < len(blanks) and blanks.startswith(each))
    return [Change(start, start, f"{each}{header}\n") for each in islice(reversed(outer), _MOST)]


@lru_cache(_REMEMBERED)
def shortest_header(machine: Machine) -> str | None:
    """Return the shortest header of a block; None in a language without headers."""
    return Placeholders(machine).header


def _other_blanks(text: str, start: int, sign: str) -> list[Change]:
    """Return the changes that give a line and those right below it the blanks of the lines above.

    `sign`: the blank that the line begins with. Where lines above begin with the other kind, a tab was meant for eight
    blanks or fewer, or some blanks for a tab.
    """
    above = _last_indented(text, start)
    if not sign or above in ("", sign):
        return []
    end = start
    for line in islice(_LINE.finditer(text, start), _MOST_LINES):
        if line.group().strip() and not line.group().startswith(sign):
            break
        end = line.end()
    lines = [line.group() for line in _LINE.finditer(text, start, end)]
    contents = [line.lstrip(" \t") for line in lines]
    changes = []
    for width in _WIDTHS:
        old, new = ("\t", " " * width) if sign == "\t" else (" " * width, "\t")
        made = [
            line.removesuffix(content).replace(old, new) + content
            for line, content in zip(lines, contents, strict=True)
        ]
        changes.append(Change(start, end, "".join(made)))
    return changes


def _last_indented(text: str, start: int) -> str:
    """Return the first blank of the nearest indented line above an offset; empty where none is near."""
    for _ in range(_MOST_LINES):
        if start == 0:
            break
        end, start = start, line_start_above(text, start)
        if text[start : start + 1] in (" ", "\t") and text[start:end].strip():
            return text[start]
    return ""


def _columns(text: str, start: int, at: int) -> Iterator[str]:
    """Yield the blanks that a line may have been meant to have, each once, the likeliest first.

    `start` and `at`: the offsets of the line and of its content. They are those of the line below it, those of lines
    above it, and one step more than those of the line above.
    """
    tried: set[str] = set()
    following = _CONTENT.search(text, line_end(text, at))
    if following is not None:
        tried.add(following[1])
        yield following[1]
    end = start
    is_nearest = True
    for _ in range(_MOST_LINES):
        if end == 0:
            break
        begins = line_start(text, end - 1)
        line = text[begins:end]
        end = begins
        if not line.strip():
            continue
        blanks = line[: len(line) - len(line.lstrip(" \t"))]
        for each in (blanks, _further(blanks)) if is_nearest else (blanks,):
            if each not in tried:
                tried.add(each)
                yield each
        is_nearest = False
    if "" not in tried:
        yield ""
