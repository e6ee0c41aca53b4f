"""The worth of parts of other files to a model: `python -m tests.benchmarks.parts --data FOLDER --model A --model B`.

The folder holds packages that no model has read. Each model gets the same lines that use a name of another file, cut as
in `dovetail eval --experiment cross-file`, behind the prompt of the product: with the parts that are found, and without
them. Beside them stands plain text of the same files. Losses are bits a character of the true text, of the model alone.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.benchmarks.quality import Case, case_of, judge
from tests.benchmarks.tables import Table

from dovetail.decoding.prompt import Prompts
from dovetail.evaluation.crossfile.cases import CrossCases
from dovetail.grammar.library import languages
from dovetail.model.hosting import EMBEDDED
from dovetail.model.runtimes.arrays import host_arrays
from dovetail.model.sources import SourceFile
from dovetail.project.reader import WORKSPACE, OpenText, ProjectReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import ProjectContext
    from dovetail.evaluation.crossfile.cases import CrossCase

_ROOM = 64
"""Tokens that a prompt leaves for a completion."""

_DRAWS = 8
"""Places that are looked at in a file, of which some are too near to its end."""


def around(cases: Sequence[CrossCase], folder: Path, language: str) -> list[ProjectContext]:
    """Return what a session knows of the files around each case, of whose file no other part is read than its own."""
    reader = ProjectReader()
    reader.begin([str(folder)], WORKSPACE)
    reader.scan()
    found = []
    for case in cases:
        uri = (folder / case.file).as_uri()
        reader.update(OpenText(uri, language, case.left + case.right), anew=True)
        project = reader.around(uri, case.left, case.right)
        reader.close(uri, edited=False)
        assert project is not None, "the file lies in the folder"
        found.append(project)
    return found


def bits(model: Proposer, prompts: Prompts, case: CrossCase, project: ProjectContext) -> tuple[float, int]:
    """Return the bits that the text of a case costs behind the product's prompt, and the parts that were shown."""
    shown = prompts.build(case.left, case.right, _ROOM, project=project)
    held = len(shown.held_tokens)
    tokens = model.encode(shown.held.decode("utf-8", "replace") + case.wanted) if held else model.encode(case.wanted)
    generation = model.begin(shown.tokens)
    generation.start(tokens)
    cost = 0.0
    for token in tokens:
        cost -= generation.scores([token])[0] / math.log(2)
        generation.feed(token)
    return cost, len(shown.parts)


def plain_cases(cases: Sequence[CrossCase], seed: int) -> list[Case]:
    """Return a place of plain text in the file of each case that is long enough."""
    choice = random.Random(f"{seed} plain")
    found = []
    for case in cases:
        document = SourceFile(case.file, "", case.text, 1.0)
        drawn = (case_of("plain text", document, choice) for _ in range(_DRAWS))
        found += [place for place in drawn if place is not None][:1]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.parts", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with packages that no model has read")
    parser.add_argument("--model", type=Path, action="append", help="a model's folder (default: the embedded one)")
    parser.add_argument("--language", default="python")
    parser.add_argument("--count", type=int, default=200, help="lines, and places of plain text at most")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    found = CrossCases(chosen.data, languages()[chosen.language], chosen.seed)
    cases = [found.case(number) for number in range(chosen.count)]
    projects = around(cases, found.folder, chosen.language)
    plain = plain_cases(cases, chosen.seed)
    characters = sum(len(case.wanted) for case in cases)
    rows = []
    for folder in chosen.model or [EMBEDDED]:
        model = host_arrays(folder, folder.name)
        prompts = Prompts(model)
        alone = with_parts = of_plain = 0.0
        shown = 0
        both = zip(cases, projects, strict=True)
        for case, project in track(both, model.name, len(cases), console=Console(stderr=True)):
            alone += bits(model, prompts, case, project.alone)[0]
            cost, parts = bits(model, prompts, case, project)
            with_parts, shown = with_parts + cost, shown + (parts > 0)
        for place in plain:
            of_plain += judge(model, model.encode, place)[1]
        of_plain /= max(1, sum(len(place.middle) for place in plain))
        numbers = (alone / characters, with_parts / characters, of_plain)
        rows.append((str(folder), *(f"{number:.3f}" for number in numbers), f"{shown / len(cases):.0%}"))
    columns = ("model", "lines, bits a character", "with parts of other files", "plain text", "prompts with parts")
    note = f"{len(cases)} lines that use a name of another file, {len(plain)} places of plain text."
    sys.stdout.write(Table("Parts of other files", columns, rows, note).written())
    return 0


if __name__ == "__main__":
    sys.exit(main())
