"""The forms in which `dovetail check` reports: for people, for programs, for GitHub's log, and SARIF."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from dovetail.commands.dialect import name_dialect
from dovetail.commands.excerpt import visible
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from dovetail.commands.checking import Checked
    from dovetail.commands.targets import FileToCheck

FORMATS = ("text", "json", "github", "sarif")

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_RULE = "syntax"


def show(console: Console, checked: Checked) -> None:
    """Print the faults of one file for people: place, message, and the line with a mark."""
    for fault, shown in zip(checked.faults, checked.excerpts, strict=True):
        at = fault.reported
        line = Text(f"{checked.path}:{at.line}:{at.column}: ", "bold")
        line.append(visible(at.message), "not bold red")
        console.print(line, soft_wrap=True)
        console.print(shown, soft_wrap=True)


def sum_up(console: Console, files: Sequence[Checked]) -> None:
    """Print how many files fit."""
    count, wrong = len(files), sum(bool(checked.faults) for checked in files)
    named = f"{count} {'file' if count == 1 else 'files'}"
    if wrong:
        console.print(Text(f"{wrong} of {named} {'does' if wrong == 1 else 'do'} not fit.", "red"))
        for title, name, target, origin in sorted({_reading(each.held_back) for each in files if each.held_back}):
            line = f"{title} is read as {target}, by {origin}; --target {name}=VERSION takes another."
            console.print(line, soft_wrap=True)
    elif count:
        console.print(Text(f"{named} {'fits' if count == 1 else 'fit'}.", "green"))


def as_json(files: Sequence[Checked]) -> str:
    """Return one JSON object with all faults."""
    faults = [
        {
            "file": checked.path,
            "offset": fault.reported.offset,
            "line": fault.reported.line,
            "column": fault.reported.column,
            "message": fault.reported.message,
            "found": fault.found,
            "expected": list(fault.expected),
        }
        for checked in files
        for fault in checked.faults
    ]
    return json.dumps({"files": len(files), "faults": faults})


def as_github(files: Sequence[Checked]) -> str:
    """Return a line for each fault that GitHub's workflows show beside the code (`::error`)."""
    lines = []
    for checked in files:
        for fault in checked.faults:
            at = fault.reported
            place = f"file={_property(checked.path)},line={at.line},col={at.column}"
            lines.append(f"::error {place},title=dovetail::{_escaped(at.message)}")
    return "\n".join(lines)


def as_sarif(files: Sequence[Checked]) -> str:
    """Return a log in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS)."""
    results: list[dict[str, Any]] = [
        {
            "ruleId": _RULE,
            "level": "error",
            "message": {"text": fault.reported.message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": Path(checked.path).as_posix()},
                        "region": {"startLine": fault.reported.line, "startColumn": fault.reported.column},
                    }
                }
            ],
        }
        for checked in files
        for fault in checked.faults
    ]
    rule = {"id": _RULE, "shortDescription": {"text": "The text is no program of its language."}}
    driver = {"name": "dovetail", "version": metadata.version("dovetail"), "rules": [rule]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=2)


def _reading(task: FileToCheck) -> tuple[str, str, str, str]:
    """Return title and name of a file's language, its version, and the project file that names the version."""
    facts = languages()[name_dialect(task.path)]
    return facts.title, facts.name, task.target or "", task.origin


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
