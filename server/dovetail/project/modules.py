"""The files of a workspace by the names under which they are imported, and those that import them.

Languages differ in how an import names a file. Common to them is that its parts are the last parts of the file's path,
or of its folder's. So an absolute import is the file whose path ends so, the one nearest to the importing file if there
are several. A mistake costs a file that is searched for nothing.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.project.imports import Import

_MOST = 8
"""Files that a folder stands for, and files that import one file."""

_SHORTEST = 3
"""Characters of a name by which importing files are found; shorter ones are many things."""


class Modules:
    """Files by their names; paths are absolute, with `/`."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        """Take the files that are known; their imports are told with `note`."""
        self._files: dict[str, str] = {}  # path without its ending → path
        self._by_name: dict[str, list[str]] = {}  # last part of a file or folder → paths without endings, and folders
        self._folders: dict[str, list[str]] = {}  # folder → its files
        self._importers: dict[str, list[str]] = {}  # last part → files that import something of that name
        self._noted: dict[str, frozenset[str]] = {}  # file → the last parts that it is among the importers of
        for path in paths:
            self.add(path)

    def __len__(self) -> int:
        return len(self._files)

    def add(self, path: str) -> None:
        """Take another file; one that is known stays."""
        stem = posixpath.splitext(path)[0]
        if stem in self._files:
            return
        self._files[stem] = path
        folder, name = posixpath.split(stem)
        self._by_name.setdefault(name, []).append(stem)
        if folder not in self._folders:
            self._by_name.setdefault(posixpath.basename(folder), []).append(folder)
        self._folders.setdefault(folder, []).append(path)

    def remove(self, path: str) -> None:
        """Forget a file that is gone; one that is not known is passed over."""
        stem = posixpath.splitext(path)[0]
        if self._files.get(stem) != path:
            return
        self.note(path, ())
        del self._files[stem]
        folder, name = posixpath.split(stem)
        _take_out(self._by_name, name, stem)
        _take_out(self._folders, folder, path)
        if folder not in self._folders:
            _take_out(self._by_name, posixpath.basename(folder), folder)

    def note(self, path: str, imports: Iterable[Import]) -> None:
        """Take the imports of a file, in place of those before."""
        # Names that are no file's cost memory and find nothing.
        keys = frozenset(
            key
            for each in imports
            for key in (*each.parts[-1:], *each.names)
            if key in self._by_name and len(key) >= _SHORTEST
        )
        before = self._noted.get(path, frozenset())
        for key in before - keys:
            _take_out(self._importers, key, path)
        for key in keys - before:
            self._importers.setdefault(key, []).append(path)
        if keys:
            self._noted[path] = keys
        else:
            self._noted.pop(path, None)

    def imported(self, path: str, imports: Iterable[Import]) -> list[str]:
        """Return the known files that a file imports, in the order of the imports."""
        found: dict[str, None] = {}
        for each in imports:
            for other in self._resolve(path, each):
                if other != path:
                    found.setdefault(other)
        return list(found)

    def beside(self, path: str) -> list[str]:
        """Return the other known files of a file's folder, those first whose names are most like its own."""
        others = [other for other in self._folders.get(posixpath.dirname(path), ()) if other != path]
        return sorted(others, key=lambda other: (-nearness(other, path), other))[:_MOST]

    def importers(self, path: str) -> list[str]:
        """Return the known files that import something with the name of a file or its folder, the nearest first."""
        folder, name = posixpath.split(posixpath.splitext(path)[0])
        of_file = self._importers.get(name, ())
        of_folder = self._importers.get(posixpath.basename(folder), ()) if not of_file else ()
        others = [other for other in (*of_file, *of_folder) if other != path]
        return sorted(others, key=lambda other: (-nearness(other, path), other))[:_MOST]

    def _resolve(self, path: str, each: Import) -> Iterator[str]:
        if each.up is None:
            places = self._ending_inside(path, each.parts) if each.is_path else self._ending(path, each.parts)
            for name in each.names:
                places += self._ending(path, (*each.parts, name)) if each.parts else ()
        else:
            base = posixpath.dirname(path)
            for _ in range(each.up):
                base = posixpath.dirname(base)
            base = posixpath.join(base, *each.parts)
            places = [base, *(posixpath.join(base, name) for name in each.names)]
        named = [self._files[place] for place in places if place in self._files]
        if named:
            yield from named
        else:
            for place in places:
                yield from self._folders.get(place, ())[:_MOST]

    def _ending_inside(self, path: str, parts: tuple[str, ...]) -> list[str]:
        """Return the file or folder whose path ends with some parts, without the first ones if they are not there."""
        for outside in range(len(parts)):
            if outside > 1 and outside == len(parts) - 1 and "." not in parts[0]:
                break  # one name that is left of several says nothing, unless a module's address stands before it
            places = self._ending(path, parts[outside:])
            if places:
                return places
        return []

    def _ending(self, path: str, parts: tuple[str, ...]) -> list[str]:
        """Return the file or folder whose path ends with some parts, the nearest one where there are several."""
        ending = "/" + "/".join(parts)
        places = [place for place in self._by_name.get(parts[-1] if parts else "", ()) if place.endswith(ending)]
        return [max(places, key=lambda place: (nearness(place, path), place))] if places else []


def _take_out(table: dict[str, list[str]], key: str, value: str) -> None:
    """Take a value out of the list of a key, and the key with the last one."""
    table[key].remove(value)
    if not table[key]:
        del table[key]


def nearness(one: str, other: str) -> int:
    """Return the number of characters that two paths have in common at the beginning."""
    return len(posixpath.commonprefix((one, other)))
