"""Groups of vocabularies on disk, one file for each beginning; read where they lie, without a copy.

A file is a line of JSON that says what follows (and its checksum), a piece of JSON with the tree of sequences, and
the group of each spelling as little-endian numbers. What is not whole, or of another code, is not there.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import TYPE_CHECKING

import numpy as np

from dovetail.grammar.keeping import open_kept, write_kept
from dovetail.grammar.library import code_digest
from dovetail.lexing.modes import NOTHING
from dovetail.masking.token_classes import End, TokenClasses

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.lexing.lexer import Lexer
    from dovetail.masking.token_classes import Beginning
    from dovetail.vocabulary.vocabulary import Vocabulary

_ALIGNMENT = 64

_TYPES = ("<u2", "<u4")
"""What the numbers may be."""


class ClassCache:
    """The groups of one vocabulary in one language; `folder` holds those of all."""

    def __init__(self, folder: Path | None, lexer: Lexer, vocabulary: Vocabulary) -> None:
        self.modes = lexer.modes
        self.folder: Path | None = None
        """None where nothing is kept."""
        if folder is not None:
            self.folder = folder / f"{lexer.compiled.name}-{_digest(lexer, vocabulary)}"

    def read(self, kind: str, beginning: Beginning) -> TokenClasses | None:
        """Return what is kept, or None."""
        if self.folder is None:
            return None
        path = self._path(kind, beginning)
        try:
            with open_kept(path) as file:
                header = json.loads(file.readline())
                tree = file.read(header["tree"])
                file.seek(header["start"])
                if header["type"] not in _TYPES:
                    return None
                size = header["count"] * np.dtype(header["type"]).itemsize
                if header["checksum"] != _checksum(path, tree, file.read(size + 1)):
                    return None
                parts = json.loads(tree)
                numbers = np.memmap(file, header["type"], "r", header["start"], header["count"])
            return TokenClasses(
                of=numbers,
                states=[End(self._stack(modes), *rest) for modes, *rest in parts.pop("states")],
                **parts,
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def write(self, kind: str, beginning: Beginning, groups: TokenClasses) -> None:
        """Keep groups; where the disk refuses, nothing is kept and nothing is lost."""
        if self.folder is None:
            return
        tree = json.dumps(
            {
                "ends": groups.ends,
                "states": [(self._entries(end.stack), *end[1:]) for end in groups.states],
                "first_group": groups.first_group,
                "parents": groups.parents,
                "symbols": groups.symbols,
                "after": groups.after,
                "layouts": groups.layouts,
            },
            separators=(",", ":"),
        ).encode()
        of = groups.of.astype("<u2" if len(groups.ends) <= 1 << 16 else "<u4")
        path = self._path(kind, beginning)
        checksum = _checksum(path, tree, of.tobytes())
        header = {"tree": len(tree), "type": of.dtype.str, "count": len(of), "checksum": checksum}
        # With room for the place of the numbers itself.
        start = -(-(len(json.dumps(header)) + 40 + len(tree)) // _ALIGNMENT) * _ALIGNMENT
        first = json.dumps({**header, "start": start}).encode() + b"\n"
        write_kept(path, ((first + tree).ljust(start, b" "), of.tobytes()))

    def _path(self, kind: str, beginning: Beginning) -> Path:
        assert self.folder is not None
        modes = ".".join(str(mode) for entry in self._entries(beginning.stack) for mode in entry)
        rest = beginning.rest.encode("utf-8", "surrogatepass").hex()
        line = "blank" if beginning.blank else "content"
        return self.folder / f"{kind}-{modes}-{line}-{beginning.at}-{beginning.accepted}-{rest}.groups"

    def _entries(self, stack: int) -> list[tuple[int, ...]]:
        """Return the modes of a stack from the lowest entry on."""
        found = []
        while stack != NOTHING:
            tops, stack = self.modes.entries[stack]
            found.append(tops)
        return found[::-1]

    def _stack(self, entries: list[list[int]]) -> int:
        stack = NOTHING
        for modes in entries:
            stack = self.modes.push(tuple(modes), stack)
        return stack


def _checksum(path: Path, tree: bytes, numbers: bytes) -> int:
    """Return a checksum of what a file holds and of its name, which says what it is for."""
    return zlib.crc32(numbers, zlib.crc32(tree, zlib.crc32(path.name.encode())))


def _digest(lexer: Lexer, vocabulary: Vocabulary) -> str:
    """Return a digest of all that decides how a vocabulary is read: its bytes, the automata and the modes."""
    digest = hashlib.sha256(code_digest("masking", "vocabulary", "automata", "lexing"))
    compiled = lexer.compiled
    for automaton in compiled.automata:
        digest.update(repr((automaton.edges, automaton.edge_classes, automaton.rows, automaton.accepts)).encode())
    for mode in compiled.modes:
        parts = (sorted(mode.terminals), sorted(mode.ignored), sorted(mode.push.items()), sorted(mode.pop))
        digest.update(repr((mode.automaton, *parts, sorted(mode.switch.items()))).encode())
    digest.update(repr((compiled.layout, sorted(compiled.errors), compiled.productions.terminal_count)).encode())
    for piece in vocabulary.pieces:
        digest.update(b"-" if piece is None else b"%d:%b" % (len(piece), piece))
    return digest.hexdigest()[:32]
