"""Broken lexeme: text that begins like a lexeme and is none, in words.

A string without its end, a number with a wrong digit, an escape that does not exist: the scanner stops inside of the
lexeme. The message names the part that is wrong, not the whole lexeme.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer

_WORD = re.compile(r"[\w.]*")
_LONG = 30  # The number of characters of a text that a message shows.


@dataclass(frozen=True, slots=True)
class BrokenLexeme:
    """The wrong part of a lexeme."""

    offset: int
    """In characters, from 0."""
    message: str
    is_open: bool = False
    """True if its end is missing, and nothing else."""
    opener: str = ""
    """Of one whose end is missing, the text that opens it."""


def find_broken_lexeme(lexer: Lexer, stack: int, text: str, offset: int) -> BrokenLexeme | None:
    r"""Return what is wrong with the lexeme that begins at an offset, in the modes of `stack`.

    None if none begins there, if one ends there, or if only signs and keywords begin like this: to these the parser's
    own message does justice.

    >>> from dovetail import load_language
    >>> lexer = load_language("json").machine.lexer
    >>> find_broken_lexeme(lexer, lexer.start.stack, '"a\\x"', 0)
    BrokenLexeme(offset=2, message='`\\x` cannot stand in a string', is_open=False, opener='')
    """
    errors = lexer.compiled.errors
    scanner = lexer.scanners[lexer.modes.scanner_of[stack]]
    delimited = scanner.delimited(errors)
    state, at = START, offset
    entered = resting = -1  # offsets: where the inside of a delimited lexeme begins, and where its last escape may
    entered_as: frozenset[int] = frozenset()  # what it may become with a blank there
    while at < len(text):
        target = scanner.steps[state][text[at]]
        if target < 0 or scanner.becomes(target) <= errors:
            break
        state = target
        at += 1
        after_blank = scanner.steps[state][" "]
        if entered >= 0 and entered_as.isdisjoint(scanner.becomes(state)):
            entered = -1  # The sign of a comment may begin with that of another lexeme.
        # Numbers may have an unfinished part of any length, too, but a blank ends them.
        if entered < 0 and delimited[state] and after_blank >= 0 and delimited[after_blank]:
            entered, entered_as = at, scanner.becomes(after_blank)
            resting = at
        elif after_blank == state:
            resting = at
        elif scanner.accepts[state] >= 0 and scanner.accepts[state] not in errors:
            entered = -1  # Two quotes are a string before the third one opens another.
    # What signs and keywords begin with is never wrong by itself.
    meant = {each for each in scanner.becomes(state) - errors if lexer.compiled.literals[each] is None}
    is_whole = scanner.accepts[state] >= 0 and scanner.longest(text, offset)[0] not in errors
    if state == START or is_whole or not meant:
        return None
    # Of `while :` the word alone: with the sign it is there to be refused.
    begun = text[offset:at]
    word, end = scanner.longest(begun, 0)
    if word >= 0 and word not in errors and begun[:end].isalpha() and not begun[end:].strip():
        return None  # A whole word, and blanks: what would make another lexeme of it is for the parser to expect.
    if entered < 0:
        # Of a comment, only one that is never closed is wrong.
        meant -= {each for mode in lexer.modes.entries[stack][0] for each in lexer.compiled.modes[mode].ignored}
        if (line_end := scanner.steps[START]["\n"]) >= 0:
            meant -= scanner.becomes(line_end)  # Comments may stand before a line end, in one lexeme with it.
        if not meant:
            return None
        rest = _WORD.match(text, at)
        assert rest is not None, "the pattern matches the empty text"
        whole = text[offset:at] + rest.group()
        if whole.isidentifier():
            return None  # A word where no name may stand: it only begins like a lexeme of a word and a sign.
        kind = kind_of(lexer, meant)
        words = f"`{shortened(whole)}` {f'is not {kind}' if kind else 'does not fit here'}"
        octal = f"0o{whole.lstrip('0')}"
        # As old languages write octal numbers, where this one has another form for them.
        if whole.isdigit() and scanner.longest(octal, 0)[1] == len(octal):
            words += f"; perhaps `{octal}`"
        return BrokenLexeme(offset, words)
    opener = text[offset:entered]
    if at == len(text):
        return BrokenLexeme(offset, f"{quoted(opener)} is never closed", is_open=True, opener=opener)
    if text[at] in "\r\n":
        return BrokenLexeme(offset, f"`{opener}` is not closed on this line", is_open=True, opener=opener)
    wrong = text[resting : at + 1]
    named = f"`{shortened(wrong)}`" if wrong.isprintable() else f"the character U+{ord(wrong[-1]):04X}"
    kind = kind_of(lexer, meant)
    return BrokenLexeme(resting, f"{named} {f'cannot stand in {kind}' if kind else 'does not fit here'}")


def shortened(text: str) -> str:
    """Return a text for a message: its first line, and of a long one the beginning.

    A long line may have the blanks of a comment, which say nothing.
    """
    line = re.split(r"[\n\r]", text, maxsplit=1)[0]
    short = line if len(line) <= _LONG else re.sub("  +", " ", line)
    return short if len(short) <= _LONG and line == text else f"{short[:_LONG]}…"


def kind_of(lexer: Lexer, terminals: set[int]) -> str | None:
    """Return words for what a lexeme might have become: the narrowest phrase of the language, or a terminal's name.

    None where the name is one for the grammar alone, of several words.
    """
    compiled = lexer.compiled
    phrases = [
        (len(covered), phrase)
        for phrase, covered in compiled.phrases
        # A phrase for signs and words besides, such as "a value", says too little.
        if terminals.issubset(covered) and not any(compiled.literals[each] for each in covered)
    ]
    if phrases:
        return min(phrases)[1]
    name = compiled.productions.names[min(terminals)].lower()
    return None if "_" in name else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
