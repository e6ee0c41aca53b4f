"""Faults that a newer version of the language does not have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.commands.dialect import load_newest
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from dovetail.engine.fault import Fault


def name_newer_version(name: str, target: str | None, text: str, faults: list[Fault]) -> list[Fault]:
    """Return the faults of a text; if a newer version than the target reads beyond the first, that one names it.

    The faults after it are those of that version then: what follows from a form that the target lacks is none.
    """
    facts = languages()[name]
    # Other versions, as those of JSON with comments, are kinds, none of which is newer.
    known = [version for version in facts.versions if version[:1].isdigit()]
    if target not in known:
        return faults
    newer = known[known.index(target) + 1 :]
    first = faults[0]
    # The newest comes first: nearly all faults are there too, and no other version need be loaded then.
    if not newer or _reads_less(load_newest(name, newer[-1]).errors(text), first):
        return faults
    for version in newer:
        others = load_newest(name, version).errors(text)
        if not _reads_less(others, first):
            words = f"{first.reported.message.split('; ')[0]}; this fits from {facts.title} {version} on"
            return [replace(first, reported=replace(first.reported, message=words)), *others]
    return faults


def _reads_less(faults: list[Fault], first: Fault) -> bool:
    """Return whether some faults begin where another one lies, or before it."""
    return bool(faults) and faults[0].offset <= first.offset
