"""Classes of characters that no automaton of a language tells apart, and its layout neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Lexer


class Alphabet:
    """The classes of characters of all modes of a language at once.

    Two texts whose characters are of the same classes are read alike, in whatever mode they begin.
    """

    def __init__(self, lexer: Lexer) -> None:
        automata = [scanner.automaton for scanner in lexer.scanners.every()]
        # An automaton may read all blanks alike; to layout a tab is wider than a blank.
        edges = {edge for automaton in automata for edge in automaton.edges}
        edges.update(code for blank in lexer.blanks for code in (ord(blank), ord(blank) + 1))
        ordered = sorted(edges)
        numbers: dict[tuple[object, ...], int] = {}
        self.samples: list[str] = []
        """Class → one of its characters."""
        classes = []
        for edge in ordered:
            character = chr(edge)
            key = (*(automaton.class_of(character) for automaton in automata), character in lexer.blanks and character)
            if key not in numbers:
                numbers[key] = len(self.samples)
                self.samples.append(character)
            classes.append(numbers[key])
        self._edges = np.array(ordered, np.uint32)
        self._classes = np.array(classes, np.uint16)

    def classes(self, text: str) -> NDArray[np.uint16]:
        """Return the class of each character of a text (shape [characters])."""
        codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        # A class changes only at an edge. A binary search in some thousand edges takes the place of a table of 1.1
        # million code points.
        return self._classes[np.searchsorted(self._edges, codes, "right") - 1]

    def text(self, classes: NDArray[np.uint16]) -> str:
        """Return a text whose characters are of these classes."""
        return "".join(self.samples[number] for number in classes)
