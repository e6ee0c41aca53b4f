"""A proposer whose tokens and ranks are given: a fake in the place of a model."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

from dovetail.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MARKS = ("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|endoftext|>")


class ScriptedGeneration:
    """A text that follows a script; each place of its order is e times less likely than the one before."""

    def __init__(self, proposer: ScriptedProposer) -> None:
        self._proposer = proposer
        self._fed: list[int] = []

    @property
    def text(self) -> bytes:
        """The bytes of what was fed."""
        return b"".join(self._proposer.vocabulary.pieces[token] or b"" for token in self._fed)

    def ranked(self, count: int) -> list[tuple[int, float]]:
        """Return the first tokens of the script's order."""
        self._proposer.asked.append(count)
        return self._pairs()[:count]

    def nucleus(self, temperature: float, top_p: float) -> list[tuple[int, float]]:
        """Return the first tokens of the script's order that are likely enough together."""
        heats = [(token, score / temperature) for token, score in self._pairs()]
        total = math.log(sum(math.exp(score) for _, score in heats))
        kept, mass = [], 0.0
        for token, score in heats:
            if mass >= top_p:
                break
            kept.append((token, score - total))
            mass += math.exp(score - total)
        return kept

    def scores(self, tokens: Sequence[int]) -> list[float]:
        """Return the scores of some tokens; minus infinity for those that the script leaves out."""
        known = dict(self._pairs())
        return [known.get(token, -math.inf) for token in tokens]

    def ending(self) -> float:
        """Return the score of the token that ends."""
        return self.scores([self._proposer.end])[0] if self._proposer.vocabulary.ends else -math.inf

    def feed(self, token: int) -> None:
        """Append a token."""
        self._fed.append(token)

    def rewind(self, count: int) -> None:
        """Take tokens back."""
        del self._fed[len(self._fed) - count :]

    def start(self, draft: Sequence[int] = ()) -> None:
        """Take note of what is guessed."""
        self._proposer.drafts.append(tuple(draft))

    def _pairs(self) -> list[tuple[int, float]]:
        chance = self._proposer.chances.get(len(self.text), 1.0)
        pairs = [(token, -float(place)) for place, token in enumerate(self._proposer.rank(self.text))]
        if chance < 1:
            rest = math.log(1 - chance)
            pairs = [(token, score + rest if score else math.log(chance)) for token, score in pairs]
        return pairs


class ScriptedProposer:
    """Tokens are all single bytes, then `extra`, then the special tokens, `<|endoftext|>` last and ending."""

    def __init__(
        self,
        extra: Sequence[bytes] = (),
        rank: Callable[[ScriptedProposer, bytes], Sequence[int]] | None = None,
        specials: Sequence[str] = MARKS,
        window: int = 256,
        chances: Mapping[int, float] | None = None,
    ) -> None:
        """Make a proposer; `chances`: bytes of a text → the probability of the first token of the order there."""
        texts = [bytes([value]) for value in range(256)] + list(extra)
        named = {mark: len(texts) + place for place, mark in enumerate(specials)}
        pieces = (*texts, *(None for _ in specials))
        ends = frozenset(named[mark] for mark in specials if mark == "<|endoftext|>")
        self.vocabulary = Vocabulary(pieces, named, ends)
        self.name = "scripted"
        self.numbers = "none"
        self.window = window
        self.asked: list[int] = []
        self.prompts: list[tuple[int, ...]] = []
        self.drafts: list[tuple[int, ...]] = []
        self.forgotten: list[str] = []
        self.chances = chances or {}
        self._rank = rank

    @property
    def end(self) -> int:
        """The token that ends a text."""
        return min(self.vocabulary.ends)

    def token(self, piece: bytes) -> int:
        """Return the token with these bytes."""
        return self.vocabulary.pieces.index(piece)

    def rank(self, text: bytes) -> Sequence[int]:
        """Return all tokens in the script's order after a text."""
        return self._rank(self, text) if self._rank else range(len(self.vocabulary.pieces))

    def encode(self, text: str) -> list[int]:
        """Return the longest tokens from the left."""
        data = text.encode()
        longest = sorted({piece for piece in self.vocabulary.pieces if piece}, key=len, reverse=True)
        tokens: list[int] = []
        while data:
            piece = next(piece for piece in longest if data.startswith(piece))
            tokens.append(self.token(piece))
            data = data[len(piece) :]
        return tokens

    def begin(self, prompt: Sequence[int], document: str | None = None) -> ScriptedGeneration:
        """Return an empty text."""
        self.prompts.append(tuple(prompt))
        return ScriptedGeneration(self)

    def forget(self, document: str) -> None:
        """Take note of it."""
        self.forgotten.append(document)


class ScriptedRow(ScriptedGeneration):
    """A row of a batch: a ranking is known once a pass has read its text."""

    def __init__(self, proposer: BatchedScript, fed: Sequence[int] = (), draft: Sequence[int] = ()) -> None:
        super().__init__(proposer)
        self._batch = proposer
        self._fed = list(fed)
        self._draft = tuple(draft)
        proposer.rows.append(self)

    @property
    def known(self) -> bool:
        """True if a pass has read this text."""
        return self.text in self._batch.read

    def fork(self) -> ScriptedRow:
        """Return another row, and count it."""
        self._batch.forks += 1
        return ScriptedRow(self._batch, self._fed)

    def drop(self) -> None:
        """Take the row out of the passes."""
        self._batch.rows.remove(self)

    def start(self, draft: Sequence[int] = ()) -> None:
        """Take note of what is guessed, for the next pass."""
        super().start(draft)
        self._draft = tuple(draft)

    def _pairs(self) -> list[tuple[int, float]]:
        if not self.known:
            self._batch.read_all()
        return super()._pairs()


class BatchedScript(ScriptedProposer):
    """A scripted proposer with batches."""

    def __init__(
        self,
        extra: Sequence[bytes] = (),
        rank: Callable[[ScriptedProposer, bytes], Sequence[int]] | None = None,
        specials: Sequence[str] = MARKS,
        window: int = 256,
    ) -> None:
        super().__init__(extra, rank, specials, window)
        self.rows: list[ScriptedRow] = []
        """The rows that are not dropped."""
        self.read: set[bytes] = set()
        """The texts whose rankings are known."""
        self.forks = 0
        self.passes: list[int] = []
        """The number of texts that each pass read, drafts included."""

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> ScriptedRow:
        """Return the empty row."""
        self.prompts.append(tuple(prompt))
        self.read.clear()
        return ScriptedRow(self)

    def read_all(self) -> None:
        """Read what is new of all rows."""
        new: set[bytes] = set()
        for row in self.rows:
            text = row.text
            new.add(text)
            for token in row._draft:
                text += self.vocabulary.pieces[token] or b""
                new.add(text)
        self.passes.append(len(new - self.read))
        self.read |= new


def writes(*pieces: bytes, then_ends: bool = True, held: bytes = b"") -> Callable[[ScriptedProposer, bytes], list[int]]:
    """Return the script of a model that wants to write the pieces in turn, and then to end.

    Whatever else it is made to write, it goes on with what follows the pieces written whole. `held`: what it has
    to write before, in tokens as they are encoded.
    """

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        before = [proposer.vocabulary.pieces[token] or b"" for token in proposer.encode(held.decode())]
        wanted: list[int] = []
        written = b""
        for piece in (*before, *pieces):
            if len(written) >= len(text):
                wanted.append(proposer.token(piece))
                break
            written += piece
        if not wanted and then_ends:
            wanted.append(proposer.end)
        rest = range(len(proposer.vocabulary.pieces))
        return wanted + [token for token in rest if token not in wanted]

    return rank


def at_random(seed: int) -> Callable[[ScriptedProposer, bytes], list[int]]:
    """Return the script of a model that knows nothing: a random order after each text, always the same."""

    def rank(proposer: ScriptedProposer, text: bytes) -> list[int]:
        tokens = list(range(len(proposer.vocabulary.pieces)))
        random.Random(f"{seed} {text!r}").shuffle(tokens)
        return tokens

    return rank
