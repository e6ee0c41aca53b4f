"""From the lexer's state after each text to the classes of the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dovetail.masking.token_classes import FRESH_LINE, HELD, STAYED, EndState, StartState, TokenClasses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dovetail.masking.alphabet import Alphabet
    from dovetail.masking.interned_tree import InternedTree
    from dovetail.masking.overrun import Overruns
    from dovetail.masking.transition_table import TransitionTable


class ClassBuilder:
    """Collects texts that were read, and makes their classes."""

    def __init__(self, transitions: TransitionTable, sequences: InternedTree, layouts: InternedTree) -> None:
        """Make classes of lexer states that are given in the numbers of these trees and of this table."""
        self.transitions = transitions
        self.sequences = sequences
        self.layouts = layouts
        self._columns: list[tuple[NDArray[np.int64], ...]] = []

    def add(self, *columns: NDArray[np.generic]) -> None:
        """Add texts that were read, one entry of each column for one text.

        The columns: the text, its sequence, stack, state and accepted terminal, its layout or -1 after content, the
        length and the place of its overrun, its suffix or STAYED.
        """
        self._columns.append(tuple(column.astype(np.int64) for column in columns))

    def classes(
        self, count: int, characters: NDArray[np.uint16], alphabet: Alphabet, overruns: Overruns, blanks: Sequence[str]
    ) -> TokenClasses:
        """Return the classes of `count` texts; those that were not added are refused."""
        text, sequence, stack, at, accepted, layout, length, place, suffix = (
            np.concatenate(column) if column else np.zeros(0, np.int64)
            for column in (zip(*self._columns, strict=True) if self._columns else [()] * 9)
        )
        overrun_numbers = {"": 0}
        overrun = np.zeros(len(text), np.int64)
        # Few texts end in an overrun, so a loop in Python costs little here.
        for index in np.flatnonzero(length):
            read = alphabet.text(characters[place[index] : place[index] + length[index]])
            top, blank = self.transitions.stacks[stack[index]], bool(layout[index] >= 0)
            plainest = overruns.plainest(StartState(top, 0, int(accepted[index]), read, blank))
            accepted[index] = plainest.accepted
            overrun[index] = overrun_numbers.setdefault(plainest.overrun, len(overrun_numbers))
        least = int(suffix.min(initial=STAYED))
        # An end state is one number, so that equal ones are found by sorting numbers.
        sizes = (
            len(self.transitions.stacks),
            int(at.max(initial=0)) + 1,
            int(accepted.max(initial=0)) + 2,
            len(self.layouts) + 1,
            int(suffix.max(initial=0)) - least + 1,
            len(overrun_numbers),
        )
        keys = np.ravel_multi_index((stack, at, accepted + 1, layout + 1, suffix - least, overrun), sizes)
        end_keys: NDArray[np.int64]
        pairs: NDArray[np.int64]
        end_keys, end_of_text = np.unique(keys, return_inverse=True)
        order, parents, next_outside = _depth_first(self.sequences)
        renumbered = np.empty(len(order), np.int64)
        renumbered[order] = np.arange(len(order))
        # Classes are sorted by node first, so those of a node and of all below it are a range.
        width = max(len(end_keys), 1)
        pairs, class_of_text = np.unique(renumbered[sequence] * width + end_of_text, return_inverse=True)
        class_of = np.zeros(count, np.uint32)
        # Class 0 is REFUSED.
        class_of[text] = class_of_text + 1
        layouts = _layout_texts(self.layouts, blanks)
        overrun_texts = list(overrun_numbers)
        ends = []
        # A loop in Python: there are far fewer end states than texts.
        for key in end_keys.tolist():
            top, state, terminal, line, left, over = (int(number) for number in np.unravel_index(key, sizes))
            made_of = layouts[line - 1] if line else None
            local = state - int(self.transitions.starts[top])
            stack_of = self.transitions.stacks[top]
            ends.append(EndState(stack_of, local, terminal - 1, overrun_texts[over], made_of, left + least))
        nodes, end_of = np.divmod(pairs, width)
        return TokenClasses(
            class_of=class_of,
            end_of=[-1, *end_of.tolist()],
            ends=ends,
            first_class=(np.searchsorted(nodes, np.arange(len(order) + 1)) + 1).tolist(),
            parents=parents,
            symbols=[self.sequences.symbols[node] for node in order],
            next_outside=next_outside,
            layouts=layouts,
        )


def _depth_first(tree: InternedTree) -> tuple[list[int], list[int], list[int]]:
    """Return the nodes of a tree, each before those below it.

    Also the new number of each one's parent, and the new number of the first node that is not below it.
    """
    children: list[list[int]] = [[] for _ in tree.parents]
    for node, parent in enumerate(tree.parents[1:], 1):
        children[parent].append(node)
    order: list[int] = []
    parents: list[int] = []
    work = [(0, -1)]
    while work:
        node, parent = work.pop()
        work += [(child, len(order)) for child in reversed(children[node])]
        order.append(node)
        parents.append(parent)
    next_outside = list(range(1, len(order) + 1))
    # Children have greater numbers than their parents. Backwards, all below a node is known before the node.
    for number in range(len(order) - 1, 0, -1):
        next_outside[parents[number]] = max(next_outside[parents[number]], next_outside[number])
    return order, parents, next_outside


def _layout_texts(tree: InternedTree, blanks: Sequence[str]) -> list[str]:
    """Return node → the characters of a layout."""
    letters = [*blanks, HELD, FRESH_LINE]
    texts = [""]
    for parent, symbol in zip(tree.parents[1:], tree.symbols[1:], strict=True):
        texts.append(texts[parent] + letters[symbol])
    return texts
