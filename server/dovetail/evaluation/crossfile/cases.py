"""Lines that use a name of another file, in the manner of CrossCodeEval (Ding et al., 2023).

Three kinds. CrossCodeEval puts an empty class in the place of each import and cuts a line where what is then undefined
begins: at a *member* of what was imported. So a line is cut behind the dot of an imported class or file, or of a
variable that such a class was assigned to, if the other file defines the member. Of these, *first*: the member stands
nowhere else in the file, neither before nor after the cursor, so the file alone does not tell it; RepoBench (Liu et
al., 2023) takes a name's first use for the same reason. And *names*: a line is cut where an imported name begins, which
stands in the file's own import, or after the dot where it is that of a whole file.

The rest of the line is asked for. Imports themselves and comments are left out. Names and files are found by the facts
of the language, so every language can be measured whose description says what an import is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from dovetail.evaluation.error import EvaluationError
from dovetail.grammar.library import language_of
from dovetail.project.folders import Folders
from dovetail.project.imports import read_imports
from dovetail.project.modules import Modules
from dovetail.project.outlines import types_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from dovetail.grammar.facts import Facts

_LEAST, _MOST = 4, 120
"""Characters that are asked for: fewer say nothing, and nobody expects more."""

_LONGEST = 60_000
"""Characters of a file."""

_OF_FILE = 3
"""Cases of one file at most."""

_MEMBER = re.compile(r"(?<![\w.\])])(?P<owner>\w+)\.(?P<member>\w+)")
_DEFINITION = r"^[ \t]*(?:\w+\*?[ \t]+){0,4}(?:\w+[.:])?%s[ \t]*(?:[(:=\[{<]|$)"


class CrossKind(Enum):
    """The place at which a line is cut."""

    NAMES = "names"
    MEMBERS = "members"
    FIRST = "first"


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

    def __init__(self, folder: Path, facts: Facts, seed: int, kind: CrossKind = CrossKind.NAMES) -> None:
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
        self._kind = kind
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
        owners, files = self._imported(path, text)
        if not owners:
            return ()
        imported = [
            match.span()
            for match in re.finditer(rf"^[ \t]*(?:{self._pattern})", text, re.MULTILINE)
            if match[0].strip()
        ]
        cuts = self._names if self._kind is CrossKind.NAMES else self._members
        places = []
        for match in re.finditer(r"^[^\n]*", text, re.MULTILINE):
            line = match[0]
            code = line if self._comment is None else line.partition(self._comment)[0]
            found = cuts(text, code, match.start(), owners, files)
            if found is None:
                continue
            begin, name = match.start() + found[0], found[1]
            wanted = text[begin : match.end()]
            if not _LEAST <= len(wanted.strip()) <= _MOST or wanted != wanted.rstrip():
                continue
            if self._kind is CrossKind.FIRST and _stands_elsewhere(name, text, begin):
                continue
            if not any(start <= begin < end for start, end in imported):
                places.append((text, begin, match.end(), name))
        Random(f"{self._seed} cross-file {Path(path).relative_to(self.folder)}").shuffle(places)
        return places[:_OF_FILE]

    def _imported(self, path: str, text: str) -> tuple[dict[str, str], set[str]]:
        """Return imported names → the text of the file that they come from, and which of them are whole files."""
        owners: dict[str, str] = {}
        files: set[str] = set()
        for each in read_imports(text, self._pattern):
            for other in self._modules.imported(path, [each]):
                known = self._folders.read(other) or ""
                for name in each.names:
                    is_file = Path(other).stem == name or Path(other).parent.name == name
                    if is_file or re.search(rf"(?<![\w.]){re.escape(name)}\b", known):
                        owners[name] = known
                        (files.add if is_file else files.discard)(name)
        return owners, files

    @staticmethod
    def _names(text: str, code: str, start: int, owners: Mapping[str, str], files: Set[str]) -> tuple[int, str] | None:
        """Return where the first imported name of a line begins, and the name; behind the dot if it is a whole file."""
        used = _word(owners).search(code)
        if used is None:
            return None
        if used[0] not in files:
            return used.start(), used[0]
        return (used.end() + 1, used[0]) if code[used.end() : used.end() + 1] in (".", ":") else None

    @staticmethod
    def _members(
        text: str, code: str, start: int, owners: Mapping[str, str], files: Set[str]
    ) -> tuple[int, str] | None:
        """Return where the first member of something imported begins in a line, and its name."""
        for match in _MEMBER.finditer(code):
            owner, member = match["owner"], match["member"]
            if not any(member in known for known in owners.values()):
                continue  # most lines: the rest takes long
            for name in [owner, *types_of(owner, text[:start])]:
                if name in owners and _defines(owners[name], member):
                    return match.start("member"), member
        return None


def _word(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(names)))})\b")


def _stands_elsewhere(name: str, text: str, begin: int) -> bool:
    """Return whether a word that begins at an offset stands at another place of the text as well."""
    return any(match.start() != begin for match in re.finditer(rf"\b{re.escape(name)}\b", text))


def _defines(text: str, member: str) -> bool:
    """Return whether a file looks as if it defines a member: as something that is declared, or assigned."""
    return re.search(_DEFINITION % re.escape(member), text, re.MULTILINE) is not None
