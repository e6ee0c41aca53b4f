"""The deviations that `grammars/README.md` lists, recognised in texts about which engine and interpreter disagree.

Each is as narrow as can be told from outside: a version, a form that the text must hold, and, where another version
reads that form as the engine does, that version's own word for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tests.oracles.interpreters import Interpreter, find_interpreter

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Deviation:
    """One entry of the list."""

    name: str
    versions: tuple[str, ...]
    form: re.Pattern[str]
    witnesses: tuple[str, ...] = ()
    """Versions of which one must agree with the engine; none if there is none that could."""

    def explains(self, version: str, text: str, verdict: bool) -> bool:
        """Return whether a verdict of the engine that an interpreter of a version does not share comes from this."""
        if version not in self.versions or not self.form.search(text):
            return False
        known = [witness for number in self.witnesses if (witness := interpreter(number)) is not None]
        return not self.witnesses or any(witness.parses([text]) == [verdict] for witness in known)


DEVIATIONS: Sequence[Deviation] = (
    Deviation(
        "a backslash at the start of a line, 3.8 and 3.9",
        ("3.8", "3.9"),
        re.compile(r"(?:\A|[\r\n])[ \t\f]*\\(?:\r\n?|\n)"),
        ("3.10", "3.11", "3.12", "3.13"),
    ),
    Deviation(
        "a line end in the format specification of a single-quoted string, first releases of 3.12 and 3.13",
        ("3.12", "3.13"),
        re.compile(r"""(?i)\b(?:f|fr|rf)(['"])(?!\1\1)[^\n]*\{[^\n]*:[^\n]*\n"""),
    ),
    Deviation(
        "escapes in raw format specifications and in text shown by `=`, first releases of 3.12 and 3.13",
        ("3.12", "3.13"),
        re.compile(r"""(?i)\b(?:f|fr|rf)['"][^\n]*\{[^\n]*[:=][^\n]*\\[xuUN]"""),
    ),
    Deviation(
        "`=` in a field of a format specification, first releases of 3.12 and 3.13",
        ("3.12", "3.13"),
        re.compile(r"""(?i)\b(?:f|fr|rf)['"][^\n]*:[^\n]*\{[^\n]*=\s*\}"""),
    ),
    Deviation(
        "triple quotes two levels inside an f-string, before 3.12",
        ("3.8", "3.9", "3.10", "3.11"),
        re.compile(r"""(?is)\b(?:f|fr|rf)(\"""|''').*\{.*\b(?:f|fr|rf)['"]"""),
        ("3.12", "3.13"),
    ),
    Deviation(
        "an annotated part of a target in parentheses, 3.9 and later",
        ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14"),
        re.compile(r"^[ \t]*\(.*\)\s*[.\[(].*:", re.MULTILINE),
        ("3.8",),
    ),
    Deviation(
        "a feature of `__future__` that does not exist, 3.14 and later",
        ("3.14",),
        re.compile(r"\bfrom\s+__future__\s+import\b"),
        ("3.13",),
    ),
)


@cache
def interpreter(version: str) -> Interpreter | None:
    """Return a running interpreter of a version, or None if there is none on this machine."""
    path = find_interpreter(version)
    return Interpreter(path) if path else None


def explained(version: str, text: str, verdict: bool) -> str | None:
    """Return the name of the deviation that explains a verdict of the engine, or None if it is a plain disagreement."""
    return next((one.name for one in DEVIATIONS if one.explains(version, text, verdict)), None)
