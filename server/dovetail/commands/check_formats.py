"""The forms in which `dovetail check` reports: for people, for programs, for GitHub's log, and SARIF."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from dovetail.commands.excerpt import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from dovetail.commands.checking import Checked
    from dovetail.commands.file_fault import FileFault

_VERSION = 1
"""The version of the JSON form: one more whenever a field goes or means something else."""

FORMATS = ("text", "json", "github", "sarif")

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_RULE = "syntax"
"""The code of all faults: Dovetail knows one rule."""


def show(console: Console, checked: Checked) -> None:
    """Print the faults of one file for people: place, message, and the line with a mark."""
    for fault, shown in zip(checked.faults, checked.excerpts, strict=True):
        at = fault.at
        line = Text(f"{checked.path}:{_cell(fault)}{at.line}:{at.column}: ", "bold")
        line.append(visible(at.message), "not bold red")
        console.print(line, soft_wrap=True)
        console.print(shown, soft_wrap=True)


def sum_up(console: Console, files: Sequence[Checked]) -> None:
    """Print how many files fit."""
    count, wrong = len(files), sum(bool(checked.faults) for checked in files)
    named = f"{count} {'file' if count == 1 else 'files'}"
    if wrong:
        console.print(Text(f"{wrong} of {named} {'does' if wrong == 1 else 'do'} not fit.", "red"))
        for reading in sorted({each.held_back.reading for each in files if each.held_back}):
            console.print(reading, soft_wrap=True)
    elif count:
        console.print(Text(f"{named} {'fits' if count == 1 else 'fit'}.", "green"))


def as_json(files: Sequence[Checked], unread: Sequence[str]) -> str:
    """Return one JSON object with all faults; `unread`: a sentence for each path that could not be read."""
    faults = [
        {
            "file": checked.path,
            "cell": fault.cell,
            "offset": fault.at.offset,
            "line": fault.at.line,
            "column": fault.at.column,
            "end_offset": fault.end[0],
            "end_line": fault.end[1],
            "end_column": fault.end[2],
            "code": _RULE,
            "message": fault.at.message,
            "found": fault.found,
            "expected": list(fault.at.expected),
        }
        for checked in files
        for fault in checked.faults
    ]
    return json.dumps({"version": _VERSION, "files": len(files), "faults": faults, "unread": list(unread)})


def as_github(files: Sequence[Checked], unread: Sequence[str]) -> str:
    """Return a line for each fault that GitHub's workflows show beside the code (`::error`), and for what is unread."""
    lines = []
    for checked in files:
        for fault in checked.faults:
            at, (_, line, column) = fault.at, fault.end
            if fault.cell is not None:
                # The lines of a cell are not those of the file, beside which GitHub would show it.
                place = f"file={_property(checked.path)},title=dovetail"
                lines.append(f"::error {place}::{_escaped(_in_cell(fault))}")
                continue
            place = f"file={_property(checked.path)},line={at.line},col={at.column}"
            # GitHub marks columns on one line alone.
            end = f",endColumn={column}" if line == at.line and column > at.column else ""
            lines.append(f"::error {place}{end},title=dovetail::{_escaped(at.message)}")
    lines += [f"::error title=dovetail::{_escaped(sentence)}" for sentence in unread]
    return "\n".join(lines)


def as_sarif(files: Sequence[Checked], unread: Sequence[str]) -> str:
    """Return a log in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS)."""
    results: list[dict[str, Any]] = [
        {
            "ruleId": _RULE,
            "level": "error",
            "message": {"text": fault.at.message if fault.cell is None else _in_cell(fault)},
            "locations": [_location(checked.path, fault)],
        }
        for checked in files
        for fault in checked.faults
    ]
    rule = {"id": _RULE, "shortDescription": {"text": "The text is no program of its language."}}
    driver = {"name": "dovetail", "version": metadata.version("dovetail"), "rules": [rule]}
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    if unread:
        notes = [{"level": "error", "message": {"text": sentence}} for sentence in unread]
        run["invocations"] = [{"executionSuccessful": False, "toolExecutionNotifications": notes}]
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=2)


def _location(path: str, fault: FileFault) -> dict[str, Any]:
    """Return the place of a fault for SARIF: a region of the file, or a cell, whose lines are not those of the file."""
    place: dict[str, Any] = {"artifactLocation": {"uri": Path(path).as_posix()}}
    if fault.cell is not None:
        return {"physicalLocation": place, "logicalLocations": [{"name": f"cell {fault.cell}"}]}
    begin = {"startLine": fault.at.line, "startColumn": fault.at.column}
    place["region"] = {**begin, "endLine": fault.end[1], "endColumn": fault.end[2]}
    return {"physicalLocation": place}


def _cell(fault: FileFault) -> str:
    """Return the part of a place that names the cell of a notebook."""
    return "" if fault.cell is None else f"cell {fault.cell}:"


def _in_cell(fault: FileFault) -> str:
    """Return the message of a fault with the place in its cell."""
    return f"{_cell(fault)}{fault.at.line}:{fault.at.column}: {fault.at.message}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
