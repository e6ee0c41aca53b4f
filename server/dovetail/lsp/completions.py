"""The real completer: the engine, the decoder and the hosted model behind one door."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

import dovetail
from dovetail.decoding.cancellation import Never
from dovetail.decoding.completion import Seconds
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.formats import Order
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request
from dovetail.grammar.errors import GrammarError
from dovetail.lsp.answer import Answer, Work, nothing
from dovetail.lsp.difference import difference
from dovetail.lsp.explanation import Explanation, explain
from dovetail.lsp.obstacle import language_name
from dovetail.model.error import ModelError
from dovetail.model.hosting import load_model
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.completion import Completion
    from dovetail.decoding.proposer import Proposer
    from dovetail.lsp.documents import Snapshot
    from dovetail.quotient.document import Document
    from dovetail.vocabulary.mask import Masker

_KEPT = 16
"""Documents of which the engine's work is kept between requests; more are seldom edited in turn."""

_NO_MODEL = "no model is loaded"


class Completions:
    """Completes documents; all of it belongs to the worker's thread once `load` was called."""

    def __init__(self, host: Callable[[str | None], Proposer] = load_model) -> None:
        """Make a completer that has loaded nothing; `host` gives the model of a name."""
        self.model: str | None = None
        self._host = host
        self._settings = Settings()
        self._limits = _limits(self._settings)
        self._decoder: Decoder | None = None
        self._hosted: str | None = None                     # the setting that the decoder's model was loaded for
        self._languages: dict[str, dovetail.Language] = {}  # name -> language
        self._maskers: dict[str, Masker] = {}               # name of the language -> masker
        # (uri, name of the language) -> the engine's document, with the text of the last request
        self._documents: OrderedDict[tuple[str, str], Document] = OrderedDict()

    def load(self, settings: Settings, *, anew: bool = False) -> str | None:
        """Take settings and load their model; return the sentence that says why that cannot be, and what to do."""
        before, self._settings = self._settings, settings
        self._limits = _limits(settings)
        if settings.python_target_version != before.python_target_version:
            self._languages.clear()
            self._documents.clear()
            self._maskers.clear()
        try:
            if settings.python_target_version is not None:
                self._language("python")  # a version that is not known is said now, not while typing
            if self._decoder is None or anew or settings.model != self._hosted:
                self._take(self._host(settings.model))
            elif settings.prompt_order != before.prompt_order:
                self._take(self._decoder.proposer)
        except (GrammarError, ModelError) as error:
            return str(error)
        return None

    def _take(self, proposer: Proposer) -> None:
        """Decode with a model from now on."""
        order = None if self._settings.prompt_order == "auto" else Order(self._settings.prompt_order)
        self._decoder = Decoder(proposer, order)
        self._hosted = self._settings.model
        self.model = proposer.name
        self._maskers.clear()      # they know the vocabulary of the model before

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return what is left of a completion that was typed into."""
        if self._decoder is None:
            return nothing(_NO_MODEL)
        completion = self._decoder.recall(self._request(document, offset, self._limits, Never()))
        return nothing("nothing is remembered") if completion is None else _remembered(completion)

    def complete(
        self, document: Snapshot, offset: int, cancellation: Cancellation, *, seconds: float | None = None
    ) -> Answer:
        """Return what fits at an offset, within `seconds` where they are given."""
        if self._decoder is None:
            return nothing(_NO_MODEL)
        limits = self._limits if seconds is None else replace(self._limits, seconds=seconds)
        request = self._request(document, offset, limits, cancellation)
        known = self._decoder.recall(request)
        if known is not None:
            return _remembered(known)
        return _answer([self._decoder.complete(request)])

    def candidates(self, document: Snapshot, offset: int, cancellation: Cancellation) -> Answer:
        """Return several texts that fit at an offset, short ones too: they were asked for."""
        if self._decoder is None:
            return nothing(_NO_MODEL)
        limits = replace(self._limits, min_characters=1)
        request = self._request(document, offset, limits, cancellation)
        found = self._decoder.candidates(request, self._settings.candidates)
        # An editor may show any of them, and the user may type on into that; the best is kept last, to be met first.
        for completion in reversed(found):
            self._decoder.remember(replace(request, limits=self._limits), completion)
        return _answer(found)

    def read_on(self, document: Snapshot, offset: int) -> bool:
        """Read some more of a long document; return whether an answer at an offset leaves nothing unread."""
        return self._document(document).read_on(offset)

    def explain(self, document: Snapshot, offset: int) -> Explanation:
        """Return what may come at an offset."""
        return explain(self._document(document), offset)

    def _request(
        self, document: Snapshot, offset: int, limits: Limits, cancellation: Cancellation
    ) -> Request:
        """Return what is asked of the decoder; the engine reads the text when the decoder wants it."""
        return Request(
            document.text[:offset],
            document.text[offset:],
            lambda: self._document(document).quotient(offset),
            limits,
            cancellation,
            document.uri,
            lambda: self._masker(document),
        )

    def _document(self, document: Snapshot) -> Document:
        """Return the engine's document, brought to the text of the snapshot."""
        name = _language_name(document)
        key = (document.uri, name)
        engine = self._documents.pop(key, None)
        if engine is None:
            engine = self._language(name).document(document.text)
        elif engine.text != document.text:
            engine.edit(*difference(engine.text, document.text))
        self._documents[key] = engine
        if len(self._documents) > _KEPT:
            self._documents.popitem(last=False)
            for masker in self._maskers.values():
                masker.forget()      # what it learnt holds on to the stacks of documents
        return engine

    def _masker(self, document: Snapshot) -> Masker:
        name = _language_name(document)
        if name not in self._maskers:
            # Needs numpy, which comes with what a model needs.
            from dovetail.vocabulary.mask import Masker

            assert self._decoder is not None
            self._maskers[name] = Masker(self._language(name), self._decoder.proposer.vocabulary)
        return self._maskers[name]

    def _language(self, name: str) -> dovetail.Language:
        if name not in self._languages:
            target = self._settings.python_target_version if name == "python" else None
            self._languages[name] = dovetail.load_language(name, target=target)
        return self._languages[name]


def _limits(settings: Settings) -> Limits:
    return Limits(
        settings.max_tokens,
        settings.time_limit,
        Shape(settings.shape),
        settings.min_characters,
        settings.temperature,
        settings.top_p,
    )


def _language_name(document: Snapshot) -> str:
    name = language_name(document)
    assert name is not None, "a document whose language is not known is an obstacle"
    return name


def _answer(completions: list[Completion]) -> Answer:
    texts = tuple(completion.text for completion in completions if completion.text)
    parts = [completion.seconds for completion in completions]
    seconds = Seconds(
        sum(part.contexts for part in parts),
        sum(part.prompt for part in parts),
        sum(part.model for part in parts),
        sum(part.constraint for part in parts),
    )
    work = Work(
        sum(completion.tokens for completion in completions),
        sum(completion.refused for completion in completions),
        seconds,
    )
    return Answer(texts, completions[0].stop.value, work)


def _remembered(completion: Completion) -> Answer:
    assert completion.text is not None, "only texts are remembered"
    return Answer((completion.text,), completion.stop.value)
