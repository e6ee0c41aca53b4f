"""Foreign form: a form of other languages, such as `n++`, in the place of that which means the same here."""

from __future__ import annotations

import re
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from dovetail.diagnostics.broken_lexeme import shortened
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant, remedy
from dovetail.diagnostics.line_places import content_at, content_end, line_column, line_end, line_start, rest_of_line
from dovetail.diagnostics.markup.tags import is_in_tag
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.grammar.mistakes import ForeignForm, Mistakes
    from dovetail.quotient.right_side import RightSide

_WORDS = re.compile(r"\b([^\W\d]\w*)\b([ \t]*)")
_SIGNS = re.compile(r"(?:\"[^\"]*\"|'[^']*')|[^\w\s\"'`(){}\[\],;.]+")
"""Strings, which stay as they are, and signs."""
_SHORT = re.compile(r"\w+|[^\w\s\"'`]+")
"""A word or sign, and no string."""
_CALLED = re.compile(r"[\w$]*\Z")
_FOLLOWING = re.compile(r"[\w$.]+|\{\}|\[\]|\"[^\"]*\"|'[^']*'")
_GOES_ON = re.compile(r"[^\w)\]}\"'`]\Z")
_BLANKS = re.compile(r"[ \t]+")
_GROUP = re.compile(r"\\([1-9])")
IS_MISSING = "expected "
"""The beginning of words about something that is missing."""
_MOST_FURTHER = 10
"""The most further forms of a line that are exchanged with the first one."""
_BEFORE = 100
"""The most characters before an offset at which a form may begin."""


def find_foreign_form(
    right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int, lexeme: int
) -> Hint | None:
    """Return the hint for a form around an offset, with which its line fits; None if there is none.

    `read`: the configurations before each character from `base` on. `lexeme`: the offset at which the lexeme begins
    that does not fit. Where the line has the form several times, it may fit only if all are meant otherwise.
    """
    # The line end of Windows may begin with a blank.
    is_line_end = text[offset : offset + 1] in ("\r", "\n")
    offset = max(content_end(text, offset), base)
    before = re.split(r"[\n\r]", text[max(base, offset - _BEFORE) : offset])[-1]
    begins = offset - len(before)
    # The blanks at its end may have been a comment.
    line = (before + rest_of_line(text, offset)).rstrip(" \t")
    # The text may stop fitting inside of a word or sign: `a` in `var a` might have become `and`, and `-` a comment.
    word = lexeme if begins <= lexeme and _SHORT.fullmatch(text, lexeme, offset) else offset
    for form in right.lexer.compiled.mistakes.forms:
        if form.is_braced or form.is_whole or form.is_block:
            continue
        pattern = re.compile(form.pattern)
        for found in _matches(right, read[begins - base :], pattern, line, offset - begins):
            start, end = begins + found.start(), begins + found.end()
            if end < word or not found.group().strip() or not is_where(form, found, text):
                continue
            if not line[: found.start()].strip() and _is_below_opener(right, text, start):
                continue  # It may be a statement.
            if _closes_deeper(right, text, start):
                continue  # The end of the inner block is lost.
            if is_in_tag(right, read[start - base]) != form.in_tag:
                continue  # In a tag, what is left of another form might be an attribute.
            if form.needs and not fits(right, read[start - base], form.needs):
                continue
            # Where it is the line end that does not fit, it has to.
            line_end = "\n" if end == offset and is_line_end else ""
            cut = up_to_foreign(right.lexer.compiled.mistakes, text, end)
            at = read[start - base]
            for meant in meanings_of(right.lexer.compiled.mistakes, form, found):
                further = _further(right, at, form, meant, line, found.end())
                rests = ((more, stop, line[stop:]) for more, stop in chain([("", found.end())], further))
                for more, stop, rest in chain(rests, [("", found.end(), cut)]):
                    if fits(right, at, meant + more + rest + line_end):
                        whole = _with_neighbours(line[: found.start()], meant + more, rest) if more else meant
                        place = start + place_in(form, found.group(), meant)
                        changed = Meant(start, begins + stop, meant + more, is_sure=True)
                        return Hint(place, told(form, found, whole), changed)
    return None


def _closes_deeper(right: RightSide, text: str, offset: int) -> bool:
    """Return whether a bracket at an offset begins its line and closes one of a line that is deeper."""
    if text[offset] not in OPENERS or content_at(text, line_start(text, offset)) != offset:
        return False
    opened = brackets_of(right.lexer, text[:offset]).opened
    return bool(opened) and line_column(text, opened[-1][0]) > line_column(text, offset)


def _is_below_opener(right: RightSide, text: str, offset: int) -> bool:
    """Return whether a line stands below one whose bracket is never closed, where columns make blocks.

    It is no deeper than that one, or fits in its block once the line ends as a header.
    """
    lexer = right.lexer
    flaw = None if lexer.compiled.layout is None else find_flaw(lexer, text[:offset])
    if flaw is None or not flaw.is_open or closer_of(lexer, text, flaw.offset) is not None:
        return False
    if line_column(text, content_at(text, offset)) <= line_column(text, flaw.offset):
        return True
    start, end = line_start(text, flaw.offset), line_end(text, flaw.offset)
    closers = "".join(MIRRORED[sign] for place, sign in brackets_of(lexer, text[:end]).opened[::-1] if place >= start)
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    block = text[end : line_end(text, offset)]
    # Nothing is no index.
    return at is not None and any(fits(right, at, f"{value}{closers}:{block}\n") for value in ("", "0"))


def _further(
    right: RightSide, at: Configuration, form: ForeignForm, meant: str, line: str, begin: int
) -> Iterator[tuple[str, int]]:
    """Yield a line from an offset on with the next forms of one kind exchanged, one of them, two and so on.

    Each comes as the text up to the end of the last of them and as the offset of that end. `at`: the configuration
    before `meant`, which stands before the offset. Of one kind are the forms of which the same is said.
    """
    forms = [form, *(each for each in right.lexer.compiled.mistakes.forms if _is_alike(form, each))]
    made, stop = "", begin
    for _ in range(_MOST_FURTHER):
        found = [(each, next_found) for each in forms if (next_found := re.compile(each.pattern).search(line, begin))]
        if not found:
            return
        each, first = min(found, key=lambda pair: pair[1].start())
        before = made + line[stop : first.start()]
        there = at.read(right.lexer, right.stacks, meant + before)
        if there is None:
            return
        begin = max(first.end(), first.start() + 1)
        if may_begin(right, there) and (not each.needs or fits(right, there, each.needs)):
            made, stop = before + first.expand(each.write), first.end()
            yield made, stop


def _is_alike(form: ForeignForm, other: ForeignForm) -> bool:
    """Return whether the same words are said of two forms of a line, and nothing else than the line decides on them."""
    is_plain = not (other.where or other.is_braced or other.is_whole or other.is_block)
    return other is not form and other.words == form.words != "" and other.in_tag == form.in_tag and is_plain


def _with_neighbours(before: str, written: str, after: str) -> str:
    """Return a text with what belongs to it of the text before and behind it.

    That is all from the parenthesis on that it closes, with the name of what is called, and the word behind a sign.

    >>> _with_neighbours("function f(x, ", "y)", " {"), _with_neighbours("[", "*a, *", "b]")
    ('f(x, y)', '*a, *b')
    """
    depth = written.count(")") - written.count("(")
    opener = len(before)
    while depth > 0 and opener > 0:
        opener -= 1
        depth += (before[opener] == ")") - (before[opener] == "(")
    called = _CALLED.search(before, 0, opener) if depth == 0 and opener < len(before) else None
    following = _FOLLOWING.match(after) if _GOES_ON.search(written) else None
    begun = "" if called is None else before[called.start() :]
    return begun + written + ("" if following is None else following.group())


def meanings_of(mistakes: Mistakes, form: ForeignForm, found: re.Match[str]) -> list[str]:
    """Return what a form may mean: as it is written, and with this language's signs for words such as `not` in it.

    And with what means the same here in the place of signs, as in Lua's `if x != 1 {`.
    """
    meant = found.expand(form.write)
    signs = {word: sign for word, sign in mistakes.meant.items() if word.isalpha() and sign and not sign[0].isalpha()}
    own = _WORDS.sub(lambda word: signs.get(word[1], word[1]) + ("" if signs.get(word[1]) == "!" else word[2]), meant)
    return list(dict.fromkeys((meant, own, _SIGNS.sub(lambda sign: _own_sign(mistakes, sign), own))))


def _own_sign(mistakes: Mistakes, sign: re.Match[str]) -> str:
    """Return what means the same in this language as a sign of another one; a word for it comes with blanks."""
    own = mistakes.meant.get(sign.group(), sign.group())
    if not own[:1].isalpha():
        return own
    before, after = sign.string[: sign.start()], sign.string[sign.end() :]
    return f"{' ' if before[-1:].isalnum() else ''}{own}{'' if after[:1].isspace() else ' '}"


def place_in(form: ForeignForm, found: str, meant: str) -> int:
    """Return where a form that was found is reported, as an offset in it: where something is missing, if words say so.

    Else it is reported where it begins.
    """
    added = len(meant) - len(found)
    if form.words.startswith(IS_MISSING) and added > 0:
        pairs = enumerate(zip(found, meant, strict=False))
        begun = next((at for at, (one, other) in pairs if one != other), len(found))
        if found[begun:] == meant[begun + added :]:
            return begun
    return len(found) - len(found.lstrip())


def told(form: ForeignForm, found: re.Match[str], meant: str) -> str:
    """Return the message about a form that was found, and what it means."""
    if form.is_complete:
        return form.words
    whole = found.group().strip()
    if form.words and not meant.strip():
        return f"{form.words}; leave out {quoted(shortened(whole))}"
    if not form.words and not form.or_write:
        whole, meant = _without_common_end(whole, meant.strip())
    written = quoted(shortened(whole))
    other = f" or {quoted(found.expand(form.or_write).strip())}" if form.or_write else ""
    return f"{form.words or f'{written} does not fit here'}; {remedy(meant)}{other}"


def _without_common_end(written: str, meant: str) -> tuple[str, str]:
    """Return two texts without the words and signs at the end of both, if the first is shown whole only so."""
    if shortened(written) == written:
        return written, meant
    pairs = zip(reversed(written), reversed(meant), strict=False)
    count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    blank = _BLANKS.search(written, len(written) - count)
    if blank is None:
        return written, meant
    first, other = written[: blank.start()], meant[: len(meant) - len(written) + blank.start()]
    # Of a word that is only put in, what stands behind it shows where.
    is_shown = shortened(first) == first and not other.startswith(first)
    is_whole = all(first.count(opener) == first.count(closer) for opener, closer in MIRRORED.items())
    return (first, other) if first and other and is_shown and is_whole else (written, meant)


def is_where(form: ForeignForm, found: re.Match[str], text: str) -> bool:
    """Return whether a text has what it has to have beside a form that was found."""
    if not form.where:
        return True
    wanted = _GROUP.sub(lambda group: re.escape(found[int(group[1])] or ""), form.where)
    return re.search(wanted, text) is not None


def _matches(
    right: RightSide, read: Sequence[Configuration], pattern: re.Pattern[str], line: str, most: int
) -> Iterator[re.Match[str]]:
    """Yield the matches in a line that begin at most at an offset, and not inside of a lexeme.

    `read`: the configurations before each character of the line.
    """
    found = pattern.search(line)
    while found is not None and found.start() <= most:
        # `//` in a string is no comment, and one may follow behind the string.
        if is_beginning := may_begin(right, read[found.start()]):
            yield found
        found = pattern.search(line, max(found.end(), found.start() + 1) if is_beginning else found.start() + 1)


def may_begin(right: RightSide, at: Configuration) -> bool:
    """Return whether a form may begin at a configuration, which is not inside of a lexeme.

    Behind a word, blanks may be read as those of a longer lexeme of several words.
    """
    is_blank = at.lexer.accepted >= 0 and at.lexer.rest.isspace()
    return right.expecting.may_end(at) or is_blank or (at.lexer.rest != "" and is_in_tag(right, at))


def up_to_foreign(mistakes: Mistakes, text: str, offset: int) -> str:
    """Return the rest of a line, up to the next word, sign or form of another language: that is another mistake."""
    begin = line_start(text, offset)
    line = text[begin:offset] + rest_of_line(text, offset)
    patterns = [rf"\b{word}\b" if word.isalpha() else re.escape(word) for word in mistakes.meant]
    patterns += [form.pattern for form in mistakes.forms]
    # A form that begins a line begins none behind the offset.
    found = (re.compile(pattern).search(line, offset - begin) for pattern in patterns)
    return line[offset - begin : min((each.start() for each in found if each is not None), default=None)]
