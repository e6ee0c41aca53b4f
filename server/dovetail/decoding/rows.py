"""Rows for every proposer: a batch where the proposer has batches, else one generation that writes the rows in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.proposer import BatchProposer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.proposer import Generation, Proposer, Row


class Rows(NamedTuple):
    """The first row after a prompt, from which all others are forked."""

    first: Row
    together: bool
    """True if one pass reads all rows. If not, a change of the row costs a pass over its whole text."""


def begin_rows(proposer: Proposer, prompt: Sequence[int], document: str | None = None) -> Rows:
    """Return the first row of a text after a prompt; `document` means the same as for `Proposer.begin`."""
    if isinstance(proposer, BatchProposer):
        row = proposer.begin_batch(prompt, document)
        if row is not None:
            return Rows(row, together=True)
    return Rows(TakenInTurn(proposer.begin(prompt, document)), together=False)


class TakenInTurn:
    """A row of a proposer without batches: all rows share one generation, which is rewound to the row that asks."""

    def __init__(self, generation: Generation, written: list[int] | None = None, tokens: Sequence[int] = ()) -> None:
        """Make a row; `written` are the tokens that were fed to the generation, one list for all rows."""
        self._generation = generation
        self._written: list[int] = [] if written is None else written
        self._tokens = list(tokens)

    @property
    def known(self) -> bool:
        """True if the proposals for the next token are known without a forward pass: nobody can say, so no."""
        return False

    def fork(self) -> TakenInTurn:
        """Return another row with the same tokens."""
        return TakenInTurn(self._generation, self._written, self._tokens)

    def drop(self) -> None:
        """End the row; nothing is kept for it."""

    def ranked(self, count: int) -> Sequence[tuple[int, float]]:
        """Return the likeliest next tokens."""
        return self._turn().ranked(count)

    def nucleus(self, temperature: float, top_p: float) -> Sequence[tuple[int, float]]:
        """Return the fewest likeliest next tokens that are likely enough together."""
        return self._turn().nucleus(temperature, top_p)

    def scores(self, tokens: Sequence[int]) -> Sequence[float]:
        """Return the natural log-probabilities of some next tokens."""
        return self._turn().scores(tokens)

    def ending(self) -> float:
        """Return the natural log-probability that the text ends here."""
        return self._turn().ending()

    def feed(self, token: int) -> None:
        """Append a token to the row."""
        self._tokens.append(token)

    def rewind(self, count: int) -> None:
        """Remove the last `count` tokens that were fed to the row."""
        del self._tokens[len(self._tokens) - count :]

    def start(self, draft: Sequence[int] = ()) -> None:
        """Begin to read the tokens that were fed, and a draft."""
        self._turn().start(draft)

    def _turn(self) -> Generation:
        """Return the generation with the tokens of this row."""
        written, tokens = self._written, self._tokens
        if written == tokens:
            return self._generation
        common = next(
            (place for place, pair in enumerate(zip(written, tokens, strict=False)) if pair[0] != pair[1]),
            min(len(written), len(tokens)),
        )
        if common < len(written):
            self._generation.rewind(len(written) - common)
            del written[common:]
        for token in tokens[common:]:
            self._generation.feed(token)
            written.append(token)
        return self._generation
