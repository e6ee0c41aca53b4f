"""The folders of a workspace, and the files in them that may be read for completions elsewhere.

A file is read if it lies in a folder that the client has named and that its user trusts, also after all links are
followed; if neither a `.gitignore` nor the name of a secret names it or a folder above it; and if it is not too large.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.grammar.library import language_of
from dovetail.project.ignored import Ignored
from dovetail.project.secrets import names_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LARGEST = 256 * 1024
"""Bytes of a file that is read; a larger one is a table, or was written by a program."""

MOST_FILES = 10_000
"""Files of a workspace that are known."""


class Folders:
    """Some folders of a workspace; what their files of rules say is read once."""

    def __init__(self, folders: Iterable[str]) -> None:
        """Take the paths of the folders; one that does not exist holds nothing."""
        self._roots: list[tuple[Path, Ignored]] = []
        for folder in folders:
            root = Path(os.path.realpath(folder))
            if root.is_dir():
                self._roots.append((root, Ignored(root)))
        # The innermost first: its name begins the path that is shown.
        self._roots.sort(key=lambda root: -len(root[0].parts))
        self._skipped: dict[Path, bool] = {}  # folder → whether its files are passed over

    def anew(self) -> Folders:
        """Return the same folders, whose rules are read again where they are needed."""
        return Folders(str(root) for root, _ in self._roots)

    def place(self, path: str) -> tuple[str, str] | None:
        """Return the name of the folder that a path is in and the path relative to it, with `/`; None outside of all.

        It is the place of a document, which need not be one that may be read for others.
        """
        real = Path(os.path.realpath(path))
        for root, _ in self._roots:
            if real.is_relative_to(root):
                return root.name, real.relative_to(root).as_posix()
        return None

    def allows(self, path: str) -> bool:
        """Return whether a file may be read; it may be one that does not exist yet."""
        real = Path(os.path.realpath(path))
        # Where one folder lies within another, the rules of both hold.
        around = [(root, ignored) for root, ignored in self._roots if real.is_relative_to(root)]
        return bool(around) and not any(self._passes_over(real, root, ignored) for root, ignored in around)

    def read(self, path: str) -> str | None:
        """Return the text of a file; None if it may not or cannot be read."""
        if not self.allows(path):
            return None
        try:
            # The file may be replaced by another between the question and the reading: the open one is asked.
            with Path(path).open("rb") as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
                    return None
                return file.read(LARGEST).decode()
        except (OSError, ValueError):
            return None

    def files(self) -> Iterator[str]:
        """Yield the files of known languages that may be read, without opening any, by their real paths, with `/`."""
        count = 0
        for root, ignored in self._roots:
            for place, folders, names in os.walk(root):
                folders[:] = sorted(name for name in folders if not self._skips_folder(Path(place, name), ignored))
                for name in sorted(names):
                    path = Path(place, name)
                    if language_of(name) is None or names_secret(name) or ignored.skips_file(path) or path.is_symlink():
                        continue  # a link's target is found where it is
                    yield path.as_posix()
                    count += 1
                    if count >= MOST_FILES:
                        return

    def _passes_over(self, path: Path, root: Path, ignored: Ignored) -> bool:
        if path == root:
            return True
        above = path.parent
        while above != root:
            if self._skips_folder(above, ignored):
                return True
            above = above.parent
        return names_secret(path.name) or ignored.skips_file(path)

    def _skips_folder(self, folder: Path, ignored: Ignored) -> bool:
        known = self._skipped.get(folder)
        if known is None:
            known = self._skipped[folder] = names_secret(folder.name) or ignored.skips_folder(folder)
        return known
