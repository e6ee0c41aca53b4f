"""The report of a fault: the place where a person looks for the mistake, and the words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dovetail.diagnostics.brace_columns import unclosed_brace
from dovetail.diagnostics.expected_class import expected_classes
from dovetail.diagnostics.expected_words import expected_in
from dovetail.diagnostics.flaw import MIRRORED, Flaw, closer_of, find_flaw
from dovetail.diagnostics.line_places import content_at, line_column, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.shortlist import STATEMENT_END, shortlist, with_article, with_expressions
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.diagnostics.hint import Meant
    from dovetail.quotient.expectations import Expectation
    from dovetail.quotient.machine import Machine

BETWEEN = (":", "=")
"""The signs that stand between keys and values."""
NEVER_CLOSED = "` is never closed"
"""The end of a message about what is open."""
_AWAITED = (["`=`"], ["`:`"])
"""Signs before a value, without which a line is not complete."""
_FEW = 3  # The number up to which a list says more than a guess.
_BRACES = re.compile(r"[{}]")
_LINE_END = re.compile(r"[\n\r]")
_BLANK_LINE = re.compile(r"(?:^|[\n\r])[ \t\f]*\Z")


@dataclass(frozen=True, slots=True)
class Reported:
    """The place and the words with which a fault is reported.

    It is the place of the fault with three exceptions. What is opened and never closed is reported where it was
    opened, though the text fits much further. A comma that is missing at the end of a line is reported there, and what
    is missing at the end of the text on its last line.
    """

    offset: int
    """In characters, from 0."""
    line: int
    """From 1."""
    column: int
    """From 1, in characters."""
    message: str
    header: int = 0
    """The line, from 1, of the header whose block is missing; 0 for all other faults."""
    expected: tuple[str, ...] = ()
    """All that the message means by what is expected; empty where what is wrong says enough."""

    def misfit(self) -> str:
        """Return what is wrong there, without what is expected or meant."""
        if self.message.startswith("expected `"):
            return "the end of the line does not fit here"
        return self.message.split("; ")[0]


def report(
    machine: Machine,
    text: str,
    offset: int,
    misfit: str,
    expected: Sequence[Expectation] | None,
    stack: int,
    *,
    read: bool,
    missing: str,
    whole: bool,
    horizon: int | None,
    between: str | None,
    meant: Meant | None = None,
) -> Reported:
    """Return what is reported of a fault at an offset.

    `misfit`: what is wrong there (`misfit.py`). `expected`: what may stand there; None if what is wrong says enough.
    `stack`: the modes there. `read`: whether the lexeme there was begun, so that its column is right. `missing`: the
    sign or word after which the text might go on there; empty for none. `whole` and `horizon` are as in `find_fault`.
    `between`: the sign at the end of this line with which the next one would fit; None for none. `meant`: what was
    meant there.
    """
    # Where a line end is a lexeme, that of Windows may begin with a blank.
    offset -= offset > 0 and text.startswith("\r\n", offset - 1)
    flaw = find_flaw(machine.lexer, text[:horizon])
    if flaw is not None and horizon is not None and not (flaw.is_open or flaw.is_stray):
        horizon = _behind_lexeme(machine, text, flaw.offset, horizon)
        flaw = find_flaw(machine.lexer, text[:horizon])
    if flaw is not None and flaw.is_open and horizon is not None and horizon < offset:
        # A bracket that is closed on the line of the fault is open only where the text was cut off.
        end = _LINE_END.search(text, offset)
        horizon = len(text) if end is None else end.start()
        flaw = find_flaw(machine.lexer, text[:horizon])
    if horizon is not None and flaw is not None and flaw.is_open and machine.brackets.has_blocks:
        # The bracket of a block that is closed is open only where the text was cut off. Where a closing bracket closes
        # nothing, none is open at all.
        first = find_flaw(machine.lexer, text)
        flaw = flaw if first is not None and (first.opener or not first.is_stray) else None
    if flaw is not None and horizon is not None and not flaw.is_open and _LINE_END.search(text, offset, flaw.offset):
        flaw = None  # With several mistakes in a text, one on a later line does not explain an earlier one.
    if flaw is not None and flaw.offset > offset and _is_like_comment(machine, text, flaw):
        flaw = None  # Behind a fault a slash may divide, or begin what closes an element.
    if flaw is not None and meant is not None and flaw.offset > offset and not (flaw.is_open or flaw.is_stray):
        if expected is None and meant.is_sure and _LINE_END.search(text, offset, flaw.offset):
            flaw = None  # A string on a later line is another mistake.
        elif _is_read_with(machine, text, meant, flaw):
            flaw = None  # Quotes in the text of an element open a string only where no element is read.
    elif flaw is not None and meant is not None and meant.is_sure and flaw.is_stray and flaw.offset > offset:
        # With another word the bracket may close one.
        flaw = None if _is_read_with(machine, text, meant, flaw) else flaw
    if flaw is not None and _is_closed_here(machine, text, flaw, offset):
        flaw = None  # What does not fit lies in the braces, and all behind it is read as something else.
    if flaw is not None and expected is None and _is_of_tags(machine, text, flaw, offset):
        flaw = None  # Behind a sign that is not known, all tags are read as something else.
    # In a language of nothing but values, columns name the brace as well as among blocks.
    is_of_values = machine.compiled.layout is None and not machine.compiled.mistakes.closed_by
    by_columns = machine.brackets.has_blocks or is_of_values
    if flaw is not None and flaw.is_open and by_columns and text[flaw.offset] == "{":
        flaw = replace(flaw, offset=unclosed_brace(machine.lexer, text[:horizon], flaw.offset))
    if flaw is not None and machine.brackets.has_blocks and _is_of_block(text, flaw):
        flaw = Flaw(flaw.opened, f"{quoted(flaw.opener)} is never closed", is_open=True)
    inner = len(text[:offset].rstrip(" \t")) - 1
    if flaw is not None and flaw.is_open and flaw.offset < inner and text[inner] in "([" and text[offset] == ",":
        return reported_at(text, inner, f"{quoted(text[inner])} is never closed")  # As in `f(a.lower(, b)`.
    if flaw is not None and (whole or not flaw.is_open) and _explains(flaw, text, offset, read):
        return reported_at(text, flaw.offset, flaw.message)
    layout = machine.compiled.layout
    header = 0
    if expected is not None and text[offset : offset + 1] == ";":
        # What ends a statement stands inside of a bracket.
        opened = find_flaw(machine.lexer, text[:offset])
        is_open = opened is not None and opened.is_open and text[opened.offset] in ("(", "[")
        if opened is not None and is_open and closer_of(machine.lexer, text, opened.offset) is None:
            return reported_at(text, opened.offset, opened.message)
    if expected is not None and layout is None and text[offset : offset + 1] in ("\r", "\n"):
        # A line end inside a bracket, in a language where it may end a statement there.
        opened = find_flaw(machine.lexer, text[:offset])
        bracket = text[opened.offset] if opened is not None and opened.is_open else ""
        is_cut = opened is not None and _ends_here(text, opened.offset, offset)
        if bracket in MIRRORED and between is not None and not is_cut:
            return reported_at(text, offset, f"expected `{between}` at the end of this line")
        if (
            opened is not None
            and bracket
            and ((is_cut and between is not None) or _lacks_end(machine, text, opened.offset, expected))
        ):
            return reported_at(text, opened.offset, opened.message)
    comment = machine.compiled.comment
    at_comment = bool(comment) and text.startswith(comment or "", offset)
    if expected is None:
        words, names = misfit, list(expected_in(misfit))
    elif missing and (at_comment or text[offset : offset + 1] in ("\r", "\n")):
        where = "before the comment" if at_comment else "at the end of this line"
        words, names = f"expected `{missing}` {where}", [f"`{missing}`"]
    elif layout is not None and [each.terminal for each in expected] == [layout.indent]:
        header = _last_content(text[:offset], machine.compiled.comment)
        words, names = f"expected an indented block below line {header}", ["an indented block"]
    else:
        # Two terminals may have one name: a word, and the same word before others that it makes one lexeme with.
        classes = expected_classes(machine, expected, stack)
        names = with_expressions(list(dict.fromkeys(with_article(each.name) for each in classes)))
        is_likely = missing in BETWEEN or (missing == "," and _is_next_of_list(text, offset, names))
        if missing and len(names) > (1 if is_likely else _FEW):
            words, names = f"{misfit}; perhaps {'' if missing.isalpha() else 'a '}`{missing}` is missing before it", []
        elif names in _AWAITED and layout is None and not text[line_start(text, offset) : offset].strip():
            offset = len(text[:offset].rstrip())
            words = f"expected {names[0]} at the end of this line"
        elif at_comment and names:
            words = f"expected {named_few(machine, text, offset, names)} before the comment"
        else:
            words = f"{misfit}; expected {named_few(machine, text, offset, names)}"
            if not names and machine.compiled.mistakes.whole and _may_begin(machine, text[offset:]):
                words = f"{misfit}; {machine.compiled.mistakes.whole}"
    if offset == len(text):
        offset -= len(text) - len(text.removesuffix("\n").removesuffix("\r"))
    elif missing and text[:offset].strip() and (blank := _BLANK_LINE.search(text, 0, offset)) is not None:
        before = len(text[: blank.start()].rstrip())
        opened = find_flaw(machine.lexer, text[:before]) if missing == "," else None
        if (
            opened is not None
            and opened.is_open
            and text[opened.offset] in ("(" if layout is None else MIRRORED)
            and _ends_here(text, opened.offset, before)
        ):
            return reported_at(text, opened.offset, opened.message)
        return reported_at(text, before, f"expected `{missing}` at the end of this line")
    return Reported(offset, *line_and_column(text, offset), words, header, tuple(names))


def _behind_lexeme(machine: Machine, text: str, offset: int, horizon: int) -> int:
    """Return a horizon as one that does not cut the lexeme at an offset, as a string of several lines."""
    for start, end, terminal, _, _ in lexemes(machine.lexer, text):
        if start >= offset:
            return max(end, horizon) if start == offset and terminal is not None else horizon
    return horizon


def reported_at(text: str, offset: int, message: str) -> Reported:
    """Return a report at an offset of a text, in words that say all."""
    return Reported(offset, *line_and_column(text, offset), message, expected=expected_in(message))


def words_of_lost_line(text: str, looks: str, written: str, closer: int) -> str:
    """Return the message about a lost line above the one reported, whose block or bracket `written` at an offset ends.

    `looks`: what the lost line does, as in "begins a block".
    """
    line, _ = line_and_column(text, closer)
    return f"perhaps a line that {looks} is missing above this one, for `{written}` on line {line} closes nothing"


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    r"""Return line and column of an offset, both from 1; a lone `\r` ends a line too.

    >>> line_and_column("a\r\nb", 3)
    (2, 1)
    """
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _is_of_block(text: str, flaw: Flaw) -> bool:
    """Return whether a flaw is a brace at the beginning of its line that closes no list: a block further to the left.

    The bracket of the list lacks its end then.
    """
    if not flaw.is_stray or flaw.opener not in ("(", "[") or text[flaw.offset] != "}":
        return False
    is_first = not text[line_start(text, flaw.offset) : flaw.offset].strip()
    return is_first and line_column(text, flaw.offset) < line_column(text, flaw.opened)


def _is_of_tags(machine: Machine, text: str, flaw: Flaw, offset: int) -> bool:
    """Return whether a flaw is a brace on the line of an offset that is open only by what tags are read as."""
    is_other = flaw.is_open or flaw.is_stray or text[flaw.offset] != "{" or not machine.compiled.mistakes.elements
    return not is_other and line_start(text, offset) <= flaw.offset < offset


def _is_closed_here(machine: Machine, text: str, flaw: Flaw, offset: int) -> bool:
    """Return whether a flaw is a brace on the line of an offset, in an element, that is closed on this line."""
    if flaw.is_open or flaw.is_stray or text[flaw.offset] != "{" or not machine.compiled.mistakes.elements:
        return False
    depth = 0
    for sign in _BRACES.finditer(text, flaw.offset, line_end(text, flaw.offset)):
        depth += 1 if sign.group() == "{" else -1
        if depth == 0:
            return flaw.offset < offset < sign.start()
    return False


def _is_read_with(machine: Machine, text: str, meant: Meant, flaw: Flaw) -> bool:
    """Return whether a flaw is none in the text with what was meant before it, up to the end of its line."""
    end = line_end(text, flaw.offset)
    made = f"{text[: meant.start]}{meant.text}{text[meant.end : end]}"
    there = find_flaw(machine.lexer, made)
    return there is None or there.is_open


def _is_like_comment(machine: Machine, text: str, flaw: Flaw) -> bool:
    """Return whether what a flaw says is wrong begins with the sign that comments begin with."""
    comment = machine.compiled.comment
    return bool(comment) and text[flaw.offset : flaw.offset + 1] == (comment or " ")[0]


def _explains(flaw: Flaw, text: str, offset: int, read: bool) -> bool:
    """Return whether a fault at an offset is there because of a flaw."""
    if flaw.is_open:
        # An open bracket on the line of the fault explains nothing: what is wrong is right there.
        return re.search(r"[\n\r]", text[flaw.offset : offset]) is not None
    # The first content of a line may be at a wrong column, for which nothing further down is to blame.
    return flaw.offset <= offset or read or not _BLANK_LINE.search(text, 0, offset)


def _ends_here(text: str, opener: int, offset: int) -> bool:
    """Return whether a bracket opens on the line that ends at an offset, and the next line is no deeper than this one.

    A list over several lines is deeper: what is lost is the end of the bracket, and not a comma.
    """
    following = content_at(text, offset)
    is_over = following == len(text) or line_start(text, opener) != line_start(text, offset)
    return not is_over and line_column(text, following) <= line_column(text, opener)


def _is_next_of_list(text: str, offset: int, names: list[str]) -> bool:
    """Return whether a word stands behind another one in parentheses, or braces behind others, which may end there."""
    before = text[:offset].rstrip(" \t")[-1:]
    if not text[offset - 1].isspace():
        return False
    is_name = before.isalnum() and text[offset].isalpha() and "`)`" in names
    return is_name or (before == "}" and text[offset] == "{" and "`}`" in names)


def _lacks_end(machine: Machine, text: str, opened: int, expected: Sequence[Expectation]) -> bool:
    """Return whether the bracket at an offset is that of a list without its end; a brace may be that of a block."""
    closer = closer_of(machine.lexer, text, opened)
    if text[opened] != "{":
        return closer is None
    if closer is None or "}" not in [machine.compiled.literals[each.terminal] for each in expected]:
        return False
    # What closes it was meant for a brace further to the left.
    is_first = not text[line_start(text, closer) : closer].strip()
    return is_first and line_column(text, closer) < line_column(text, opened)


def _may_begin(machine: Machine, text: str) -> bool:
    """Return whether a text begins as a program does, perhaps behind a comma."""
    right = read_right(machine, machine.stacks(), "")
    begun = Configuration((right.stacks.bottom,), machine.lexer.start)
    _, end = machine.lexer.scanners[machine.lexer.modes.scanner_of[machine.lexer.start.stack]].longest(text, 0)
    return fits(right, begun, text[: max(end, 1)]) or text.startswith(",")


def _last_content(text: str, comment: str | None) -> int:
    """Return the number of the last line that is neither blank nor a comment alone."""
    number, _ = line_and_column(text, len(text))
    for line in reversed(re.split(r"\r\n|\r|\n", text)):
        if line.strip() and not (comment and line.lstrip().startswith(comment)):
            break
        number -= 1
    return number


def named_few(machine: Machine, text: str, offset: int, names: list[str]) -> str:
    """Return those of the names of what is expected at an offset that a person would name, as a part of a sentence."""
    if not names:
        return "nothing more"
    ends_line = machine.compiled.layout is not None or STATEMENT_END in names
    if ends_line and machine.compiled.layout is None:
        opened = find_flaw(machine.lexer, text[:offset])
        ends_line = opened is None or not opened.is_open or text[opened.offset] not in ("(", "[")
    few = shortlist(names, machine.compiled.mistakes.rare, ends_line=ends_line)
    return f"{', '.join(few[:-1])} or {few[-1]}" if len(few) > 1 else few[0]
