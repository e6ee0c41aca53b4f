"""KnownText: a model that knows texts by heart, and serves as an engine over HTTP for editors.

It writes on where the longest end of the text before the cursor stands in one of its texts, up to the end of that
text: far beyond the place at which a completion has to end. So whatever ends a completion in time is Dovetail.

`python -m tests.end_to_end.known_text FILE…` serves it on a free port and prints its address.
"""

from __future__ import annotations

import math
import re
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tests.decoding.scripted_proposer import ScriptedGeneration, ScriptedProposer
from tests.engine_double import engine

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPED = Path(__file__).parent / "typed"
"""The programs that are typed in the editors."""

_PIECE = re.compile(r"\n[ \t]*|[ \t]?\w+|[ \t]")
_BLANKS = b" \t\r\n"
_SURE = 0.9995
"""The probability of the next token of a known text."""


class KnownText(ScriptedProposer):
    """Tokens are all bytes, words and beginnings of lines of the texts, and those that mark the parts of a prompt."""

    def __init__(self, texts: Sequence[str]) -> None:
        extra = {piece.encode() for text in texts for piece in _PIECE.findall(text)}
        super().__init__(sorted(piece for piece in extra if len(piece) > 1), window=4096)
        self.texts = [text.encode() for text in texts]
        self._squeezed = [squeezed(text) for text in self.texts]

    def begin(self, prompt: Sequence[int], document: str | None = None) -> KnownGeneration:
        """Return the text that continues a prompt."""
        return KnownGeneration(self, self._left(prompt))

    def rank(self, text: bytes) -> list[int]:
        """Return the tokens that go on with a known text, the longest first, then its end, then all others."""
        following = self._following(text)
        pieces = [(len(piece), token) for token, piece in enumerate(self.vocabulary.pieces) if piece]
        wanted = [token for length, token in sorted(pieces, reverse=True)
                  if following[:length] == self.vocabulary.pieces[token]]  # fmt: skip
        wanted.append(self.end)
        return wanted + [token for token in range(len(self.vocabulary.pieces)) if token not in wanted]

    def _left(self, prompt: Sequence[int]) -> bytes:
        """Return the text before the cursor: what follows the marks of the prefix and of the middle."""
        specials, pieces = self.vocabulary.specials, self.vocabulary.pieces
        found: dict[int, bytes] = {}
        part = specials["<|fim_prefix|>"]
        for token in prompt:
            if pieces[token] is None:
                part = token
            found[part] = found.get(part, b"") + (pieces[token] or b"")
        return found.get(specials["<|fim_prefix|>"], b"") + found.get(specials["<|fim_middle|>"], b"")

    def _following(self, text: bytes) -> bytes:
        """Return how the known text goes on that has the longest end of a text, blanks and line ends apart."""
        ending, after = squeezed(text), b""
        low, high = 0, len(ending)
        while low < high:  # an end that is known has ends that are known
            length = (low + high + 1) // 2
            end = ending[len(ending) - length :]
            holder = next((number for number, known in enumerate(self._squeezed) if end in known), None)
            if holder is None:
                high = length - 1
            else:
                low = length
                after = self._after(holder, self._squeezed[holder].index(end) + length)
        return without_blanks_of(text, after)

    def _after(self, number: int, place: int) -> bytes:
        """Return what follows the character that ends a part of a squeezed text."""
        known = self.texts[number]
        return known[[at for at, byte in enumerate(known) if byte not in _BLANKS][place - 1] + 1 :]


def squeezed(text: bytes) -> bytes:
    """Return a text without blanks and line ends."""
    return bytes(byte for byte in text if byte not in _BLANKS)


def without_blanks_of(text: bytes, after: bytes) -> bytes:
    r"""Return what follows a text, without those of its first blanks and line ends that the text ends with.

    >>> without_blanks_of(b"f {\n    ", b"\n\tx\n}"), without_blanks_of(b"f { ", b"\n\tx\n}")
    (b'x\n}', b'\n\tx\n}')
    """
    own = text[len(text.rstrip(_BLANKS)) :]
    blanks = after[: len(after) - len(after.lstrip(_BLANKS))]
    if blanks.startswith(own):
        return after[len(own) :]
    return after[len(blanks) :] if own.count(b"\n") >= blanks.count(b"\n") else after


class KnownGeneration(ScriptedGeneration):
    """One text of such a model."""

    def __init__(self, proposer: KnownText, left: bytes) -> None:
        super().__init__(proposer)
        self._left = left

    @property
    def text(self) -> bytes:
        """The bytes of the prompt's left text and of what was fed."""
        return self._left + super().text

    def _pairs(self) -> list[tuple[int, float]]:
        # The first token is sure; each of the others is half as likely as the one before.
        order = self._proposer.rank(self.text)
        rest = [math.log(1 - _SURE) - place * math.log(2) for place in range(1, len(order))]
        return list(zip(order, [math.log(_SURE), *rest], strict=True))


def main(names: Sequence[str]) -> int:
    """Serve the texts of some files until the process is ended."""
    with engine(KnownText([Path(name).read_text(encoding="utf-8") for name in names]), "llamacpp") as served:
        sys.stdout.write(f"listening on {served.url}\n")
        sys.stdout.flush()
        threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
