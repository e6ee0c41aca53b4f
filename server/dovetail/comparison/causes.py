"""Causes: kinds of disagreements that come to the same, so that one mistake of a grammar is shown once.

A mistake is found in whole texts and in middles, and the one that refuses words its objection by what comes next. So
kinds differ where the mistake does not. What tells mistakes apart is the smallest text about which engine and parser
still disagree in the same direction, whatever they say of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.comparison.middles import word
from dovetail.comparison.shrinking import shrink

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail import Language
    from dovetail.comparison.disagreement import Disagreement
    from dovetail.comparison.oracle_process import Judge

_OF_WHOLE_TEXTS = frozenset({"text", "middle", "closing"})
"""The checks whose findings may be about a whole text."""

_LETTER = re.compile(r"\b[^\W\d]\b")
_DIGIT = re.compile(r"\b\d\b")


class SharedCause(NamedTuple):
    """Kinds of disagreements that have one cause, as far as their smallest texts tell."""

    finding: Disagreement
    """The shortest finding of them."""
    kinds: list[tuple[str, int]]
    """Each kind with the number of its findings, the most frequent first."""


def group(language: Language, judge: Judge, kinds: Iterable[tuple[str, int, Disagreement]]) -> list[SharedCause]:
    """Return the causes of some kinds: kind, number of findings, and the shortest finding. Their order stays."""
    found: dict[object, SharedCause] = {}
    for kind, count, finding in kinds:
        key = _smallest(language, judge, finding) if finding.check in _OF_WHOLE_TEXTS else kind
        cause = found.get(key)
        if cause is None:
            found[key] = SharedCause(finding, [(kind, count)])
        else:
            cause.kinds.append((kind, count))
            if len(finding.text) < len(cause.finding.text):
                found[key] = cause._replace(finding=finding)
    return list(found.values())


def _smallest(language: Language, judge: Judge, finding: Disagreement) -> tuple[str, str]:
    """Return the engine's verdict and the smallest text of the same disagreement, with all short names alike."""

    def differs(texts: tuple[str, ...]) -> bool:
        (text,) = texts
        accepted, _ = judge.judge([text])[0]
        return (word(language.accepts(text)), word(accepted)) == (finding.engine, finding.parser)

    (text,) = shrink((finding.text,), differs)
    return finding.engine, _DIGIT.sub("0", _LETTER.sub("a", text))
