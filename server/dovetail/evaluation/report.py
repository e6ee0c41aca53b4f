"""The results of experiments: numbers for programs, a page for people, tables for a repository."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.journal import read_journals
from dovetail.evaluation.page import make_document, make_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from dovetail.evaluation.experiment import Experiment

RESULTS = "results.json"
PAGE = "report.html"
DOCUMENT = "report.md"

_ORDER = ("boundary", "randspan", "line", "block", "left-only")


@dataclass(frozen=True, slots=True)
class Publication:
    """The files of a report."""

    page: Path | None
    """None if no experiment is finished; nothing is written then."""
    unfinished: dict[str, tuple[int, int]]
    """Name → the cases that are done, and all of them."""


def publish(folder: Path) -> Publication:
    """Write results and report of the finished experiments in a folder, each file whole or not at all.

    Raises EvaluationError where the folder cannot be read or written.
    """
    found = read_journals(folder)
    unfinished = {
        name: (len(experiment.records), experiment.setup.cases)
        for name, experiment in found.items()
        if not experiment.finished
    }
    finished = sorted((experiment for experiment in found.values() if experiment.finished), key=_place)
    if not finished:
        return Publication(None, unfinished)
    for name, text in (
        (RESULTS, "".join(_results(finished))),
        (DOCUMENT, make_document(finished)),
        (PAGE, make_page(finished)),
    ):
        replace_file(folder / name, text)
    return Publication(folder / PAGE, unfinished)


def _place(experiment: Experiment) -> tuple[int, str]:
    dataset = experiment.setup.dataset
    return _ORDER.index(dataset) if dataset in _ORDER else len(_ORDER), experiment.setup.name


def _results(experiments: Sequence[Experiment]) -> Iterator[str]:
    """Yield the JSON of all experiments, a line for each case and method."""
    for number, experiment in enumerate(experiments):
        plain = experiment.to_json()
        yield "{\n" if number == 0 else ",\n"
        yield f'{json.dumps(experiment.setup.name)}: {{\n"setup": {json.dumps(plain["setup"])},\n"records": [\n'
        yield ",\n".join(map(json.dumps, plain["records"]))
        yield "\n]}"
    yield "\n}\n"


def replace_file(path: Path, text: str) -> None:
    """Put a file in its place when it is whole."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise EvaluationError(
            f"{path} cannot be written ({error.strerror or error}): make room, and run the same command with --merge."
        ) from None
