"""`dovetail explain`: the lexemes that may come at one place of a file, and the reasons."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from dovetail.commands.dialect import TARGET_HELP, load_newest
from dovetail.commands.excerpt import excerpt, visible
from dovetail.commands.newer import name_newer_version
from dovetail.commands.place import Place, add_place, place_of
from dovetail.commands.targets import target_at
from dovetail.decoding.completion import Stop
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.grammar.library import reading_of
from dovetail.grammar.soft_keywords import names_too
from dovetail.quotient.boundary import find_boundary
from dovetail.quotient.omission import lines_of, what_is_missing
from dovetail.quotient.quoted import without_variants

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Sequence

    from dovetail import Quotient
    from dovetail.diagnostics.fault import Fault
    from dovetail.grammar.compiled import Compiled
    from dovetail.quotient.boundary import Boundary, CrossingLexeme
    from dovetail.quotient.expectations import Expectation

_VERSION = 1
"""The version of the JSON form: one more whenever a field goes or means something else."""

_LONGEST = 40
"""The characters of a text that are quoted."""

_MANY_WORDS = 8
"""Keywords that may stand for a name up to which they are listed."""

_OUTCOMES = {
    "none": "No word, number or text is open at the cursor.",
    "ends": "What is begun at the cursor ({pending}) ends there if nothing is inserted.",
    "goes on": "What is begun at the cursor ({pending}) goes on into the right text if nothing is inserted.",
    "falls back": "What is begun at the cursor ({pending}) comes to nothing in the right text, "
    "so what it was before counts.",
}


EPILOG = """\
examples:
  dovetail explain src/orders.py:12:5
  dovetail explain src/orders.py:12:5 --target 3.9
  cat orders.py | dovetail explain - --stdin-filename orders.py:12:5 --json

exit codes:
  0  something fits at the place
  1  nothing fits there
  2  the command is wrong, or the file cannot be read
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    add_place(parser)
    parser.add_argument("--target", metavar="[LANGUAGE=]VERSION", help=TARGET_HELP)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Explain and print; return 0 if something fits at the place, 1 if nothing does.

    Raises CommandError for a wrong place and an unknown language, GrammarError for an unknown target.
    """
    place = place_of(arguments)
    task = target_at(place.path, arguments.target, place.text)
    name = reading_of(task.language, place.text)
    language = load_newest(name, task.target)
    whole = language.quotient(place.left, place.right, ends_headers=True)
    boundary = find_boundary(whole)
    # As `dovetail complete` does: a text that comments the rest of the line out is none that a person wants.
    quotient = whole.keeping_rest_of_line
    fault = None
    if not quotient.viable or any(span.start < place.offset for span in quotient.ignored):
        found = language.error_before(place.text, place.offset)
        # In the words of `dovetail check`.
        named = name_newer_version(name, task.target, place.text, [] if found is None else [found])
        fault = next(iter(named), None)
    hints = [
        other
        for other in _wrong_words(place, language.errors(place.text))
        if fault is None or other.reported.offset != fault.reported.offset
    ]
    if arguments.json:
        told = {**_plain(place, quotient, boundary, fault), "hints": [_place_and_words(hint) for hint in hints]}
        sys.stdout.write(json.dumps({**told, "reading": task.reading if task.origin else ""}) + "\n")
    else:
        console = Console(highlight=False, markup=False)
        for line in _lines(place, quotient, boundary, fault, is_line_wrong=whole.viable and not quotient.viable):
            console.print(line, soft_wrap=True)
        for hint in hints:
            console.print(Text(f"The cursor's line as it stands: {visible(str(hint))}.", "yellow"), soft_wrap=True)
        if task.origin:
            console.print(task.reading, soft_wrap=True)
    return 0 if quotient.viable else 1


def _wrong_words(place: Place, faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults on the cursor's line for which another word or sign is meant: people ask why nothing fits."""
    begin, end = line_start(place.text, place.offset), line_end(place.text, place.offset)
    meant = [(fault, fault.meant) for fault in faults if fault.meant is not None]
    return [fault for fault, word in meant if begin <= word.start < word.end <= end]


def _lines(
    place: Place, quotient: Quotient, boundary: Boundary, fault: Fault | None, *, is_line_wrong: bool
) -> list[Text]:
    lines = [Text(str(place.path), "bold"), excerpt(place.text, place.offset, "bold green"), Text()]
    if is_line_wrong:
        lines.append(Text(f"Nothing fits here: {Stop.WRONG_LINE.value}.", "red"))
    elif not quotient.viable:
        lines += _refusal(place, fault)
    else:
        lines += _answer(place, quotient)
        lines += _expected(quotient.expectations(), quotient.machine.compiled, boundary.pending)
        lines += _left_out(place, quotient, fault)
    if not is_line_wrong and (fault is None or quotient.viable):
        lines += _seam(place, boundary)
    return lines


def _answer(place: Place, quotient: Quotient) -> list[Text]:
    state = quotient.start
    it = "What is kept of the file" if any(not span.unread for span in quotient.ignored) else "It"
    if state.accepting:
        return [Text(f"{it} is a program as it is; nothing need be inserted.", "green")]
    closing = quotient.closing(place.text[: place.offset])
    if closing is None:
        return [Text("Something fits here, but no closing was found.", "yellow")]
    return [
        Text.assemble(f"{it} is no program yet; the shortest text that makes it one: ", (_quoted(closing), "green"))
    ]


def _left_out(place: Place, quotient: Quotient, fault: Fault | None) -> list[Text]:
    """Return a line for each part of the file that was left out, or where something was read that is missing."""
    lines = []
    for span in quotient.ignored:
        text = place.text[span.start : span.end]
        first, last = lines_of(place.text, span.start, span.end)
        where = f"line {first}" if first == last else f"lines {first} to {last}"
        instead = _quoted(span.instead.strip())
        if not text:
            says = what_is_missing(place.text, span.start, instead)
        else:
            read = f", read as {instead}" if span.instead else ""
            reason = "it does not fit" if first == last else "not all of it fits"
            says = f"Left out, because {reason}: {where}, {_quoted(text.strip())}{read}."
        lines.append(Text(says, "yellow"))
    if fault is not None:
        lines.append(
            Text(f"The text before the cursor is not the beginning of a program: {visible(str(fault))}.", "yellow")
        )
    return lines


def _refusal(place: Place, fault: Fault | None) -> list[Text]:
    lines = [Text("Nothing fits here: no text makes a program of what stands before and after.", "red")]
    if fault is None:
        lines.append(Text("What stands before is the beginning of a program; what stands after does not go with it."))
    else:
        lines.append(Text(f"The text before the cursor is not the beginning of a program: {visible(str(fault))}."))
        lines.append(excerpt(place.text, fault.reported.offset, "bold red"))
    return lines


def _expected(expectations: tuple[Expectation, ...], compiled: Compiled, pending: Collection[str] = ()) -> list[Text]:
    """Return the lexemes that may come: a line with an example for each kind, one for all words, one for all signs.

    The example of a kind that is `pending`, begun before the cursor, is the rest of what is begun.
    Many keywords that a rule takes for names too are a number beside the name: nobody would find the others in a wall.
    """
    lines = [Text("What may come next:")]
    names = names_too(compiled, {expectation.terminal for expectation in expectations})
    names = {name: words for name, words in names.items() if len(words) > _MANY_WORDS}
    hidden = set[int]().union(*names.values())
    expectations = tuple(each for each in expectations if each.terminal not in hidden)
    also = {each.name: len(names[each.terminal]) for each in expectations if each.terminal in names}
    # Several terminals may have one name, as the kinds of numbers do: the shortest example shows it.
    examples: dict[str, str] = {}
    for expectation in expectations:
        if not _is_literal(expectation.name):
            known = examples.setdefault(expectation.name, expectation.text)
            examples[expectation.name] = min(known, expectation.text, key=len)
    literal = without_variants(each.name.strip("`") for each in expectations if _is_literal(each.name))
    width = max(map(len, examples), default=0)
    for name, text in examples.items():
        goes_on = name in pending and not text[:1].isspace()
        such = "may go on with" if goes_on else "such as"
        example = f"{such} {_quoted(text)}" if text else "as the right text goes on"
        keywords = f"; {also[name]} keywords are names here too" if name in also else ""
        lines.append(Text.assemble(f"  {name:{width}}  ", (f"{example}{keywords}", "dim")))
    words = [text for text in literal if text.isidentifier()]
    signs = [text for text in literal if not text.isidentifier()]
    lines += [Text(f"  {'  '.join(group)}") for group in (words, signs) if group]
    return lines


def _seam(place: Place, boundary: Boundary) -> list[Text]:
    lines = [Text(_OUTCOMES[boundary.outcome].format(pending=" or ".join(boundary.pending)))]
    shown = [lexeme for lexeme in boundary.crossing if lexeme.fits or lexeme.in_progress]
    if shown:
        lines.append(Text("Words, numbers, texts or signs that may lie across the cursor:"))
    for lexeme in shown:
        kind = "the one that is begun" if lexeme.in_progress else "a new one"
        fits = "fits" if lexeme.fits else "does not fit"
        taken = _quoted(place.right[: lexeme.characters_after_cursor])
        style = "" if lexeme.fits else "dim"
        lines.append(Text(f"  {lexeme.name}: {kind} with {taken} of the right text; {fits}", style))
    return lines


def _is_literal(name: str) -> bool:
    """Return whether a name is one text in backticks, and not several, as "`&&` or `||`" is."""
    return name.startswith("`") and name.endswith("`") and name.count("`") == 2


def _quoted(text: str) -> str:
    """Return a text as Python writes it, shortened if it is long."""
    return visible(repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"))


def _plain(place: Place, quotient: Quotient, boundary: Boundary, fault: Fault | None) -> dict[str, object]:
    """Return what is known of a place, but for the hints, as JSON takes it."""
    expectations = quotient.expectations() if quotient.viable else ()
    return {
        "version": _VERSION,
        "file": str(place.path),
        "offset": place.offset,
        "language": quotient.machine.name,
        "viable": quotient.viable,
        "accepting": quotient.start.accepting,
        "closing": quotient.closing(place.text[: place.offset]),
        "expected": [{"name": expectation.name, "text": expectation.text} for expectation in expectations],
        "ignored": [span._asdict() for span in quotient.ignored],
        "fault": None if fault is None else {**dataclasses.asdict(fault), "message": fault.reported.message},
        "seam": {
            "pending": list(boundary.pending),
            "outcome": boundary.outcome,
            "joints": [_crossing(place, lexeme) for lexeme in boundary.crossing],
        },
    }


def _place_and_words(fault: Fault) -> dict[str, object]:
    """Return a hint as JSON takes it, in the fields that `dovetail check --json` has for a fault."""
    at = fault.reported
    return {"offset": at.offset, "line": at.line, "column": at.column, "message": at.message}


def _crossing(place: Place, lexeme: CrossingLexeme) -> dict[str, object]:
    return {
        "name": lexeme.name,
        "taken": place.right[: lexeme.characters_after_cursor],
        "in_progress": lexeme.in_progress,
        "fits": lexeme.fits,
    }
