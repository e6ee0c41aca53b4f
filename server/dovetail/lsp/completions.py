"""The real completer: the engine, the decoder and the hosted model behind one door."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

import dovetail
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.formats import Order
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.library import language_of, languages
from dovetail.lsp.difference import difference
from dovetail.model.error import ModelError
from dovetail.model.hosting import load_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.proposer import Proposer
    from dovetail.lsp.documents import Snapshot
    from dovetail.quotient.document import Document
    from dovetail.settings import Settings
    from dovetail.vocabulary.mask import Masker

_KEPT = 16
"""Documents of which the engine's work is kept between requests; more are seldom edited in turn."""


class Completions:
    """Completes documents; all of it belongs to the worker's thread once `load` was called."""

    def __init__(
        self, settings: Settings, host: Callable[[str | None], Proposer] = load_model
    ) -> None:
        """Make a completer that has loaded nothing; `host` gives the model of a name."""
        self._settings = settings
        self._host = host
        self._limits = Limits(
            settings.max_tokens,
            settings.time_limit,
            Shape(settings.shape),
            settings.min_characters,
            settings.temperature,
            settings.top_p,
        )
        self._decoder: Decoder | None = None
        self._languages: dict[str, dovetail.Language] = {}  # name -> language
        self._maskers: dict[str, Masker] = {}               # name of the language -> masker
        # (uri, name of the language) -> the engine's document, with the text of the last request
        self._documents: OrderedDict[tuple[str, str], Document] = OrderedDict()

    def load(self) -> str | None:
        """Load the model; return the sentence that says why it cannot be loaded, and what to do."""
        try:
            if self._settings.python_target_version is not None:
                self._language("python")  # a version that is not known is said now, not while typing
            order = None if self._settings.prompt_order == "auto" else Order(self._settings.prompt_order)
            self._decoder = Decoder(self._host(self._settings.model), order)
        except (GrammarError, ModelError) as error:
            return str(error)
        return None

    def complete(self, document: Snapshot, offset: int, cancellation: Cancellation) -> str | None:
        """Return what fits at an offset, or None; also None in a language that Dovetail does not know."""
        request = self._request(document, offset, self._limits, cancellation)
        if request is None or self._decoder is None:
            return None
        return self._decoder.complete(request).text

    def candidates(self, document: Snapshot, offset: int, cancellation: Cancellation) -> list[str]:
        """Return several texts that fit at an offset, short ones too: they were asked for."""
        request = self._request(document, offset, replace(self._limits, min_characters=1), cancellation)
        if request is None or self._decoder is None:
            return []
        found = self._decoder.candidates(request, self._settings.candidates)
        return [completion.text for completion in found if completion.text is not None]

    def _request(
        self, document: Snapshot, offset: int, limits: Limits, cancellation: Cancellation
    ) -> Request | None:
        """Return what is asked of the decoder; None where the text cannot be read or its language is not known."""
        name = language_name(document)
        if name is None or not _is_whole(document.text):
            return None
        engine = self._document(document, name)
        return Request(
            document.text[:offset],
            document.text[offset:],
            lambda: engine.quotient(offset),
            limits,
            cancellation,
            document.uri,
            lambda: self._masker(name),
        )

    def _document(self, document: Snapshot, name: str) -> Document:
        """Return the engine's document, brought to the text of the snapshot."""
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

    def _masker(self, name: str) -> Masker:
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


def language_name(document: Snapshot) -> str | None:
    """Return the name of a document's language: what the client calls it, or what its file name says."""
    if document.language_id in languages():
        return document.language_id
    return language_of(unquote(document.uri.partition("?")[0]))


def _is_whole(text: str) -> bool:
    """Return whether a text can be read by a model: half a surrogate pair, which JSON can carry, cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
