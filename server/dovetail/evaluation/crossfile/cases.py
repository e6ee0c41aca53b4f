"""Lines that use a name of another file, in the manner of CrossCodeEval (Ding et al., 2023).

A line is cut where such a name begins, or after the dot where the name is that of a whole file; the rest of the line is
asked for. Imports themselves and comments are left out. Names and files are found by the facts of the language, so
every language can be measured whose description says what an import is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from dovetail.evaluation.error import EvaluationError
from dovetail.grammar.library import language_of
from dovetail.project.folders import Folders
from dovetail.project.imports import read_imports
from dovetail.project.modules import Modules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.grammar.facts import Facts

_LEAST, _MOST = 4, 120
"""Characters that are asked for: fewer say nothing, and nobody expects more."""

_LONGEST = 60_000
"""Characters of a file."""

_OF_FILE = 3
"""Cases of one file at most."""


@dataclass(frozen=True, slots=True)
class CrossCase:
    """A line without its end."""

    number: int
    file: str
    """The path of the file below the folder, with `/`."""
    text: str
    """The whole file."""
    begin: int
    end: int
    """The start and end of what is asked for, in characters."""
    name: str
    """The name of the other file that is used first."""

    @property
    def left(self) -> str:
        """The text before the cursor."""
        return self.text[: self.begin]

    @property
    def wanted(self) -> str:
        """The text that is asked for."""
        return self.text[self.begin : self.end]

    @property
    def right(self) -> str:
        """The text after it."""
        return self.text[self.end :]


class CrossCases:
    """The cases that the files of a folder make; each depends on the files and the seed alone."""

    def __init__(self, folder: Path, facts: Facts, seed: int) -> None:
        """Find the files of a language; its facts say what an import is.

        Raises EvaluationError for a folder or a language that cannot be used.
        """
        if not folder.is_dir():
            raise EvaluationError(f"There is no folder {folder}: name one with files of {facts.title}, with --data.")
        if facts.imports is None:
            raise EvaluationError(f"The description of {facts.title} does not say what an import is: add `imports`.")
        self._pattern = facts.imports
        self._comment = facts.comment
        self._seed = seed
        self.folder = folder.resolve()
        self._folders = Folders([str(folder)])
        self.paths = [path for path in self._folders.files() if language_of(path) == facts.name]
        """The files, by their real paths."""
        self._modules = Modules(self.paths)
        self._found: list[CrossCase] = []
        self._order = self._turns()

    def case(self, number: int) -> CrossCase:
        """Return a case; raises EvaluationError where there are too few."""
        while len(self._found) <= number:
            case = next(self._order, None)
            if case is None:
                raise EvaluationError(
                    f"{self.folder} has too few lines that use a name of another file ({len(self._found)}): ask for "
                    "fewer with --cases, or name another folder with --data."
                )
            self._found.append(case)
        return self._found[number]

    def _turns(self) -> Iterator[CrossCase]:
        """Yield the cases; packages take turns, and the files of each come by chance, at first one case of each."""
        packages: dict[str, list[str]] = {}
        for path in self.paths:
            packages.setdefault(Path(path).relative_to(self.folder).parts[0], []).append(path)
        for package, files in packages.items():
            Random(f"{self._seed} cross-file {package}").shuffle(files)
        in_turns = [path for turn in zip_longest(*(packages[name] for name in sorted(packages))) for path in turn]
        number = 0
        for turn in range(_OF_FILE):
            for path in in_turns:
                if path is None:
                    continue
                places = self._places(path)
                if turn < len(places):
                    text, begin, end, name = places[turn]
                    yield CrossCase(number, Path(path).relative_to(self.folder).as_posix(), text, begin, end, name)
                    number += 1

    def _places(self, path: str) -> Sequence[tuple[str, int, int, str]]:
        """Return the places of a file in an order by chance: its text, start and end of what is asked for, the name."""
        text = self._folders.read(path)
        if text is None or len(text) > _LONGEST or "\r" in text:
            return ()
        imports = read_imports(text, self._pattern)
        names: dict[str, bool] = {}  # name → whether it is the name of a file
        for each in imports:
            for other in self._modules.imported(path, [each]):
                known = self._folders.read(other) or ""
                for name in each.names:
                    is_file = Path(other).stem == name or Path(other).parent.name == name
                    if is_file or re.search(rf"(?<![\w.]){re.escape(name)}\b", known):
                        names[name] = is_file
        if not names:
            return ()
        imported = [
            match.span()
            for match in re.finditer(rf"^[ \t]*(?:{self._pattern})", text, re.MULTILINE)
            if match[0].strip()
        ]
        word = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        places = []
        for match in re.finditer(r"^[^\n]*", text, re.MULTILINE):
            line = match[0]
            used = word.search(line)
            code = line if self._comment is None else line.partition(self._comment)[0]
            if used is None or used.end() > len(code):
                continue
            name, begin = used[0], match.start() + used.start()
            if names[name]:
                if line[used.end() : used.end() + 1] not in (".", ":"):
                    continue
                begin = match.start() + used.end() + 1
            wanted = text[begin : match.end()]
            if not _LEAST <= len(wanted.strip()) <= _MOST or wanted != wanted.rstrip():
                continue
            if not any(start <= begin < end for start, end in imported):
                places.append((text, begin, match.end(), name))
        Random(f"{self._seed} cross-file {Path(path).relative_to(self.folder)}").shuffle(places)
        return places[:_OF_FILE]
