"""The disk cache of token classes: one file for each vocabulary, language and state of the lexer.

A file holds the tree of terminal sequences as JSON and the class of each text as little-endian numbers, which are
read where they lie, without a copy.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from dovetail.grammar.compiled import to_plain
from dovetail.grammar.disk_cache import code_digest, read_cached, write_cached
from dovetail.lexing.modes import NOTHING
from dovetail.masking.token_classes import EndState, TokenClasses

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.lexing.lexer import Lexer
    from dovetail.masking.token_classes import StartState
    from dovetail.vocabulary.vocabulary import Vocabulary

CODE = ("automata", "lexing", "masking", "vocabulary")
"""The folders whose code decides which class a text is in."""

# A cache line: numbers that begin at a multiple of their size are read in place.
_ALIGNMENT = 64

_LONGEST_HEADER = 128
"""Bytes that the header, a line of JSON, takes at most."""

_TYPES = ("<u2", "<u4")

_PARSED = frozenset({"name", "productions", "tables", "literals"})
"""The parts of a language that decide nothing about how text is read."""


class ClassCache:
    """The classes of one vocabulary in one language."""

    def __init__(self, folder: Path | None, lexer: Lexer, vocabulary: Vocabulary) -> None:
        """Use a folder of `folder`, which holds the classes of all vocabularies; None keeps nothing on disk."""
        self.modes = lexer.modes
        self.folder: Path | None = None
        if folder is not None:
            self.folder = folder / f"{lexer.compiled.name}-{_digest(lexer, vocabulary)}"

    def read(self, kind: str, start_state: StartState, count: int) -> TokenClasses | None:
        """Return the classes of `count` texts from the disk, or None if they are not there, whole and of that many."""
        data = None if self.folder is None else read_cached(self._path(kind, start_state))
        if data is None:
            return None
        try:
            first, _, _ = bytes(data[:_LONGEST_HEADER]).partition(b"\n")
            header = json.loads(first)
            # The checksum holds for any file that was written whole. The count shows that it was written for this
            # vocabulary.
            if header["type"] not in _TYPES or header["count"] != count:
                return None
            tree = len(first) + 1
            parts = json.loads(bytes(data[tree : tree + header["tree"]]))
            numbers = np.frombuffer(data, header["type"], count, header["start"])
            return TokenClasses(
                class_of=numbers,
                ends=[EndState(self._stack(modes), *others) for modes, *others in parts.pop("ends")],
                **parts,
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def write(self, kind: str, start_state: StartState, classes: TokenClasses) -> None:
        """Write classes to the disk; a disk that refuses costs nothing but time."""
        if self.folder is None:
            return
        tree = json.dumps(
            {
                "end_of": classes.end_of,
                "ends": [(self._entries(end.stack), *end[1:]) for end in classes.ends],
                "first_class": classes.first_class,
                "parents": classes.parents,
                "symbols": classes.symbols,
                "next_outside": classes.next_outside,
                "layouts": classes.layouts,
            },
            separators=(",", ":"),
        ).encode()
        # Nearly every table has fewer classes than 65,536, and its file is half as large.
        numbers = classes.class_of.astype("<u2" if len(classes.end_of) <= 1 << 16 else "<u4")
        start = -(-(_LONGEST_HEADER + len(tree)) // _ALIGNMENT) * _ALIGNMENT
        header = {"tree": len(tree), "type": numbers.dtype.str, "count": len(numbers), "start": start}
        first = json.dumps(header).encode() + b"\n"
        assert len(first) <= _LONGEST_HEADER
        write_cached(self._path(kind, start_state), ((first + tree).ljust(start, b" "), numbers.tobytes()))

    def _path(self, kind: str, start_state: StartState) -> Path:
        assert self.folder is not None
        # Stacks of modes are numbered as they are met, in each process anew. A file names one by its modes.
        modes = ".".join(str(mode) for entry in self._entries(start_state.stack) for mode in entry)
        # In hexadecimal, since an overrun may hold a slash, a quote or a line end.
        overrun = start_state.overrun.encode("utf-8", "surrogatepass").hex()
        line = "blank" if start_state.blank else "content"
        return self.folder / f"{kind}-{modes}-{line}-{start_state.at}-{start_state.accepted}-{overrun}.classes"

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


def _digest(lexer: Lexer, vocabulary: Vocabulary) -> str:
    """Return a digest of all that decides how texts are read: the code, the language's lexer and the vocabulary."""
    digest = hashlib.sha256(code_digest(*CODE))
    plain = to_plain(lexer.compiled)
    # All but what only the parser reads, so what is added to a language for its lexer is covered without a change here.
    parts = {key: value for key, value in plain.items() if key not in _PARSED}
    digest.update(repr((parts, lexer.compiled.productions.terminal_count)).encode())
    # The length stands before each piece. So `ab`, `c` and `a`, `bc` give different digests.
    for piece in vocabulary.pieces:
        digest.update(b"-" if piece is None else b"%d:%b" % (len(piece), piece))
    return digest.hexdigest()[:32]
