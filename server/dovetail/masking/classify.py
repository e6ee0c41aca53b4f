"""A vocabulary, read from one state of the lexer: which tokens come to the same.

All tokens are read at once, one character of each at a time, in the way of `Lexer.lex`. Those that complete the
same terminals and leave the lexer in the same state form a group, and the parser needs to be asked only once for
each. What depends on the text around is left open: the columns of layout are kept as the blanks that make them,
and a token that leaves the mode in which it began is read up to there; what is left of it is a suffix, a spelling
of another vocabulary, which is read where the modes around are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dovetail.lexing.modes import NOTHING
from dovetail.masking.interning import Tree
from dovetail.masking.overrun import Overruns
from dovetail.masking.token_classes import FRESH_LINE, HELD, STAYED, Beginning, End, TokenClasses
from dovetail.masking.token_texts import UNREAD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Lexer
    from dovetail.masking.alphabet import Alphabet
    from dovetail.masking.token_texts import TokenTexts

_KEEP, _EMIT, _END_LINE, _REFUSE, _LEAVE, _LEAVE_UNSEEN, _UNASKED = range(7)


class Classifier:
    """Reads vocabularies for one language."""

    def __init__(self, lexer: Lexer, alphabet: Alphabet) -> None:
        self.lexer = lexer
        self.alphabet = alphabet
        self.rests = Overruns(lexer, alphabet)
        self.terminal_count = lexer.compiled.productions.terminal_count
        bases = np.cumsum([0, *(len(scanner.accepts) for scanner in lexer.scanners)])
        self.bases = bases.astype(np.int32)
        """Automaton → its first state where the states of all are numbered together."""
        self.steps: NDArray[np.int32] = np.concatenate(
            [self._rows(number) + (self._rows(number) >= 0) * base for number, base in enumerate(bases[:-1])]
        ).astype(np.int32)
        """State, class → next state, or below 0."""
        self.accepts: NDArray[np.int32] = np.concatenate(
            [np.array(scanner.accepts, np.int32) for scanner in lexer.scanners]
        )
        self.is_start = np.zeros(len(self.accepts), bool)
        self.is_start[self.bases[:-1]] = True
        self.is_content = np.zeros(len(self.accepts), bool)
        layout = lexer.compiled.layout
        if layout is not None:
            base = self.bases[lexer.compiled.modes[layout.mode].automaton]
            self.is_content[[base + state for state in lexer.content]] = True
        self.blanks = sorted(lexer.blanks)
        self.blank_of = np.full(len(alphabet.samples), -1, np.int32)
        """Class → the blank that it is, or -1."""
        for number, sample in enumerate(alphabet.samples):
            if sample in lexer.blanks:
                self.blank_of[number] = self.blanks.index(sample)
        self.is_error = np.zeros(self.terminal_count, bool)
        self.is_error[list(lexer.compiled.errors)] = True

    def _rows(self, number: int) -> NDArray[np.int32]:
        automaton = self.lexer.scanners[number].automaton
        columns = [automaton.class_of(sample) for sample in self.alphabet.samples]
        return np.array(automaton.rows, np.int32)[:, columns]

    def read(self, spellings: TokenTexts, beginning: Beginning) -> TokenClasses:
        """Return the groups of a vocabulary from one beginning.

        Where a terminal is pending, only of the spellings that go on with it (`goes_on`): for the others it is over,
        and they are read as from the state after it.
        """
        return _Reading(self, spellings, beginning).groups()

    def is_settled_by(self, beginning: Beginning) -> bool:
        """Return whether a character that does not go on with the pending lexeme ends it where it is."""
        return beginning.accepted >= 0 and not beginning.rest and not self.is_error[beginning.accepted]

    def goes_on(self, spellings: TokenTexts, stack: int, at: int) -> NDArray[np.bool_]:
        """Return for each spelling whether its first character goes on with a lexeme, or it has none."""
        row = self.steps[self.bases[self.lexer.modes.scanner_of[stack]] + at] >= 0
        found = np.ones(len(spellings), bool)
        some = spellings.starts < spellings.ends
        found[some] = row[spellings.classes[spellings.starts[some]]]
        return found


class _Reading:
    """One pass over a vocabulary."""

    def __init__(self, grouping: Classifier, spellings: TokenTexts, beginning: Beginning) -> None:
        self.grouping = grouping
        self.lexer = grouping.lexer
        self.beginning = beginning
        self.count = len(spellings)
        self.stacks: list[int] = []
        self._stack_numbers: dict[int, int] = {}
        self._kinds = np.full((4, grouping.terminal_count), _UNASKED, np.int8)  # stack, terminal → what to do
        self._after = np.zeros((4, grouping.terminal_count), np.int32)  # stack, terminal → stack
        self._starts = np.zeros(4, np.int32)  # stack → the start of its automaton
        self.sequences = Tree(grouping.terminal_count + 64)
        self.layouts = Tree(len(grouping.blanks) + 2)
        self.held, self.fresh = len(grouping.blanks), len(grouping.blanks) + 1
        self.fresh_line = int(self.layouts.follow(np.zeros(1, np.int32), np.array([self.fresh], np.int32))[0])

        rest = grouping.alphabet.classes(beginning.rest)
        self.classes, self.suffixes = spellings.classes, spellings.suffixes
        starts, stops = spellings.starts, spellings.ends
        if len(rest):
            # What was read since the last terminal is read again where that is what counts.
            self.classes, self.suffixes, starts, stops = _prefixed(spellings, rest)
        size = self.count
        first = self._number(beginning.stack)
        self.index = np.arange(size, dtype=np.uint32)
        self.at = np.full(size, grouping.bases[self.lexer.modes.scanner_of[beginning.stack]] + beginning.at, np.int32)
        self.stack = np.full(size, first, np.int32)
        self.accepted = np.full(size, beginning.accepted, np.int32)
        self.position = starts + len(rest)
        self.since = starts.copy()  # where the rest begins
        self.stop = stops.copy()
        self.blank = np.full(size, beginning.blank)
        self.layout = np.zeros(size, np.int32)
        self.sequence = np.zeros(size, np.int32)
        if grouping.is_settled_by(beginning):
            self._keep(grouping.goes_on(spellings, beginning.stack, beginning.at))
        self.finished: list[tuple[NDArray[np.int64], ...]] = []

    def groups(self) -> TokenClasses:
        grouping = self.grouping
        while len(self.index):
            self._finish()
            if not len(self.index):
                break
            character = self.classes[self.position]
            target = grouping.steps[self.at, character]
            over = target < 0
            stays = self.blank & grouping.is_start[self.at] & ~over
            blanks = grouping.blank_of[character]
            widens = stays & (blanks >= 0)
            self.layout[widens] = self.layouts.follow(self.layout[widens], blanks[widens])
            begins = stays & ~widens & grouping.is_content[target]
            symbols = grouping.terminal_count + self.layout[begins]
            self.sequence[begins] = self.sequences.follow(self.sequence[begins], symbols)
            self.blank[begins] = False
            moves = ~over & ~widens
            self.position += ~over
            self.at[moves] = target[moves]
            accepted = grouping.accepts[target]
            accepts = moves & (accepted >= 0)
            self.accepted[accepts] = accepted[accepts]
            self.since[accepts] = self.position[accepts]
            if over.any():
                self._end_lexemes(over)
        return self._collect()

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        for name in ("index", "at", "stack", "accepted", "position", "since", "stop", "blank", "layout", "sequence"):
            setattr(self, name, getattr(self, name)[kept])

    def _finish(self) -> None:
        done = self.position == self.stop
        if not done.any():
            return
        rest = self.position - self.since
        rest[(self.accepted < 0) | self.grouping.is_error[self.accepted]] = 0
        layout = np.where(self.blank, self.layout, -1)
        self._record(done, rest, layout, np.full(len(rest), STAYED))
        self._keep(~done)

    def _record(
        self,
        chosen: NDArray[np.bool_] | NDArray[np.int64],
        rest: NDArray[np.int64],
        layout: NDArray[np.int64],
        suffix: NDArray[np.int64],
    ) -> None:
        columns = (self.index, self.sequence, self.stack, self.at, self.accepted, layout, rest, self.since, suffix)
        self.finished.append(tuple(column[chosen].astype(np.int64) for column in columns))

    def _end_lexemes(self, over: NDArray[np.bool_]) -> None:
        """End the lexemes that do not go on as what they were last, and drop the tokens that end none."""
        terminals = self.accepted[over]
        ends = (terminals >= 0) & ~self.grouping.is_error[terminals]
        kept = ~over
        kept[over] = ends
        over &= kept
        self._keep(kept)
        ended = np.flatnonzero(over[kept])
        kinds, after = self._transitions(self.stack[ended], self.accepted[ended])
        leaves = (kinds == _LEAVE) | (kinds == _LEAVE_UNSEEN)
        goes_on = ~leaves & (kinds != _REFUSE)
        kept = np.ones(len(self.index), bool)
        kept[ended[~goes_on]] = False
        ends_line = ended[kinds == _END_LINE]
        emits = np.concatenate([ended[(kinds == _EMIT) | (kinds == _LEAVE)], ends_line[~self.blank[ends_line]]])
        self.sequence[emits] = self.sequences.follow(self.sequence[emits], self.accepted[emits])
        if leaves.any():
            left = ended[leaves]
            self.at[left] = self._starts[self.stack[left]]
            nothing = np.zeros(len(self.index), np.int64)
            suffix = nothing.copy()
            suffix[left] = self.suffixes[self.since[left]]
            unread = left[suffix[left] == UNREAD]
            suffix[unread] -= self.index[unread]
            self._record(left, nothing, np.where(self.blank, self.layout, -1), suffix)
        ignored = ended[kinds == _KEEP]
        holds = ignored[self.blank[ignored] & (self.accepted[ignored] == self.lexer.continuation)]
        self.layout[holds] = self.layouts.follow(self.layout[holds], np.full(len(holds), self.held, np.int32))
        self.layout[ends_line] = self.fresh_line
        self.blank[ends_line] = True
        self.stack[ended] = after
        self.at[ended] = self._starts[after]
        self.position[ended] = self.since[ended]
        self.accepted[ended] = -1
        if not goes_on.all():
            self._keep(kept)

    def _number(self, stack: int) -> int:
        """Return the place of a stack among those of this pass."""
        number = self._stack_numbers.get(stack)
        if number is None:
            number = self._stack_numbers[stack] = len(self.stacks)
            self.stacks.append(stack)
            if number == len(self._starts):
                self._kinds = np.concatenate([self._kinds, np.full_like(self._kinds, _UNASKED)])
                self._after = np.concatenate([self._after, np.zeros_like(self._after)])
                self._starts = np.concatenate([self._starts, np.zeros_like(self._starts)])
            self._starts[number] = self.grouping.bases[self.lexer.modes.scanner_of[stack]]
        return number

    def _transitions(
        self, stacks: NDArray[np.int32], terminals: NDArray[np.int32]
    ) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """Return what terminals do on stacks, and the stacks after them (all of shape [n])."""
        kinds = self._kinds[stacks, terminals]
        unasked = np.flatnonzero(kinds == _UNASKED)
        if unasked.size:
            width = self._kinds.shape[1]
            for key in np.unique(stacks[unasked].astype(np.int64) * width + terminals[unasked]).tolist():
                stack, terminal = divmod(key, width)
                kind, after = self._passage(self.stacks[stack], terminal)
                number = self._number(after)
                self._kinds[stack, terminal], self._after[stack, terminal] = kind, number
            kinds = self._kinds[stacks, terminals]
        return kinds, self._after[stacks, terminals]

    def _passage(self, stack: int, terminal: int) -> tuple[int, int]:
        modes = self.lexer.modes
        tops, below = modes.entries[stack]
        if below == NOTHING and terminal in modes.modes[tops[0]].pop:
            return (_LEAVE_UNSEEN if terminal in modes.modes[tops[0]].ignored else _LEAVE), stack
        ways = modes.transitions(stack, terminal)
        if len(ways) != 1:
            return _REFUSE, stack
        ignored, ends_line, after = ways[0]
        return (_END_LINE if ends_line else _KEEP if ignored else _EMIT), after

    def _collect(self) -> TokenClasses:
        index, sequence, stack, at, accepted, layout, rest, since, suffix = (
            np.concatenate(column) if column else np.zeros(0, np.int64)
            for column in (zip(*self.finished, strict=True) if self.finished else [()] * 9)
        )
        rests = {"": 0}
        rest_of = np.zeros(len(index), np.int64)
        for place in np.flatnonzero(rest):
            text = self.grouping.alphabet.text(self.classes[since[place] : since[place] + rest[place]])
            top, blank = self.stacks[stack[place]], bool(layout[place] >= 0)
            plainest = self.grouping.rests.plainest(Beginning(top, 0, int(accepted[place]), text, blank))
            accepted[place] = plainest.accepted
            rest_of[place] = rests.setdefault(plainest.rest, len(rests))
        least = int(suffix.min(initial=STAYED))
        sizes = (
            len(self.stacks),
            len(self.grouping.accepts),
            self.grouping.terminal_count + 1,
            len(self.layouts) + 1,
            int(suffix.max(initial=0)) - least + 1,
            len(rests),
        )
        keys = np.ravel_multi_index((stack, at, accepted + 1, layout + 1, suffix - least, rest_of), sizes)
        ends: NDArray[np.int64]
        pairs: NDArray[np.int64]
        ends, end_of = np.unique(keys, return_inverse=True)
        order, parents, after = self._depth_first()
        renumbered = np.empty(len(order), np.int64)
        renumbered[order] = np.arange(len(order))
        pairs, group_of = np.unique(renumbered[sequence] * max(len(ends), 1) + end_of, return_inverse=True)
        groups = np.zeros(self.count, np.uint32)
        groups[index] = group_of + 1
        layouts = self._layout_texts()
        rest_texts = list(rests)
        states = []
        for key in ends.tolist():
            top, at_, terminal, line, left, rest_ = (int(number) for number in np.unravel_index(key, sizes))
            made_of = layouts[line - 1] if line else None
            local = at_ - int(self._starts[top])
            states.append(End(self.stacks[top], local, terminal - 1, rest_texts[rest_], made_of, left + least))
        nodes, states_of = np.divmod(pairs, max(len(ends), 1))
        return TokenClasses(
            of=groups,
            ends=[-1, *states_of.tolist()],
            states=states,
            first_group=(np.searchsorted(nodes, np.arange(len(order) + 1)) + 1).tolist(),
            parents=parents,
            symbols=[self.sequences.symbols[node] for node in order],
            after=after,
            layouts=layouts,
        )

    def _depth_first(self) -> tuple[list[int], list[int], list[int]]:
        """Return the nodes of the tree of sequences, each before what is below it.

        With them the new number of each one's parent, and of the first node that is not below it.
        """
        children: list[list[int]] = [[] for _ in self.sequences.parents]
        for node, parent in enumerate(self.sequences.parents[1:], 1):
            children[parent].append(node)
        order: list[int] = []
        parents: list[int] = []
        work = [(0, -1)]
        while work:
            node, parent = work.pop()
            work += [(child, len(order)) for child in reversed(children[node])]
            order.append(node)
            parents.append(parent)
        after = list(range(1, len(order) + 1))
        for number in range(len(order) - 1, 0, -1):
            after[parents[number]] = max(after[parents[number]], after[number])
        return order, parents, after

    def _layout_texts(self) -> list[str]:
        letters = [*self.grouping.blanks, HELD, FRESH_LINE]
        texts = [""]
        for parent, symbol in zip(self.layouts.parents[1:], self.layouts.symbols[1:], strict=True):
            texts.append(texts[parent] + letters[symbol])
        return texts


def _prefixed(
    spellings: TokenTexts, rest: NDArray[np.uint16]
) -> tuple[NDArray[np.uint16], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return the classes, suffixes, starts and ends of spellings with the same characters put before each."""
    lengths = spellings.ends - spellings.starts + len(rest)
    ends = np.cumsum(lengths)
    begins = ends - lengths
    place = np.arange(int(lengths.sum())) - np.repeat(begins, lengths)
    inside = place >= len(rest)
    source = (np.repeat(spellings.starts, lengths) + place - len(rest))[inside]
    classes = np.empty(len(place), np.uint16)
    classes[inside] = spellings.classes[source]
    classes[~inside] = rest[place[~inside]]
    suffixes = np.full(len(place), UNREAD, np.int32)
    suffixes[inside] = spellings.suffixes[source]
    return classes, suffixes, begins, ends
