"""Expectations: the terminals that may come next at a state, each with a text that shows it.

A terminal may come in two ways. The pending lexeme goes on and becomes it, in the middle or in the right context. Or
the pending lexeme ends, and the terminal begins in the middle. At the start of a line the next terminal may be an
indent or a dedent. Its text then holds the blanks and one lexeme after them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.lexing.indentation import MARGIN, after_blanks, blanks_between
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted
from dovetail.suffix.outcomes import CLEAN, FALLBACK, OPEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.closing.spelling import Ending, Spelling
    from dovetail.lexing.indentation import Column
    from dovetail.lexing.lexer import Emission, LexerState, Line
    from dovetail.parsing.stack import Heads
    from dovetail.quotient.recognizer import Recognizer

_ARTICLE = re.compile(r"\Aan? ")

Texts = dict[int, str]
"""Terminal → a text after which it is the next terminal."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A terminal that may come next."""

    terminal: int
    name: str
    """The terminal in readable form."""
    text: str
    """A text to insert at the cursor; empty if the pending lexeme becomes the terminal in the right context."""


class Expecting:
    """The search for the terminals that may come at the states of one quotient."""

    def __init__(self, spelling: Spelling, recognizer: Recognizer) -> None:
        self.lexer = recognizer.lexer
        self.stacks = recognizer.stacks
        self.recognizer = recognizer
        self.spelling = spelling

    def expectations(self, configuration: Configuration) -> tuple[Expectation, ...]:
        """Return the terminals that may come: those without a text of their own first, then words, then signs."""
        return self._described(self.texts(configuration))

    def _described(self, texts: Texts) -> tuple[Expectation, ...]:
        found = [
            Expectation(terminal, readable_name(self.spelling, terminal), text) for terminal, text in texts.items()
        ]
        return tuple(sorted(found, key=_order))

    def on_this_line(self, configuration: Configuration) -> tuple[Expectation, ...]:
        """Return the terminals that may come without more blanks and without a new line.

        If there are none, because the column fits no block or because a block is due, return those that may come at
        all.
        """
        heads, state = configuration
        ended = state
        emissions: list[Emission] = []
        if state.at != START and not state.rest:
            read = self.lexer.ended_as(state, state.accepted)
            if read is None:
                return self.expectations(configuration)
            ended, emissions = read
        if ended.line is None or ended.at != START:
            return self.expectations(configuration)
        indents = self.lexer.arrange(ended.indents, ended.line.width(), emissions)
        if indents is None:
            return self.expectations(configuration)
        after = self.stacks.shift_all(heads, emissions)
        if not after:
            after, indents = self._outwards(heads, ended.indents, emissions)
        content = Configuration(after, ended._replace(line=None, indents=indents))
        texts = self._becoming(content) if after else {}
        return self._described(texts) if texts else self.expectations(configuration)

    def _outwards(self, heads: Heads, indents: int, emissions: list[Emission]) -> tuple[Heads, int]:
        """Return heads and open blocks after the dedents that fit, where not all do; no heads if none fits.

        What the last statement of the block there lacks is expected: of a `try` at the end of a method, an `except`.
        """
        layout = self.lexer.compiled.layout
        ended = 0
        for emission in emissions:
            after = self.stacks.shift_all(heads, [emission])
            if not after:
                break
            heads = after
            if layout is not None and emission[0] == layout.dedent:
                indents, ended = self.lexer.blocks.entries[indents][1], ended + 1
        return (heads if ended else ()), indents

    def may_end(self, configuration: Configuration) -> bool:
        """Return whether the pending lexeme may end as it stands; True if no lexeme is pending."""
        state = configuration.lexer
        if state.at == START:
            return True
        after = None if state.rest else configuration.ended_as(self.lexer, self.stacks, state.accepted)
        return after is not None and self.recognizer.intersection.viable(after.heads)

    def texts(self, configuration: Configuration, within: tuple[Ending, ...] = ()) -> Texts:
        """Return the terminals that may come after a configuration, with their texts.

        `within`: lexemes that end where the texts begin, and must not go on into them.
        """
        found: Texts = {}
        state = configuration.lexer
        if not configuration.heads:
            return found
        if state.at == START:
            return self._beginning(configuration, within)
        # Two sources, as the module says: the pending lexeme itself, then the lexemes after it. Longest match decides
        # between them, so a text after the lexeme must not be one that the lexeme would go on into.
        for terminal, text in self._becoming(configuration).items():
            if not any(self._holds(ending, text) for ending in within):
                found[terminal] = text
        ending = (state.stack, state.at)
        # A lexeme that has read on since it was last a terminal cannot end as it stands. It can only fall back.
        if state.rest and state.accepted >= 0:
            fallen = configuration.fallen_back(self.lexer, self.stacks)
            following = {} if fallen is None else self.texts(fallen, (*within, ending))
        else:
            after = configuration.ended_as(self.lexer, self.stacks, state.accepted)
            following = {} if after is None else self._beginning(after, (*within, ending))
        for terminal, text in following.items():
            found.setdefault(terminal, text)
        return found

    def _holds(self, ending: Ending, text: str) -> bool:
        """Return whether a lexeme would go on into a text, or into the right context if the text is empty."""
        if text:
            return self.spelling.runs_on(ending, text)
        stack, state = ending
        return self.recognizer.seam.outcomes[self.lexer.modes.scanner_of[stack]][state][0] != FALLBACK

    def _beginning(self, configuration: Configuration, before: tuple[Ending, ...]) -> Texts:
        """Return the terminals that may begin after a configuration without a pending lexeme."""
        state = configuration.lexer
        if state.line is not None:
            return self._at_line_start(configuration, state.line, before)
        found: Texts = {}
        for terminal, word in self._becoming(configuration).items():
            text = self._apart(before, state.stack, word)
            if text is not None:
                found[terminal] = text
        return found

    def _apart(self, before: tuple[Ending, ...], stack: int, word: str) -> str | None:
        """Return a word after a separator from the lexemes before it, or None if no separator serves.

        The separator is empty if the lexemes do not go on into the word.
        """
        for separated in ("", *(self.spelling.separator(ending, stack, word) for ending in before)):
            if separated is not None and not any(self._holds(ending, separated + word) for ending in before):
                return separated + word
        return None

    def _becoming(self, configuration: Configuration) -> Texts:
        """Return the terminals that the pending lexeme may become, or a new lexeme if none is pending."""
        heads, state = configuration
        modes = self.lexer.modes
        automaton = modes.scanner_of[state.stack]
        scanner = self.lexer.scanners[automaton]
        outcomes = self.recognizer.seam.outcomes[automaton]
        found: Texts = {}
        # The shortest text comes first, so the first text found for a terminal is the one to show.
        met: dict[tuple[int, int], bool] = {}  # outcome at the right context → whether it fits
        refused: set[int] = set()
        for target, text in self._further(automaton, state.at):
            accepted = scanner.accepts[target]
            ended, end = outcomes[target]
            if ended >= OPEN:
                ended = accepted if accepted >= 0 else CLEAN
            terminal = ended if ended >= 0 else accepted
            # First way: the lexeme meets the right context as it is, and becomes the terminal there.
            meets = ended >= 0 or (ended == CLEAN and text)
            if meets and terminal not in found and self._counts(state, terminal):
                key = (terminal, end)
                if key not in met:
                    standing = state._replace(at=target, accepted=accepted, rest="", line=None)
                    met[key] = self.recognizer.accepting(Configuration(heads, standing))
                if met[key]:
                    found[terminal] = text
            # Second way: the lexeme ends in the middle, and some further text fits.
            if text and accepted >= 0 and accepted not in found and accepted not in refused:
                after = self.stacks.shift(heads, accepted) if self._counts(state, accepted) else ()
                if not (after and self.recognizer.intersection.viable(after)):
                    refused.add(accepted)
                else:
                    standing = state._replace(at=target, accepted=accepted, rest="", line=None)
                    if self.recognizer.viable_as(accepted, Configuration(heads, standing)):
                        found[accepted] = text
        return found

    def _counts(self, state: LexerState, terminal: int) -> bool:
        """Return whether the grammar sees a terminal here."""
        if terminal in self.lexer.compiled.errors:
            return False
        way = self.lexer.modes.known_transition(state.stack, terminal)
        return way is not None and way.is_seen(blank=state.line is not None)

    def _further(self, automaton: int, at: int) -> Iterator[tuple[int, str]]:
        """Yield (state, shortest text that leads to it) for each state that a lexeme may reach, shortest text first.

        Its own state comes first, with the empty text. It comes once more at the end if some text leads back to it.
        """
        texts = self.spelling.texts_from(automaton, at)
        if at == START:
            yield from ((target, text) for target, text in texts.items() if text)
            return
        yield from texts.items()
        table = self.lexer.scanners[automaton].automaton
        loops = [
            texts[state] + table.samples[number]
            for state in texts
            if at in table.rows[state]
            for number, target in enumerate(table.rows[state])
            if target == at
        ]
        if loops:
            yield at, min(loops, key=lambda text: (len(text.encode()), text))

    def _at_line_start(self, configuration: Configuration, line: Line, before: tuple[Ending, ...]) -> Texts:
        """Return the terminals that may begin a line: in the same block, in a new one, or in an outer one."""
        layout = self.lexer.compiled.layout
        assert layout is not None
        heads, state = configuration
        entries = self.lexer.blocks.entries
        found: Texts = {}
        top = entries[state.indents][0]
        content = state._replace(line=None)
        for terminal, word in self._becoming(Configuration(heads, content)).items():
            text = self._led(before, line, top, word)
            if text is not None and terminal != layout.newline:
                found[terminal] = text
        for column in self._deeper(line, top):
            text = self._shown(self.stacks.shift(heads, layout.indent, column), content, before, line, column)
            if text is not None:
                found[layout.indent] = text
                break
        # Each dedent closes one block more. The stacks need not take all of them, so the first that fits is shown.
        outer = entries[state.indents][1]
        while outer >= 0 and layout.dedent not in found:
            heads = self.stacks.shift(heads, layout.dedent)
            text = self._shown(heads, content, before, line, entries[outer][0])
            if text is not None:
                found[layout.dedent] = text
            outer = entries[outer][1]
        return found

    def _shown(
        self, heads: Heads, content: LexerState, before: tuple[Ending, ...], line: Line, column: Column
    ) -> str | None:
        """Return the shortest text with content at a column, or None if no content fits there."""
        if not heads:
            return None
        texts = (
            self._led(before, line, column, word) for word in self._becoming(Configuration(heads, content)).values()
        )
        return next((text for text in texts if text is not None), None)

    def _led(self, before: tuple[Ending, ...], line: Line, column: Column, word: str) -> str | None:
        """Return blanks and a word that stands at a column, on this line if possible, otherwise on a new one."""
        tab = self.lexer.tab
        # Blanks after a backslash do not move the column.
        if line.fixed:
            blanks = "" if line.width() == column else None
        else:
            blanks = _blanks(line.column, column, tab)
        fresh = _blanks(MARGIN, column, tab)
        layout = self.lexer.compiled.layout
        assert layout is not None
        options = [blanks + word] if blanks is not None else []
        if fresh is not None:
            options.append(self.spelling.texts[layout.newline] + fresh + word)
        return next((text for text in options if not any(self._holds(ending, text) for ending in before)), None)

    def _deeper(self, line: Line, top: Column) -> list[Column]:
        """Return candidates for the column of a new block: the narrowest, that of this line, those of the right text.

        The column of this line comes first.
        """
        tab = self.lexer.tab
        columns = {(top[0] + 1, top[1] + 1), line.width()}
        # A block begun in the middle may have to go on in the right context, at the column of its lines.
        for blanks in set(re.findall(r"^[ \t]+", self.recognizer.seam.text, re.MULTILINE)):
            columns.add(after_blanks(MARGIN, blanks, tab))
        return sorted(
            (column for column in columns if column[0] > top[0] and column[1] > top[1]),
            key=lambda column: (column != line.width(), column),
        )


def _blanks(at: Column, column: Column, tab: int) -> str | None:
    """Return the blanks from one column to another, spaces alone if they suffice; None if no blanks lead there."""
    if column[0] - at[0] == column[1] - at[1] >= 0:
        return " " * (column[1] - at[1])
    return blanks_between(at, column, tab)


def readable_name(spelling: Spelling, terminal: int) -> str:
    """Return a terminal in readable form.

    One that has one text, or is a delimiter, is quoted. Others have the narrowest phrase of the language for them
    without signs and words, such as `number`, or their own name in words.
    """
    compiled = spelling.lexer.compiled
    layout = compiled.layout
    if layout is not None and terminal in (layout.newline, layout.indent, layout.dedent):
        return {
            layout.newline: "the end of the line",
            layout.indent: "an indented block",
            layout.dedent: "the end of the block",
        }[terminal]
    literal = compiled.literals[terminal]
    if literal is None and any(terminal in mode.push or terminal in mode.pop for mode in compiled.modes):
        literal = spelling.texts[terminal]
    if literal is not None:
        return quoted(literal)
    phrases = [
        (len(covered), phrase)
        for phrase, covered in compiled.phrases
        if terminal in covered and not any(compiled.literals[each] for each in covered)
    ]
    if phrases:
        return _ARTICLE.sub("", min(phrases)[1])
    return compiled.productions.names[terminal].replace("_", " ").lower()


def _order(expectation: Expectation) -> tuple[int, str, int]:
    name = expectation.name
    kind = 0 if not name.startswith("`") else 1 if name[1].isalnum() or name[1] == "_" else 2
    return kind, name, expectation.terminal
