"""Documents as tokens, encoded once and mapped into memory.

To train on a cut of a text its parts have to be encoded as the parts that they are: a word cut in two is two
pieces. All but a few pieces at the cut are those of the whole text, so only what lies between the cut and the
nearest *seam* is encoded again. A seam is a newline after something that is no blank: the tokenizer's pieces
never reach across it.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from dovetail.model.neighbours import NEIGHBOURS, neighbours
from dovetail.model.sources import SourceFile
from dovetail.model.storage import write_bytes, write_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt
    from tokenizers import Tokenizer

_INDEX, _TEXTS, _TOKENS, _STARTS = "documents.json", "texts.txt", "tokens.bin", "starts.bin"
_NEIGHBOURS = "neighbours.bin"
_BATCH = 64
"""Documents that are encoded at once."""


class Dataset:
    """Documents and the tokens of each."""

    def __init__(
        self,
        documents: Sequence[SourceFile],
        tokenizer: Tokenizer,
        tokens: npt.NDArray[np.uint16],
        starts: npt.NDArray[np.uint32],
        lengths: Sequence[int],
        nearest: npt.NDArray[np.int32],
    ) -> None:
        """Hold tokens (all), where each starts in its document's text (all), and how many each document has.

        `nearest`: as `neighbours` returns it.
        """
        assert len(tokens) == len(starts) == sum(lengths)
        self.documents = documents
        self._tokenizer = tokenizer
        self._tokens = tokens
        self._starts = starts
        self.neighbours = nearest
        self._bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)  # (documents + 1)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        tokens: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return tokens

    def left(self, number: int, end: int, most: int) -> list[int]:
        """Return the last tokens, at most so many, of a document's text before a character."""
        seam = _seam_before(self.documents[number].text, end)
        rest = self.encode(self.documents[number].text[seam:end])
        place = self._place(number, seam)
        first = max(int(self._bounds[number]), place - max(0, most - len(rest)))
        found: list[int] = [*self._tokens[first:place].tolist(), *rest]
        return found[max(0, len(found) - most) :]

    def right(self, number: int, start: int, most: int) -> list[int]:
        """Return the first tokens, at most so many, of a document's text from a character on."""
        seam = _seam_after(self.documents[number].text, start)
        rest = self.encode(self.documents[number].text[start:seam])
        place = self._place(number, seam)
        last = min(int(self._bounds[number + 1]), place + max(0, most - len(rest)))
        return [*rest, *self._tokens[place:last].tolist()][:most]

    def _place(self, number: int, character: int) -> int:
        """Return where the token is that starts at a character which some token starts at, or the document's end."""
        first, last = self._bounds[number], self._bounds[number + 1]
        place = int(first + np.searchsorted(self._starts[first:last], character))
        assert place == last or self._starts[place] == character, "no token starts at this seam"
        return place


def encode(
    documents: Sequence[SourceFile], tokenizer: Tokenizer, nearest: npt.NDArray[np.int32] | None = None
) -> Dataset:
    """Return documents with their tokens, held in memory; `nearest` as `neighbours` returns it, if it is known."""
    tokens, starts, lengths = [], [], []
    for some, begins, counts in map(partial(encoded, tokenizer), batches(documents)):
        tokens.append(some)
        starts.append(begins)
        lengths += counts
    if nearest is None:
        nearest = neighbours(documents)
    return Dataset(documents, tokenizer, *together(tokens, starts), lengths, nearest)


def batches(documents: Sequence[SourceFile]) -> Iterator[list[str]]:
    """Yield the texts of documents in groups that are encoded at once."""
    for first in range(0, len(documents), _BATCH):
        yield [document.text for document in documents[first : first + _BATCH]]


def encoded(
    tokenizer: Tokenizer, texts: Sequence[str]
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32], list[int]]:
    """Return the tokens of texts, where each starts in its text, and how many each text has."""
    found = tokenizer.encode_batch(texts, add_special_tokens=False)
    tokens = [np.array(encoding.ids, np.uint16) for encoding in found]
    starts = [np.array([start for start, _ in encoding.offsets], np.uint32) for encoding in found]
    return *together(tokens, starts), [len(encoding.ids) for encoding in found]


def together(
    tokens: Sequence[npt.NDArray[np.uint16]], starts: Sequence[npt.NDArray[np.uint32]]
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32]]:
    """Return tokens and starts of several parts as one, also of none."""
    return np.concatenate([np.zeros(0, np.uint16), *tokens]), np.concatenate([np.zeros(0, np.uint32), *starts])


def save_dataset(dataset: Dataset, folder: Path) -> None:
    """Write a data set; raises `ModelError` if it cannot be written."""
    # Not by `tofile`, which hides the system's error about a full disk.
    write_bytes(folder / _TOKENS, dataset._tokens.astype("<u2").tobytes())
    write_bytes(folder / _STARTS, dataset._starts.astype("<u4").tobytes())
    write_bytes(folder / _NEIGHBOURS, dataset.neighbours.astype("<i4").tobytes())
    write_text(folder / _TEXTS, "".join(document.text for document in dataset.documents))
    lengths = np.diff(dataset._bounds).tolist()
    rows = [
        [document.name, document.package, document.weight, len(document.text), length]
        for document, length in zip(dataset.documents, lengths, strict=True)
    ]
    write_text(folder / _INDEX, json.dumps(rows) + "\n")


def load_dataset(folder: Path, tokenizer: Tokenizer) -> Dataset:
    """Return the data set of a folder with its tokens mapped into memory; raises OSError or ValueError."""
    rows = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
    documents = []
    with (folder / _TEXTS).open(encoding="utf-8", newline="") as file:
        for name, package, weight, characters, _ in rows:
            documents.append(SourceFile(name, package, file.read(characters), weight))
    lengths = [length for *_, length in rows]
    nearest = np.fromfile(folder / _NEIGHBOURS, "<i4").reshape(len(rows), NEIGHBOURS)
    if not any(lengths):  # an empty file cannot be mapped into memory
        return Dataset(documents, tokenizer, np.zeros(0, np.uint16), np.zeros(0, np.uint32), lengths, nearest)
    shape = (sum(lengths),)
    tokens = np.memmap(folder / _TOKENS, "<u2", "r", shape=shape)
    starts = np.memmap(folder / _STARTS, "<u4", "r", shape=shape)
    return Dataset(documents, tokenizer, tokens, starts, lengths, nearest)


def _seam_before(text: str, position: int) -> int:
    """Return the last seam at or before a position, or 0."""
    while (position := text.rfind("\n", 0, position)) > 0:
        if not text[position - 1].isspace():
            return position
    return 0


def _seam_after(text: str, position: int) -> int:
    """Return the first seam at or after a position, or the length of the text."""
    place = position - 1
    while (place := text.find("\n", place + 1)) >= 0:
        if place > 0 and not text[place - 1].isspace():
            return place
    return len(text)
