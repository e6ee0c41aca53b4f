"""Deviations: disagreements that the author of a grammar knows and has listed, told by text and message."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.comparison.disagreement import Disagreement


@dataclass(frozen=True, slots=True)
class ListedDeviation:
    """One entry of a list: what is left out means any."""

    name: str
    text: str = ""
    """A regular expression that the whole text holds."""
    message: str = ""
    """One that the objection of the refusing side holds."""
    engine: str = ""
    """The engine's answer: `accepts`, `refuses`, that it reports a mistake, or that a text is viable and has no
    closing."""

    def explains(self, finding: Disagreement) -> bool:
        """Return whether a finding comes from this."""
        return (
            finding.check in {"text", "middle", "closing", "report"}
            and self.engine in ("", finding.engine)
            and re.search(self.message, finding.message) is not None
            and re.search(self.text, finding.text) is not None
        )


def read_deviations(path: Path) -> list[ListedDeviation]:
    """Return the entries `[[deviations]]` of a TOML file; raise GrammarError for a file of another form."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("deviations", [])
        found = [ListedDeviation(**entry) for entry in entries]
        for deviation in found:
            re.compile(deviation.text)
            re.compile(deviation.message)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TypeError, AttributeError, re.error) as error:
        raise GrammarError(f"{path}: the list of deviations cannot be read: {error}.") from None
    return found
