"""The programs that experiments are made of: the files of one language below a folder."""

from __future__ import annotations

import hashlib
import tokenize
from functools import lru_cache
from typing import TYPE_CHECKING

from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.subject import INTERPRETER

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.evaluation.subject import JudgedLanguage

LEAST = 200
MOST = 60_000
"""Characters of a program; what is farther away from a cursor than that changes no prompt, and only takes time."""


class Programs:
    """The files of a folder in a fixed order, each read when it is asked for."""

    def __init__(self, folder: Path, subject: JudgedLanguage = INTERPRETER) -> None:
        """Find the files; hidden folders are left out. Raises EvaluationError where there is none."""
        title, ending = subject.facts.title, "".join(subject.facts.extensions[:1])
        if not folder.is_dir():
            raise EvaluationError(f"There is no folder {folder}: name one with {title} files, with --data.")
        self.folder = folder
        self.subject = subject
        self.names = tuple(
            sorted(
                path.relative_to(folder).as_posix()
                for path in folder.rglob(f"*{ending}")
                if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
            )
        )
        """Paths below the folder."""
        if not self.names:
            raise EvaluationError(f"{folder} holds no {title} file: name another folder with --data.")
        self.text = lru_cache(maxsize=256)(self._text)
        """Name → text, None for a file that cannot be used."""

    @property
    def digest(self) -> str:
        """Changes when any name or text changes."""
        digest = hashlib.sha256()
        for name in self.names:
            digest.update(f"{name}\0".encode())
            try:
                digest.update(hashlib.sha256((self.folder / name).read_bytes()).digest())
            except OSError:
                digest.update(b"unreadable")
        return digest.hexdigest()[:16]

    def _text(self, name: str) -> str | None:
        """Return a program of a useful length with its line ends made plain, or None."""
        try:
            with tokenize.open(self.folder / name) as file:
                text = file.read()
        except (OSError, SyntaxError, UnicodeDecodeError):
            return None
        return text if LEAST <= len(text) <= MOST and self.subject.verdict(text) else None
