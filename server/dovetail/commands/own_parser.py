"""A language's own parser and compiler, where they are at hand: `dovetail check` asks them before the engine and after.

Before it, since they say yes five times as fast. After it, since a compiler refuses some of what its parser accepts, as
`return` outside of functions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.fault import Fault
from dovetail.diagnostics.reported import reported_at
from dovetail.grammar.library import facts_of
from dovetail.grammar.oracle import late_error, verdict

if TYPE_CHECKING:
    from dovetail.grammar.facts import Oracle

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")


def is_accepted(name: str, target: str | None, text: str, *, cell: bool = False) -> bool:
    """Return whether the language's own parser accepts a text, and its compiler; False where they are not at hand.

    False too where they have doubts. For a no the engine is asked, with which they agree: it knows more.
    """
    oracle = facts_of(name).oracle
    if oracle is None or not has_parser(name, target):
        return False
    if oracle.compiler is None:
        return verdict(oracle, text)[0] is True
    is_doubtful = oracle.undecided is not None and re.search(oracle.undecided, text) is not None
    return not is_doubtful and late_error(oracle, text, cell=cell) is None


def has_parser(name: str, target: str | None) -> bool:
    """Return whether the language's own parser is asked first about texts of a version, and the engine only after it.

    Without a target the parser's own version will do: what runs here is not refused.
    """
    facts = facts_of(name)
    if facts.oracle is None:
        return False
    return not facts.versions or (facts.default_target is not None and target in (None, facts.default_target))


def find_late_fault(name: str, text: str, *, cell: bool = False) -> list[Fault]:
    """Return what the language's compiler refuses in a text that engine and parser accept; empty for nothing.

    The compiler is that of the running version, and asked about texts of every version: in these errors versions hardly
    differ (asynchronous comprehensions in others, since 3.11).
    """
    oracle = facts_of(name).oracle
    if oracle is None or oracle.compiler is None:
        return []
    error = late_error(oracle, text, cell=cell)
    if not isinstance(error, SyntaxError) or _is_limit(oracle, error) or not verdict(oracle, text)[0]:
        return []
    offset = _offset(text, error)
    reported = reported_at(text, offset, re.sub(r"'([^']*)'", r"`\1`", error.msg))
    return [Fault(offset, reported.line, reported.column, text[offset : offset + 1], (), (), "", reported)]


def _is_limit(oracle: Oracle, error: SyntaxError) -> bool:
    return any(words in str(error) for words in oracle.limits)


def _offset(text: str, error: SyntaxError) -> int:
    """Return the place of a compiler's error, whose columns count bytes of UTF-8 from 1, in characters of the text."""
    lines = [match for match in _LINE.finditer(text) if match[0]]
    if error.lineno is None or not 1 <= error.lineno <= len(lines):
        return 0
    line = lines[error.lineno - 1]
    before = line[0].encode("utf-8", "surrogatepass")[: max((error.offset or 1) - 1, 0)]
    return min(line.start() + len(before.decode("utf-8", "ignore")), max(line.start(), line.end() - 1))
