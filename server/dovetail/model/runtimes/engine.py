"""A model that an engine over HTTP runs, as a proposer of tokens: vLLM, SGLang, llama.cpp's server and their like."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING

from dovetail.model.encoding import PlainEncoder
from dovetail.model.engines.form import AskedText, read_run, read_scores
from dovetail.model.engines.opening import open_engine
from dovetail.model.error import ModelError
from dovetail.model.failure import EngineError
from dovetail.model.runtimes.engine_generation import EngineGeneration
from dovetail.vocabulary.vocabulary import VocabularyError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.decoding.formats import PromptForm
    from dovetail.model.engines.address import EngineAddress
    from dovetail.model.engines.connection import PendingAnswer
    from dovetail.model.engines.form import Row, TokenRun
    from dovetail.model.engines.opening import OpenedEngine

_DOCUMENTS = 4
"""Documents of which the last answers are kept."""


class EngineModel:
    """A language model that proposes tokens; an engine over HTTP computes them."""

    def __init__(self, opened: OpenedEngine) -> None:
        self.name = opened.name
        self.numbers = opened.numbers
        self.vocabulary = opened.vocabulary
        self.window = opened.window
        self.form: PromptForm | None = None
        """The form in which it is asked; None for the likeliest by its special tokens."""
        self.encode = PlainEncoder(opened.encode, opened.vocabulary)
        self.best, self.most_best, self.most_scored = opened.best, opened.most_best, opened.most_scored
        self.connection = opened.connection
        self._form = opened.form
        meant = set(self.vocabulary.specials.values()) | self.vocabulary.ends
        self._meant = [piece is not None or token in meant for token, piece in enumerate(self.vocabulary.pieces)]
        self.meaningful = sum(self._meant)
        self._last: OrderedDict[str, EngineGeneration] = OrderedDict()
        weakref.finalize(self, opened.connection.close)

    def begin(self, prompt: Sequence[int], document: str | None = None) -> EngineGeneration:
        """Return the text that continues a prompt.

        `document`: what the engine told of the last prompt of the same document is taken over, as far as it is the
        same; what is on its way for another text is called off.
        """
        asked = AskedText(tuple(prompt), document)
        if document is None:
            return EngineGeneration(self, asked)
        generation = EngineGeneration(self, asked, self._last.pop(document, None))
        self._last[document] = generation
        if len(self._last) > _DOCUMENTS:
            self._last.popitem(last=False)
        return generation

    def begin_batch(self, prompt: Sequence[int], document: str | None = None) -> EngineGeneration:
        """Return the first of several texts after a prompt; the engine itself reads them together."""
        return self.begin(prompt, document)

    def forget(self, document: str) -> None:
        """Let go of what was told for a document."""
        self._last.pop(document, None)

    def ask_run(self, asked: AskedText, count: int, best: int) -> PendingAnswer:
        """Ask for a run, and return at once."""
        return self.connection.send(self._form.run(asked, count, best))

    def read_run(self, answer: object) -> TokenRun:
        """Return the run of an answer, up to a token that is unknown here; raises EngineError."""
        run = read_run(self._form, answer, self.connection.url)
        rows: list[Row] = []
        for token, row in zip(run.tokens, run.rows, strict=True):
            rows.append(tuple(pair for pair in row if self._is_meant(pair[0])))
            if token >= len(self._meant):
                break  # padding: it was written, but nothing can follow it here
        if not all(rows):
            raise EngineError(f"{self.connection.url} proposes tokens that its vocabulary does not have")
        return run._replace(tokens=run.tokens[: len(rows)], rows=tuple(rows))

    def score(
        self, asked: AskedText, tokens: Sequence[int], best: tuple[int, float], wanted: Callable[[], bool] | None
    ) -> dict[int, float]:
        """Return the log-probabilities of some next tokens, of the first ones if the engine takes fewer.

        Vocabularies are made by merging what is frequent first, so the first tokens are the likelier ones.
        """
        few = sorted(token for token in tokens if self._is_meant(token))[: self.most_scored]
        if not few:
            return {}
        answer = self.connection.send(self._form.scores(asked, few, best)).wait(wanted)
        return read_scores(self._form, answer, few, best, self.connection.url)

    def _is_meant(self, token: int) -> bool:
        return token < len(self._meant) and self._meant[token]


def host_engine(address: EngineAddress) -> EngineModel:
    """Return the model of an engine; raises ModelError with what it lacks and the remedy."""
    try:
        return EngineModel(open_engine(address))
    except EngineError as error:
        raise ModelError(
            f"The model cannot be used, because {error}: start the engine, or choose another one."
        ) from error
    except VocabularyError as error:
        raise ModelError(f"The model of {address.url} cannot be used: {error}") from error
