"""The project around the documents of a session: their files' parts that a model is shown, kept up to date by edits.

`scan` and `update` are slow, read files and belong to a thread in the background; `around` is on the path of a request
and reads nothing from disk. What is kept is kept in memory.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.repository import OtherFile, ProjectContext
from dovetail.grammar.library import language_of, languages
from dovetail.project.address import path_of
from dovetail.project.blocks import cut
from dovetail.project.definitions import definitions, names_of
from dovetail.project.folders import LARGEST, MOST_FILES, Folders
from dovetail.project.imports import read_imports
from dovetail.project.members import members_around, members_of, outermost_of
from dovetail.project.modules import Modules
from dovetail.project.outlines import outline, receiver, types_of
from dovetail.project.search import Source, nearby, query_at
from dovetail.project.selection import MOST_DEFINED, choose, ranked
from dovetail.project.uses import Uses, members_in, wanted_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.decoding.repository import Members
    from dovetail.project.imports import Import
    from dovetail.project.search import Found

OFF, OPEN, WORKSPACE = "off", "open", "workspace"
"""The values of the setting `context`."""

_LOADED = 64
"""Files that are kept in blocks beside the open ones, those that were used last."""

_RELATED = 24
"""Files that a document imports or that import it, at most."""

_NEARBY_OPEN, _NEARBY = 24, 40
"""Parts of open documents and of other files that a cache of n-grams is given, at most."""

_RECENT = 8
"""Files that were edited and closed."""


class OpenText(NamedTuple):
    """An open document, as the project sees it."""

    uri: str
    language: str | None
    """The name of its language, ours where there is a grammar."""
    text: str


class _Opened(NamedTuple):
    """The state of an open document in the folders."""

    place: tuple[str, str]
    """The name of its folder, and its path relative to that."""
    path: str
    """Its real path, with `/`."""
    language: str | None
    source: Source | None
    """None where it may not be shown beside others."""
    imports: tuple[Import, ...]
    imported: tuple[str, ...]
    """The files that it imports."""
    related: tuple[str, ...]
    """Those, and the files that import it."""
    used: frozenset[str]
    """The names that it uses, as far as lines of other files that use them were looked for,"""
    uses: tuple[str, ...]
    """those lines,"""
    members: Mapping[str, Mapping[str, int]]
    """and how often they have each member behind its receiver."""


class _Loaded(NamedTuple):
    """A file that was read."""

    stamp: tuple[int, int]
    source: Source


class ProjectReader:
    """The project of one session. `around` may run beside all other methods, which belong to one thread."""

    def __init__(self) -> None:
        """Make a project without folders, which knows nothing."""
        self._lock = threading.Lock()
        """Held for moments: while dictionaries change, and never while anything is read or searched."""
        self._folders = Folders(())
        self._mode = OFF
        self._modules: dict[str, Modules] = {}  # language → its files,
        self._uses: dict[str, Uses] = {}  # and what they use
        self._opened: dict[str, _Opened] = {}  # address → document, the one that was changed last at the end
        self._recent: OrderedDict[str, None] = OrderedDict()  # files that were edited and closed
        self._loaded: OrderedDict[str, _Loaded] = OrderedDict()  # path → file
        self._shown: dict[str, tuple[Found, ...]] = {}  # address → the parts that were shown last

    def begin(self, folders: Sequence[str], mode: str) -> None:
        """Take the folders that may be read, and how much; everything that was known is forgotten."""
        known = Folders(folders if mode != OFF else ())
        with self._lock:
            self._folders, self._mode, self._modules, self._uses = known, mode, {}, {}
            self._opened, self._recent, self._loaded = {}, OrderedDict(), OrderedDict()
            self._shown = {}

    def scan(self, wanted: Callable[[], bool] = lambda: True) -> int:
        """Find the files of the folders and what they import; return their number. It ends soon if not `wanted`."""
        if self._mode != WORKSPACE:
            return 0
        facts = languages()
        found: dict[str, list[str]] = {}
        for path in self._folders.files():
            if not wanted():
                return 0
            language = language_of(path)
            if language is not None and facts[language].imports is not None:
                found.setdefault(language, []).append(path)
        modules = {language: Modules(paths) for language, paths in found.items()}
        uses = {language: Uses() for language in found}
        for language, paths in found.items():
            pattern = facts[language].imports
            assert pattern is not None, "only those languages were taken"
            for path in paths:
                if not wanted():
                    return 0
                text = self._folders.read(path)
                if text is not None:
                    modules[language].note(path, read_imports(text, pattern))
                    uses[language].note(path, text)
        with self._lock:
            self._modules, self._uses = modules, uses
        return sum(map(len, found.values()))

    def look(self, path: str) -> None:
        """Look at a file of the folders that was changed, has come or is gone."""
        language = language_of(path)
        pattern = None if language is None else languages()[language].imports
        if self._mode != WORKSPACE or language is None or pattern is None or os.path.islink(path):
            return  # a link's target is told of by itself
        real = os.path.realpath(path).replace(os.sep, "/")
        text = self._folders.read(real)
        with self._lock:
            modules = self._modules.setdefault(language, Modules())
            uses = self._uses.setdefault(language, Uses())
        if text is None:
            uses.note(real, None)
            modules.remove(real)
            with self._lock:
                self._loaded.pop(real, None)
                self._recent.pop(real, None)
            return
        if sum(map(len, self._modules.values())) < MOST_FILES:
            modules.add(real)
        uses.note(real, text)
        modules.note(real, read_imports(text, pattern))
        if real in self._loaded:
            self._load(real)

    def update(self, document: OpenText, *, anew: bool = False) -> None:
        """Take an open document as it stands; read the files that belong to it if its imports changed, or `anew`."""
        before = self._opened.get(document.uri)
        path = path_of(document.uri)
        if self._mode == OFF or path is None:
            return
        anew = anew or before is None
        if anew:
            self._folders = self._folders.anew()  # rules may have changed
        place = self._folders.place(path) if before is None else before.place
        if place is None:
            return
        real = os.path.realpath(path).replace(os.sep, "/") if before is None else before.path
        source = None
        if len(document.text) <= LARGEST and self._folders.allows(real):
            blocks = cut(document.text, () if before is None or before.source is None else before.source.blocks)
            source = Source(place[1], blocks)
        facts = languages().get(document.language or "")
        imports: tuple[Import, ...] = ()
        if self._mode == WORKSPACE and facts is not None and facts.imports is not None:
            imports = tuple(read_imports(document.text, facts.imports))
        if before is not None and imports == before.imports and not anew:
            imported, related = before.imported, before.related
        else:
            imported, related = self._relations(real, document.language, imports)
            for other in related:
                self._load(other)
            if facts is not None and facts.imports is not None:
                sources = [self._loaded[path].source for path in imported if path in self._loaded]
                for loaded in sources:  # they are remembered for requests
                    outermost_of(loaded, facts.imports)
                for each in imports:
                    for name in each.names:
                        members_of(name, sources, facts.imports)
        known = self._uses.get(document.language or "")
        used = frozenset[str]() if known is None else wanted_names(document.text, names_of(imports, ""))
        if before is not None and used <= before.used and not anew:
            used, uses, members = before.used, before.uses, before.members
        else:
            if anew and known is not None:
                known.read_anew()
            uses = () if known is None else known.around(used, real, self._folders.read)
            members = members_in(uses)
        with self._lock:
            self._opened.pop(document.uri, None)
            self._opened[document.uri] = _Opened(
                place, real, document.language, source, imports, imported, related, used, uses, members
            )

    def close(self, uri: str, *, edited: bool) -> None:
        """Forget a document that was closed; its file is still of interest if it was edited."""
        with self._lock:
            known = self._opened.pop(uri, None)
            self._shown.pop(uri, None)
        if known is None or known.source is None or not edited or self._mode != WORKSPACE:
            return
        self._load(known.path)
        with self._lock:
            self._recent[known.path] = None
            self._recent.move_to_end(known.path)
            while len(self._recent) > _RECENT:
                self._recent.popitem(last=False)

    def related(self, uri: str) -> tuple[str, ...]:
        """Return the real paths of the files that an open document imports or that import it."""
        with self._lock:
            own = self._opened.get(uri)
        return () if own is None else own.related

    def around(self, uri: str, left: str, right: str) -> ProjectContext | None:
        """Return the project around a cursor in an open document; None where nothing is told of it."""
        with self._lock:
            own = self._opened.get(uri)
            if own is None:
                return None
            by_path = self._sources(uri, own)
            sources = list(by_path.values())
            open_sources = {other.source for other in self._opened.values()}
            shown = self._shown.get(uri, ())
        known = {source.path: source for source in sources}
        shown = tuple(part for part in shown if part.path in known and known[part.path].holds(part.text))
        query = query_at(left, right)
        facts = languages().get(own.language or "")
        defined: dict[str, Found] = {}
        members: Found | None = None
        known_members: tuple[Members, ...] = ()
        if facts is not None and facts.imports is not None:
            imported = [by_path[path] for path in own.imported if path in by_path]
            names = names_of(own.imports, left)
            defined = definitions(names[:MOST_DEFINED], imported, facts.imports)
            known_members = members_around(left, right, names, imported, facts.imports, own.members)
            holder = receiver(left)
            if holder is not None:
                members = outline([holder, *types_of(holder, left)], imported)
        chosen = choose(ranked(query, sources, defined, members), shown)
        opened = [source for source in sources if source in open_sources]
        others = [source for source in sources if source not in open_sources]
        with self._lock:
            if uri in self._opened:
                self._shown[uri] = chosen
        repository, path = own.place
        in_prompt = {part.text for part in chosen}  # n-grams of the prompt have these already
        return ProjectContext(
            path,
            repository,
            own.language if facts is None else facts.title,
            None if facts is None else facts.comment,
            tuple(OtherFile(part.path, part.text) for part in chosen),
            own.uses,
            tuple(part.text for part in nearby(query, opened, _NEARBY_OPEN)),
            tuple(
                dict.fromkeys(
                    part.text
                    for part in (
                        *(() if members is None else (members,)),
                        *defined.values(),
                        *nearby(query, others, _NEARBY - len(defined)),
                    )
                    if part.text not in in_prompt
                )
            ),
            known_members,
        )

    def _sources(self, uri: str, own: _Opened) -> dict[str, Source]:
        """Return the files to search for a document by their paths: open, the last first, related and recent ones."""
        found: dict[str, Source] = {}
        for address, other in reversed(self._opened.items()):
            if address != uri and other.source is not None and other.language == own.language:
                found.setdefault(other.path, other.source)
        for path in (*own.related, *reversed(self._recent)):
            loaded = self._loaded.get(path)
            if loaded is not None and language_of(path) == own.language:
                found.setdefault(path, loaded.source)
        found.pop(own.path, None)
        return found

    def _relations(
        self, path: str, language: str | None, imports: tuple[Import, ...]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the files that a file imports, and these, those of its package and those that import it."""
        modules = self._modules.get(language or "")
        if modules is None:
            return (), ()
        if self._folders.allows(path):
            modules.add(path)  # it may be new
            modules.note(path, imports)
        imported = modules.imported(path, imports)[:_RELATED]
        facts = languages().get(language or "")
        beside = modules.beside(path) if facts is not None and facts.folders_are_packages else ()
        return tuple(imported), tuple(dict.fromkeys((*imported, *beside, *modules.importers(path))))[:_RELATED]

    def _load(self, path: str) -> None:
        """Read a file, unless it was read and has not changed since; forget one that may not be read any more."""
        try:
            found = os.stat(path)
            stamp = found.st_mtime_ns, found.st_size
        except OSError:
            stamp = 0, 0
        known = self._loaded.get(path)
        allowed = self._folders.allows(path)
        if known is not None and known.stamp == stamp and allowed:
            with self._lock:
                self._loaded.move_to_end(path)
            return
        text = self._folders.read(path) if allowed else None
        place = self._folders.place(path)
        with self._lock:
            self._loaded.pop(path, None)
        if text is None or place is None:
            return
        loaded = _Loaded(stamp, Source(place[1], cut(text, () if known is None else known.source.blocks)))
        with self._lock:
            self._loaded[path] = loaded
            while len(self._loaded) > _LOADED:
                self._loaded.popitem(last=False)
