"""Faults that a newer version of the language does not have."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.commands.dialect import load_newest
from dovetail.diagnostics.expected_words import expected_in
from dovetail.grammar.library import facts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.diagnostics.fault import Fault
    from dovetail.grammar.mistakes import Mistakes

_LINE_END = re.compile(r"[\r\n]")


def name_newer_version(name: str, target: str | None, text: str, faults: list[Fault]) -> list[Fault]:
    """Return the faults of a text; if a newer version than the target reads beyond the first, that one names it.

    The faults after it are those of that version then: what follows from a form that the target lacks is none. Of the
    others that the target has, those are named that lie in a form which that version reads, or one before it.
    """
    facts = facts_of(name)
    # Other versions, as those of JSON with comments, are kinds, none of which is newer.
    known = [version for version in facts.versions if version[:1].isdigit()]
    if target not in known or not faults:
        return faults
    newer = known[known.index(target) + 1 :]
    first = faults[0]
    # The newest comes first: nearly all faults are there too, and no other version need be loaded then.
    if not newer or _reads_less(load_newest(name, newer[-1]).errors(text), first):
        return faults
    for version in newer:
        language = load_newest(name, version)
        others = language.errors(text)
        if not _reads_less(others, first):
            if others and others[0].reported.offset == first.reported.offset:
                return others  # The form is wrong there, too, and that version says why.
            words = f"{facts.title} {version}"
            mistakes = language.machine.compiled.mistakes
            form = _form(mistakes, version, text, first)
            misfit = first.reported.misfit()
            words = f"{misfit}; this fits from {words} on" if form is None else f"{form} {words}"
            named = replace(first, reported=replace(first.reported, message=words, expected=expected_in(words)))
            later = name_newer_version(name, version, text, others)
            forms = _in_newer_forms(facts.title, mistakes, newer[: newer.index(version) + 1], text, faults[1:])
            lines = {each.reported.line for each in (named, *later)}
            later += [each for each in forms if each.reported.line not in lines]
            return [named, *sorted(later, key=lambda each: each.reported.offset)]
    return faults


def _in_newer_forms(
    title: str, mistakes: Mistakes, newer: Sequence[str], text: str, faults: Sequence[Fault]
) -> list[Fault]:
    """Return the faults that lie in forms which some versions brought, with words that name the version."""
    found: list[Fault] = []
    for fault in faults:
        forms = ((version, _form(mistakes, version, text, fault)) for version in newer)
        brought = next(((version, form) for version, form in forms if form is not None), None)
        if brought is not None:
            words = f"{brought[1]} {title} {brought[0]}"
            at = replace(fault.reported, message=words, expected=expected_in(words))
            found.append(replace(fault, reported=at))
    return found


def _form(mistakes: Mistakes, version: str, text: str, fault: Fault) -> str | None:
    """Return the words for the form that a version brought and that lies at a fault; None for one without words."""
    start = fault.offset - fault.column + 1
    end = _LINE_END.search(text, fault.offset)
    line = text[start : len(text) if end is None else end.start()]
    for form in mistakes.newer:
        if form.version == version and any(
            found.start() < fault.column <= found.end() + 1 for found in re.finditer(form.pattern, line)
        ):
            return form.words
    return None


def _reads_less(faults: list[Fault], first: Fault) -> bool:
    """Return whether some faults begin where another one lies, or before it."""
    return bool(faults) and faults[0].offset <= first.offset
