"""Cases of the stop rules: a file each, with a cursor, what a model would write, and what is to be shown.

    left‸right
    ---- model
    piece | piece | <end>
    ---- shown: why it stopped
    text

Pieces are written as Python writes bytes, without the quotes. The model goes on with its pieces whatever it is made to
write instead; `<end>` is the end that it wants. A piece that ends with ` @20%` has that probability, all others have 1.
`shape: line` and the like before the first line stand for settings.
An empty last part, or none, means that nothing is shown.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "cases"

_CASE = re.compile(r"((?:\w+: [\w.]+\n)*)(.*)\n---- model\n(.*)\n---- shown: (\w+)\n(.*)\Z", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """One place, one model, one outcome."""

    left: str
    right: str
    pieces: tuple[bytes, ...]
    chances: dict[int, float]
    """Bytes of the pieces before a piece → its probability, where that is not 1."""
    ends: bool
    stop: str
    text: str | None
    settings: dict[str, str]


def read_case(path: Path) -> Case:
    """Read a case; raises ValueError for a file that is none."""
    match = _CASE.fullmatch(path.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{path}: no case")
    settings, place, script, stop, text = match.groups()
    left, cursor, right = place.partition("‸")
    if not cursor:
        raise ValueError(f"{path}: no cursor")
    written = [piece for line in script.split("\n") for piece in line.split(" | ")]
    ends = written[-1] == "<end>"
    pieces: list[bytes] = []
    chances: dict[int, float] = {}
    for piece in written[:-1] if ends else written:
        bare, _, chance = piece.partition(" @")
        if chance:
            chances[len(b"".join(pieces))] = int(chance.removesuffix("%")) / 100
        pieces.append(ast.literal_eval(f"'{bare}'").encode())
    chosen = dict(re.findall(r"(\w+): ([\w.]+)\n", settings))
    return Case(left, right, tuple(pieces), chances, ends, stop, text.removesuffix("\n") or None, chosen)
