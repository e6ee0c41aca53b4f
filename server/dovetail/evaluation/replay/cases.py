"""The cases of a replay: held-out files with their cursor paths, in two parts.

Rules and thresholds are chosen on the part `tuning`, and reported on the part `report`. A package is in one part as a
whole, so nothing of the style of the one is known from the other. Packages take turns, so a large one does not decide
alone.
"""

from __future__ import annotations

import tokenize
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from itertools import cycle, zip_longest
from random import Random
from typing import TYPE_CHECKING

from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.replay.paths import make_path

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from dovetail.evaluation.programs import Programs
    from dovetail.evaluation.replay.stretch import Stretch


class Part(Enum):
    """A part of the files."""

    TUNING = "tuning"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class ReplayCase:
    """A file with the path in which it is typed."""

    number: int
    file: str
    text: str
    path: tuple[Stretch, ...]


class ReplayCases:
    """The cases that one part of some programs makes; each has a number from 0."""

    def __init__(
        self, programs: Programs, part: Part, seed: int, most: int, without: Collection[str] = frozenset()
    ) -> None:
        """Choose the files; a path has about `most` characters at most, and the packages `without` are left out."""
        self._programs = programs
        self._seed = seed
        self._most = most
        parts = part_of(programs.names)
        wanted = {package for package, other in parts.items() if other is part} - set(without)
        self._files = _in_turns([name for name in programs.names if _package(name) in wanted], seed)
        self._usable: list[ReplayCase] = []
        self._tried = 0

    def case(self, number: int) -> ReplayCase:
        """Return a case. Its file and path depend on its number, the seed and the programs alone.

        A file that has no path gives its turn to the next one. Raises EvaluationError where there are too few files.
        """
        while len(self._usable) <= number:
            if self._tried == len(self._files):
                raise EvaluationError(
                    f"{self._programs.folder} has only {len(self._usable)} usable files in this part: "
                    "ask for fewer with --cases, or name another folder with --data."
                )
            name = self._files[self._tried]
            self._tried += 1
            text = self._programs.text(name)
            path = self._path(name, text) if text is not None else ()
            if text is not None and path:
                self._usable.append(ReplayCase(len(self._usable), name, text, path))
        return self._usable[number]

    def _path(self, name: str, text: str) -> tuple[Stretch, ...]:
        try:
            return make_path(Random(f"{self._seed} typing {name}"), text, self._most)
        except (SyntaxError, tokenize.TokenError):  # the tokenizer is another program than the parser
            return ()


def part_of(names: Sequence[str]) -> dict[str, Part]:
    """Return package → its part; a package is what the first folder of a path names.

    By the number of their files, most first, they go to one part and the other in turn.

    >>> part_of(["a/x.py", "a/y.py", "b/x.py", "c.py"])
    {'a': <Part.REPORT: 'report'>, 'b': <Part.TUNING: 'tuning'>, 'c.py': <Part.REPORT: 'report'>}
    """
    sizes = Counter(map(_package, names))
    ordered = sorted(sizes, key=lambda package: (-sizes[package], package))
    return dict(zip(ordered, cycle((Part.REPORT, Part.TUNING)), strict=False))


def _in_turns(names: Sequence[str], seed: int) -> list[str]:
    """Return names in an order in which packages take turns, and the files of each come by chance."""
    packages: dict[str, list[str]] = {}
    for name in names:
        packages.setdefault(_package(name), []).append(name)
    for package, files in packages.items():
        Random(f"{seed} typing {package}").shuffle(files)
    turns = zip_longest(*(packages[package] for package in sorted(packages)))
    return [name for turn in turns for name in turn if name is not None]


def _package(name: str) -> str:
    return name.partition("/")[0]
