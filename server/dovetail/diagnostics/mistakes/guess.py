"""Guess: a keyword or sign in the place of another, or brackets that are missing, with which the line fits.

A misspelt keyword is read as a name, so the text stops fitting one word later: after `whlie` at `True`. A guess is
made only if the rest of the line fits with it.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.diagnostics.flaw import closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant, remedy
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.mistakes.comma_for_semicolon import for_comma
from dovetail.diagnostics.mistakes.foreign_form import up_to_foreign
from dovetail.diagnostics.mistakes.lost_assignment import is_in_value
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.quotient.right_side import RightSide

_WORD = re.compile(r"[^\W\d]\w*")
_SIGN = re.compile(r"[^\w\s]+")
_BEFORE = re.compile(r"(?<!\w)([^\W\d]\w*)[ \t]+\Z")
_BEFORE_COLON = re.compile(r"(?<![\w.])([^\W\d]\w*):\Z")
_NAMED = ":="
_CALLED = re.compile(r"=[ \t]*(?:await[ \t]+)?[^\W\d][\w.]*\(")
_BEFORE_LINE_END = re.compile(r"(?<!\w)([^\W\d]\w*)[ \t]*[\r\n]\s*\Z")
_BEFORE_BRACKETS = re.compile(r"(?<![\w.])([^\W\d]\w*)[ \t]*\((?:[^()\n\r]|\([^()\n\r]*\))*\)[ \t]*\Z")
_HEADER_BEGUN = re.compile(r"(?<![\w.])([^\W\d]\w*)[ \t]*\((?:[^()\n\r]|\([^()\n\r]*\))*\Z")
_HEADER = re.compile(r"(?:\A|(?<=[\n\r]))[ \t]*([^\W\d]\w*)[ \t]*:[ \t]*\Z")
_QUOTED = re.compile(r"`([^\W\d]\w*)`")
_HALVES = re.compile(r"([^\W\d]\w*)[ \t]+([^\W\d]\w*)")
_FIRST_WORD = re.compile(r"(?:\A|(?<=[\n\r]))[ \t]*([^\W\d]\w*)[ \t]+\Z")
_FIRST_OF_TWO = re.compile(r"[ \t]*([^\W\d]\w*)[ \t]+(?=[^\W\d])")
_TWO_WORDS = re.compile(r"(?<!\w)([^\W\d]\w*)[ \t]+([^\W\d][\w.]*)[ \t]*\Z")
_ASSIGNED_BEFORE = re.compile(r"[ \t]*(?:\w+[ \t]+)?[\w.\[\]]+[ \t]*=(?!=)[^=()\"']*\Z")
"""The beginning of a line that assigns already, so that another sign of its kind compares nothing."""
_ASSIGNED = re.compile(r"[\w.]+[ \t]*=(?!=)")
_MEMBER = re.compile(r"(?<=[\w)\]])->(?=[^\W\d]|#)")
_CLOSING = " \t)]}"
_AFTER_COMMA = frozenset((")", "]", "}"))
_BETWEEN = frozenset((",", ";"))
_NEXT_LINE = re.compile(r"[^\n\r]*\s*[^\n\r]*")
_BREAK = re.compile(r"[\n\r]")
_CALL = re.compile(r"\w+[ \t]*\(")
_VALUE = "x"
_TEXTS = re.compile(r"\"[^\"]*\"|'[^']*'")
_SIDE_BY_SIDE = re.compile(r"\w[ \t]+\w")
_VALUE_ALONE = re.compile(r"(?:[^=,;{}()\"']|==|\((?:[^()]|\([^()]*\))*\)|\"[^\"]*\"|'[^']*')+(?<=[)\]\w\"'])")
"""A value alone, without another assignment."""
_ALIKE = 0.75  # The least likeness of two words, from 0 to 1.
_OF_TWO = 2  # The letters of a word that has lost one of them.
_LONGER = 2  # The most letters by which two words that are alike differ in length.


class Guess(NamedTuple):
    """A word or sign, and what is meant by it perhaps."""

    written: str
    meant: Meant
    is_foreign: bool = False
    """True for a word or sign of another language."""

    def __str__(self) -> str:
        if self.is_foreign:
            return remedy(self.meant.text)
        return f"perhaps `{self.written}` should be `{self.meant.text}`"


def guess(right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int) -> Guess | None:
    """Return a guess for the lexeme at an offset of a text, which does not fit, or for the word before it.

    `read`: the configurations before each character from `base` on. None if nothing alike makes the line fit.
    """
    mistakes = right.lexer.compiled.mistakes
    places: list[tuple[int, str]] = []
    known = _known(right)
    before = _BEFORE.search(text, base, offset)
    if found := _WORD.match(text, offset) or _SIGN.match(text, offset):
        places.append((offset, found.group()))
    is_value_lost = before is not None and before[1] in known and _lacks_value(right, read, text, base, offset)
    if before is not None and not is_value_lost:
        places.append((before.start(), before[1]))
        if found is not None and found.group().isalpha() and {before[1], found.group()} <= known:
            # Two keywords where the language has one, such as `else if` for `elif`. Behind `while` and before `do` only
            # the condition is lost.
            if not fits(right, read[offset - base], f"{_VALUE} {rest_of_line(text, offset)}"):
                places.append((before.start(), text[before.start() : found.end()]))
        elif found is not None and f"{before[1]}{found.group()}" in known:
            # One keyword that is cut in two, such as `con tinue`.
            places.append((before.start(), text[before.start() : found.end()]))
    if (halves := _HALVES.match(text, offset)) and halves[1] + halves[2] in known:
        places.append((offset, halves.group()))
    if colon := _BEFORE_COLON.search(text, base, offset + 1):
        # A misspelt word before its colon, within a line: `key=lamda: 1`.
        places.append((colon.start(), colon[1]))
    if called := _BEFORE_BRACKETS.search(text, base, offset):
        # A misspelt word before parentheses is read as a call: `swtich (x) {`.
        places.append((called.start(), called[1]))
    if header := _HEADER_BEGUN.search(text, base, offset):
        # A misspelt word before a header of several parts: `foor (i = 0; i < n; i++) {`.
        places.append((header.start(), header[1]))
    if above := _BEFORE_LINE_END.search(text, base, offset):
        # A name may be fine at the end of its line: `endif` above a line that it was meant to end.
        places += [(above.start(), above[1])] if above[1] in mistakes.meant else []
    first = _FIRST_OF_TWO.match(text, max(base, line_start(text, offset)), offset)
    if first and first[1] not in (*known, *mistakes.meant):
        # The words behind it may fit a while: `retrun not x` is read up to `not`, as `retrun not in x`.
        places.append((first.start(1), first[1]))
    unfinished: Guess | None = None
    for start, written in [*_foreign(right, text, base, offset), *places]:
        if (known_here := mistakes.meant.get(written)) is not None:
            if _MEMBER.match(text, start) and fits(right, read[start - base], f".{rest_of_line(text, start + 2)}"):
                known_here = "."
            # Blanks keep a word apart from its neighbours: `!x` is `not x`.
            after = rest_of_line(text, start + len(written))
            if known_here.isalpha() and _SIGN.fullmatch(written) and not after.strip():
                continue
            meant = f" {known_here} " if known_here.isalpha() and not written.isalpha() else known_here
            # What stands before the offset fits, whatever it would be elsewhere.
            cut = max(start + len(written), offset)
            ahead = up_to_foreign(mistakes, text, cut)
            if start + len(written) < offset and not ahead and after.strip():
                continue  # What stands before the offset fits as it is written, too.
            rest = text[start + len(written) : cut] + ahead
            if above is not None and start == above.start() and found is not None:
                rest = f"{text[start + len(written) : found.end()]} "  # The end of the line alone would often fit.
            if fits(right, read[start - base], meant + rest):
                return Guess(written, Meant(start, start + len(written), meant, is_sure=True), is_foreign=True)
            continue
        likely = alike(known - {written}, written)
        if written == "=" and _NAMED in known and _CALLED.match(text, start):
            likely.insert(0, _NAMED)  # `while line = file.readline():` of other languages.
        for meant in likely:
            at, rest = read[start - base], rest_of_line(text, start + len(written))
            if _SIGN.fullmatch(written) and not rest.strip():
                continue  # Of a sign, what follows would have to be known.
            if written == "=" and _is_assigned_before(text, start, known):
                continue
            if written in known and _fits_in_list(right, text, start):
                break  # The word is right, and its bracket another one.
            # Without the blank a word at the end of the line could go on as a name.
            if fits(right, at, f"{meant}{rest} "):
                if start == offset and not written.isidentifier() and _is_closed_before(right, at, text, start):
                    break  # the sign is right, and a bracket before it lacks its end
                made = Guess(written, Meant(start, start + len(written), meant))
                if start == offset and not rest.strip() and not fits(right, at, f"{meant}\n"):
                    unfinished = unfinished or made  # a statement whose end is lost: `retrun is` for `retrun isa`
                    continue
                return made
    if unfinished is not None:
        return unfinished
    # A single letter is much like too many words, but before brackets few of them fit: `i (x) {`.
    if called and len(called[1]) == 1:
        for meant in sorted(word for word in known if word.isalpha() and len(word) == _OF_TWO and called[1] in word):
            if fits(right, read[called.start() - base], meant + rest_of_line(text, called.end(1))):
                return Guess(called[1], Meant(called.start(), called.end(1), meant))
    return None


def _lacks_value(right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int) -> bool:
    """Return whether the rest of the line fits behind a value at an offset, so that the word before it may be right.

    `read` and `base` are as in `guess`.
    """
    return fits(right, read[offset - base], f"{_VALUE} {rest_of_line(text, offset)}\n")


def _is_closed_before(right: RightSide, at: Configuration, text: str, offset: int) -> bool:
    """Return whether the line fits with a closing bracket before an offset."""
    return any(fits(right, at, f"{closer} {rest_of_line(text, offset)}") for closer in _AFTER_COMMA)


def _fits_in_list(right: RightSide, text: str, offset: int) -> bool:
    """Return whether a word fits in a list like the bracket around it, behind the value there: `x[[a] for a in b]`."""
    opened = find_flaw(right.lexer, text[:offset])
    if opened is None or not opened.is_open or text[opened.offset] != "[" or not text[offset].isalpha():
        return False
    closer = closer_of(right.lexer, text, opened.offset)
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    return closer is not None and fits(right, begun, f"[{_VALUE} {text[offset : closer + 1]}\n")


def _is_assigned_before(text: str, offset: int, known: set[str]) -> bool:
    """Return whether the line of an offset assigns before it, to no condition; `known` are the keywords."""
    before = text[line_start(text, offset) : offset]
    if not before.strip(_CLOSING):
        return True  # Behind the end of a call in several lines.
    _, _, value = before.partition("=")
    return _ASSIGNED_BEFORE.match(before) is not None and known.isdisjoint(_WORD.findall(value))


def guess_header(right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int) -> Hint | None:
    """Return the hint for a misspelt word before the colon that ends a line at an offset, as in `esle:`; else None.

    `read`: the configurations before each character from `base` on.
    """
    found = _HEADER.search(text, base, offset)
    if found is None:
        return None
    start, written = found.start(1), found[1]
    for meant in alike(_known(right) - {written}, written):
        if fits(right, read[start - base], f"{meant}{text[found.end(1) : offset]}\n"):
            word = Meant(start, found.end(1), meant)
            return Hint(start, f"`{written}` does not fit here; perhaps it should be `{meant}`", word)
    return None


def _known(right: RightSide) -> set[str]:
    """Return the keywords and signs of the language; some that several share one terminal, only its phrases name."""
    named = [word for phrase, _ in right.lexer.compiled.phrases for word in _QUOTED.findall(phrase)]
    return {*named, *(literal for literal in right.lexer.compiled.literals if literal is not None)}


def _foreign(right: RightSide, text: str, base: int, offset: int) -> list[tuple[int, str]]:
    """Return the places of signs of other languages of which a part stands at an offset, the longest sign first."""
    signs = sorted((sign for sign in right.lexer.compiled.mistakes.meant if not sign.isalpha()), key=len, reverse=True)
    return [
        (start, sign)
        for sign in signs
        for start in range(offset, max(base, offset - len(sign) + 1) - 1, -1)
        if text.startswith(sign, start)
    ]


def surplus_comma(right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int) -> Hint | None:
    """Return the hint for a comma before the sign or line end at an offset, which fits without it; None otherwise.

    `read`: the configurations before each character from `base` on. Of two commas, or semicolons, the second is too
    many.
    """
    comma = len(text[:offset].rstrip()) - 1
    sign = text[offset : offset + 1]
    if comma >= base and sign in _BETWEEN and text[comma] == sign:
        if not fits(right, read[offset - base], rest_of_line(text, offset + 1)):
            return None
        words = f"`{sign}` does not fit after `{sign}`; leave it out"
        return Hint(offset, words, Meant(offset, offset + 1, " ", is_sure=True))
    if comma < base or text[comma] != ",":
        return None
    comment = right.lexer.compiled.comment
    is_above = _BREAK.search(text, comma, offset) is not None
    is_here = not is_above and (sign in "\r\n" or text.startswith(comment or "\n", offset))
    is_at_end = is_here or (is_above and sign.isalpha())
    if not is_at_end and sign not in _AFTER_COMMA:
        return None
    if is_here:
        # A next line that is deeper goes on with the list.
        following = _NEXT_LINE.match(text, offset)
        rest = following.group() if following is not None else ""
    else:
        rest = text[comma + 1 : offset] + rest_of_line(text, offset)
    if not fits(right, read[comma - base], rest):
        return None
    if not sign and not right.recognizer.accepting(read[comma - base]):
        return None  # At the end of the text, a bracket that is open says more.
    place = "at the end of this line" if is_at_end else f"before `{sign}`"
    meant = for_comma(right, read[comma - base], text, rest)
    return Hint(comma, f"`,` does not fit {place}; {remedy(meant)}", Meant(comma, comma + 1, meant, is_sure=True))


def guess_brackets(right: RightSide, at: Configuration, text: str, offset: int) -> str | None:
    """Return words for the brackets that are missing around the arguments of a statement that may be a call.

    As for `print x` and `raise E, x`, which were statements of an older language. `at`: the configuration at the
    offset, where the arguments, or the comma before them, do not fit. None if the line does not fit with brackets.
    """
    rest = rest_of_line(text, offset)
    comment = right.lexer.compiled.comment
    arguments = (rest.partition(f" {comment}")[0] if comment else rest).strip()
    if arguments.startswith(","):
        found = _TWO_WORDS.search(text, 0, offset)
        if found is None or found[1] not in right.lexer.compiled.literals:
            return None
        arguments, called = arguments[1:].strip(), found[2]
    else:
        found = _FIRST_WORD.search(text, 0, offset)
        if found is None or found[1] in right.lexer.compiled.literals:
            return None
        called = found[1]
    opened = find_flaw(right.lexer, text[:offset])
    if opened is not None and opened.is_open and text[opened.offset] in ("(", "["):
        return None  # No statement begins in a list.
    if is_in_value(right, text, line_start(text, offset)):
        return None
    # What is assigned is no argument: `kind name = value` is a declaration of another language.
    if not arguments or _ASSIGNED.match(arguments) or not fits(right, at, f"({arguments})\n"):
        return None
    is_statement = not _CALL.match(arguments) or called in right.lexer.compiled.mistakes.statements
    if not is_statement and not re.search(rf"(?<!\w){called}[ \t]*\(", text):
        return None  # A name that nothing calls: the dot of a method is as likely.
    return f"perhaps `{called}(...)`"


def unassignable(right: RightSide, text: str, offset: int) -> str | None:
    """Return words for what stands before the sign at an offset that would assign to it; None for anything else.

    It is a keyword, or a statement of one value, which nobody would compare there.
    """
    if text[offset : offset + 2].strip() != "=":
        return None
    literals = right.lexer.compiled.literals
    found = _FIRST_WORD.search(text, 0, offset)
    if found is not None and found[1] in literals:
        return f"`{found[1]}` cannot be assigned to"
    target = text[line_start(text, offset) : offset].strip()
    opened = find_flaw(right.lexer, text[:offset])
    is_value = _VALUE_ALONE.fullmatch(target) is not None and not _SIDE_BY_SIDE.search(target)
    is_value = is_value and not any(word in literals for word in _WORD.findall(_TEXTS.sub("", target)))
    is_open = opened is not None and opened.is_open and not (right.counts_blocks and text[opened.offset] == "{")
    if not is_value or is_open:
        return None
    return f"{quoted(shortened(target))} cannot be assigned to"


def alike(known: set[str], written: str) -> list[str]:
    """Return the keywords or signs that are spelt much like a text, the likest first."""
    if not written[0].isalpha():
        half = written[: len(written) // 2]
        return [sign for sign in (2 * written, half if written == 2 * half else "") if sign in known]
    joined = "".join(written.split())
    likeness = {
        word: 1.0 if sorted(word) == sorted(joined) else SequenceMatcher(None, joined, word).ratio()
        for word in known
        if word.isalpha() and abs(len(word) - len(joined)) <= _LONGER
    }
    return sorted((word for word in likeness if likeness[word] >= _ALIKE), key=lambda word: (-likeness[word], word))
