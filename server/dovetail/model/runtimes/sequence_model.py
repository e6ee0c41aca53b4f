"""A model that runs in this process, as a proposer of tokens.

Each text has a sequence of the context's memory, so that a token is read once. There are few sequences: the text that
was used longest ago gives its own up, and reads again what it had read if it is asked once more.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np

from dovetail.model.encoding import PlainEncoder
from dovetail.model.runtimes.sequence_generation import SequenceGeneration
from dovetail.model.runtimes.sequence_rows import SequenceBatch, SequenceRow
from dovetail.model.sequence_context import MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from dovetail.decoding.formats import PromptForm
    from dovetail.model.sequence_context import SequenceContext
    from dovetail.vocabulary.vocabulary import Vocabulary

DOCUMENTS = 4
"""Documents of which keys and values are kept."""

_FEWEST_ROWS = 3
"""Sequences without which texts are written in turn: two texts at least, beside one of another document."""


class SequenceModel:
    """A language model that proposes tokens, one text at a time."""

    def __init__(
        self,
        name: str,
        numbers: str,
        context: SequenceContext,
        encode: Callable[[str], list[int]],
        vocabulary: Vocabulary,
        window: int,
    ) -> None:
        self.name = name
        self.numbers = numbers
        self.vocabulary = vocabulary
        self.window = window
        self.encode = PlainEncoder(encode, vocabulary)
        self.form: PromptForm | None = None
        """The form in which it is asked; None for the likeliest by its special tokens."""
        self.context = context
        self.ends = np.array(sorted(vocabulary.ends), dtype=np.intp)
        meant = set(vocabulary.specials.values()) | vocabulary.ends
        self._left_out = np.array(
            [token for token, piece in enumerate(vocabulary.pieces) if piece is None and token not in meant],
            dtype=np.intp,
        )
        self._last: OrderedDict[str, SequenceGeneration] = OrderedDict()
        self._owners: OrderedDict[int, weakref.ref[SequenceGeneration] | None]
        self._owners = OrderedDict.fromkeys(range(context.sequences))
        """Sequence → the text that it holds, the one used longest ago first."""

    def begin(self, prompt: Sequence[int], document: str | None = None) -> SequenceGeneration:
        """Return the text that continues a prompt.

        `document`: what was read for the last prompt of the same document is taken over, as far as it is the same.
        """
        if document is None:
            return SequenceGeneration(self, prompt)
        generation = SequenceGeneration(self, prompt, self._last.pop(document, None))
        self._last[document] = generation
        if len(self._last) > DOCUMENTS:
            self._last.popitem(last=False)
        return generation

    def forget(self, document: str) -> None:
        """Let go of what was read for a document."""
        self._last.pop(document, None)

    def claim(self, generation: SequenceGeneration) -> int:
        """Return the sequence of a text; one that has none gets one that no text uses, or the one used longest ago."""
        if generation.sequence is None:
            sequence = next((place for place, owner in self._owners.items() if owner is None or owner() is None), None)
            if sequence is None:
                sequence = next(iter(self._owners))
                owner = self._owners[sequence]
                before = owner() if owner is not None else None
                assert before is not None, "a sequence without a text would have been found above"
                before.give_up()
            self.context.take_back(sequence, 0)
            generation.sequence = sequence
            self._owners[sequence] = weakref.ref(generation)
        self._owners.move_to_end(generation.sequence)
        return generation.sequence

    def hand_over(self, before: SequenceGeneration, after: SequenceGeneration) -> None:
        """Give the sequence of one text to another."""
        after.sequence = before.sequence
        if after.sequence is not None:
            self._owners[after.sequence] = weakref.ref(after)

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> SequenceRow | None:
        """Return the first row of a batch after a prompt; None if there is no room for several texts.

        `document` means the same as for `begin`.
        """
        if self.context.sequences < _FEWEST_ROWS or not self.context.can_take_back:
            return None
        return SequenceRow(SequenceBatch(self), self.begin(prompt, document))

    def read_together(self, texts: Sequence[SequenceGeneration], drafts: Sequence[Sequence[int]]) -> None:
        """Read what is new of some texts, each with a draft after it, in one pass; nothing was read if that fails."""
        try:
            # A draft is a guess, so it gives way where there is no room for the logits of all.
            room = MOST_ROWS // len(texts) - 1
            parts = [text.part_to_read(draft[:room]) for text, draft in zip(texts, drafts, strict=True)]
            for text, part, logits in zip(texts, parts, self.context.read_parts(parts), strict=True):
                text.take_in(part, logits)
        except BaseException:
            for text in texts:
                self.release(text)
            raise

    def copy(self, text: SequenceGeneration, other: SequenceGeneration) -> None:
        """Give a new text a copy of what the sequence of another holds."""
        assert text.sequence is not None, "only what was read is copied"
        self._owners.move_to_end(text.sequence)  # so that it is not the one that is given up for the copy
        self.context.copy(text.sequence, self.claim(other))

    def let_go(self, text: SequenceGeneration) -> None:
        """Free the sequence of a text that is over, unless it is kept for its document."""
        if not any(kept is text for kept in self._last.values()):
            self.release(text)

    def release(self, generation: SequenceGeneration) -> None:
        """Forget what was read for a text."""
        if generation.sequence is not None:
            self.context.take_back(generation.sequence, 0)
            self._owners[generation.sequence] = None
        generation.give_up()

    def known(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return logits, changed in place, without those that mean nothing and those that are no numbers."""
        logits[:, self._left_out] = -np.inf
        if not np.isfinite(logits.max(axis=-1)).all():
            logits[~np.isfinite(logits)] = -np.inf
        return logits
