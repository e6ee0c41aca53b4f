"""The completer that does the work: engine, decoder and hosted model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.completer.answer import Answer, Work, nothing
from dovetail.completer.document_cache import DocumentCache
from dovetail.completer.document_limit import DocumentLimit
from dovetail.completer.explainer import Explanation, explain
from dovetail.completer.fallback import Fallback
from dovetail.completer.operations import Loaded
from dovetail.completer.tables import LanguageTables
from dovetail.completer.unfinished import UnfinishedCandidates
from dovetail.decoding.cancellation import Never
from dovetail.decoding.completion import Seconds
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.formats import Order
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request
from dovetail.decoding.unchecked import UncheckedQuotient
from dovetail.decoding.whole_words import without_torn_words
from dovetail.grammar.errors import GrammarError
from dovetail.model.error import ModelError
from dovetail.model.hosting import known_languages, load_model
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dovetail.completer.snapshot import Snapshot
    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.completion import Completion
    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import ProjectContext, ShownPart
    from dovetail.engine.language import Language
    from dovetail.masking.mask import Masker

_NO_MODEL = "no model is loaded"

_SEES_NO_RIGHT = "It was not trained to see the text after the cursor, so it guesses from the text before it."
"""Said of such a model; what it offers fits both sides all the same."""


class LocalCompleter:
    """Completes documents. All methods but `explain` belong to one thread once `load` was called."""

    def __init__(
        self,
        host: Callable[[str | None, str | None], Proposer] = load_model,
        clock: Callable[[], float] | None = None,
        *,
        limit: DocumentLimit | None = None,
        tables: LanguageTables | None = None,
    ) -> None:
        """Make a completer without a model.

        `host` loads the model of a name on a device. `clock` returns the seconds by which completions are limited, by
        default those of the wall clock. `limit` and `tables` may be those of other completers too, if one of them runs
        at a time.
        """
        self.model: str | None = None
        self.window: int | None = None
        """The tokens that the model can read, before any fallback."""
        self.languages: tuple[str, ...] | None = None
        """The languages that the model was made for; None where it does not say."""
        self._host = host
        self._clock = clock
        self.settings = Settings()
        """The settings that were taken last."""
        self._limits = _limits(self.settings)
        self.targets: Mapping[str, str] = {}
        """Language → its version; a language that is not in the mapping has its newest version."""
        self._decoder: Decoder | None = None
        self._unfinished: UnfinishedCandidates | None = None
        """The candidates whose first was answered last, if no other text was written since."""
        # The name and the device that the decoder's model was loaded for, and how much of its window it is given.
        self._hosted: tuple[str | None, str | None] = (None, None)
        self._halvings = 0
        self._maskers: dict[tuple[str, str | None], Masker] = {}  # name and version of the language → masker
        self._tables = LanguageTables() if tables is None else tables
        self._engine = DocumentCache(self._forget, limit=limit, tables=self._tables)
        # The explaining thread owns this one. It keeps one document, because users ask about one place at a time.
        self._explaining = DocumentCache(limit=DocumentLimit(1))

    def load(self, settings: Settings, *, anew: bool = False, fallback: Fallback | None = None) -> Loaded:
        """Take settings and load their model, reduced by `fallback`.

        Raises the exceptions of the model's library, such as those for too little memory.
        """
        complaint = None
        try:
            self._load(settings, anew=anew, fallback=fallback or Fallback())
        except (GrammarError, ModelError) as error:
            complaint = str(error)
        remark = None if self._decoder is None or self._decoder.sees_right else _SEES_NO_RIGHT
        return Loaded(complaint, self.model, self.window, dict(self.targets), self.languages, remark)

    def _load(self, settings: Settings, *, anew: bool, fallback: Fallback) -> None:
        self._drop_unfinished()
        before, self.settings = self.settings, settings
        self._limits = _limits(settings)
        self.take_commands(settings)
        self.aim(settings.target_versions)
        wanted = (None if fallback.embedded else settings.model, fallback.device)
        if self._decoder is None or anew or wanted != self._hosted:
            proposer = self._host(*wanted)
            self._hosted, self.window, self.languages = wanted, proposer.window, known_languages(wanted[0])
            self._take(proposer, fallback)
        elif settings.prompt_order != before.prompt_order or fallback.halvings != self._halvings:
            self._take(self._decoder.proposer, fallback)

    def aim(self, targets: Mapping[str, str]) -> None:
        """Read languages at these versions; raises GrammarError for an unknown one, and keeps the versions before."""
        before = self.targets
        if not self._engine.aim(targets):
            return
        self._maskers.clear()
        try:
            for name in targets:
                self._engine.check(name)  # reports a mistake now, not while the user types
        except GrammarError:
            self._engine.aim(before)
            raise
        self.targets = targets

    def take_commands(self, settings: Settings) -> None:
        """Take the settings that name the languages with commands in the cells of notebooks."""
        self._engine.settings = self._explaining.settings = settings

    def _take(self, proposer: Proposer, fallback: Fallback) -> None:
        """Decode with this model from now on."""
        order = None if self.settings.prompt_order == "auto" else Order(self.settings.prompt_order)
        assert self.window is not None, "a model that is taken has a window"
        self._halvings = fallback.halvings
        proposer.window = self.window >> self._halvings
        self._decoder = Decoder(proposer, order, self._clock)
        self.model = proposer.name
        self._maskers.clear()  # they know the vocabulary of the model before

    def prepare(self, document: Snapshot) -> None:
        """Read the tables of a document's language and of the model's tokens, or build and store them.

        Also those of the language that the document will be in with its first import.
        """
        for language in self._engine.languages_after(document):
            if self._decoder is not None:
                self._masker_of(language)

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return the rest of a completion that the user typed into."""
        if self._decoder is None:
            return nothing(_NO_MODEL)
        completion = self._decoder.recall(self._request(document, offset, self._limits, Never()))
        return nothing("nothing is remembered") if completion is None else self._remembered(document, completion)

    def complete(
        self,
        document: Snapshot,
        offset: int,
        cancellation: Cancellation,
        *,
        item: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return the best text that fits at an offset; see `DocumentOperations`."""
        if self._decoder is None:
            return nothing(_NO_MODEL)
        request = replace(self._typing_request(document, offset, cancellation, item=item), project=project)
        known = self._decoder.recall(request)
        if known is not None:
            return self._remembered(document, known)
        self._drop_unfinished()
        completion = self._decoder.complete(request)
        return self._answer(document, [completion], [completion])

    def suggest(self, document: Snapshot, offset: int, cancellation: Cancellation) -> Completion:
        """Return what `complete` finds where nothing is remembered, and remember nothing; a model is loaded."""
        assert self._decoder is not None, "a model is loaded"
        self._drop_unfinished()
        [completion] = self._decoder.candidates(self._typing_request(document, offset, cancellation), 1)
        return completion

    def candidates(
        self,
        document: Snapshot,
        offset: int,
        cancellation: Cancellation,
        *,
        first: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return several texts that fit at an offset, short ones too, because the user asked by hand.

        A text that was offered unasked comes first, whatever the model writes for somebody who asks. `first`: only the
        first one; see `DocumentOperations`.
        """
        decoder = self._decoder
        if decoder is None:
            return nothing(_NO_MODEL)
        known = decoder.recall(self._request(document, offset, self._limits, Never()))
        if first and known is not None:
            return self._remembered(document, known)
        unfinished = self._unfinished
        if unfinished is None or not unfinished.is_at(document, offset):
            self._drop_unfinished()
            limits = replace(self._limits, min_characters=1)
            unfinished = UnfinishedCandidates(
                document,
                offset,
                lambda cancellation: replace(self._request(document, offset, limits, cancellation), project=project),
                lambda request: without_torn_words(
                    request.left, request.right, decoder.ready_candidates(request, self.settings.candidates)
                ),
            )
        self._unfinished = None
        fresh = unfinished.answer(cancellation, first=first)
        if first and unfinished.found[0].text is not None:
            self._unfinished = unfinished
        # An editor may show any of them, and the user may type into it. The best is remembered last, so it is found
        # first.
        for completion in (*reversed(unfinished.found), *([] if known is None else [known])):
            decoder.remember(replace(unfinished.request, limits=self._limits), completion)
        answer = self._answer(document, unfinished.found, fresh)
        if known is None or known.text is None:
            return answer
        others = [text for text in answer.texts if text != known.text]
        return replace(answer, texts=(known.text, *others)[: self.settings.candidates])

    def read_on(self, document: Snapshot, offset: int) -> bool:
        """Read another part of a long document; return whether the answer at an offset leaves nothing unread."""
        return document.language is None or self._engine.document(document, offset).read_on(offset)

    def forget(self, uri: str) -> None:
        """Drop everything that is kept for a closed document."""
        self._engine.forget(uri)
        self._drop_unfinished()
        if self._decoder is not None:
            self._decoder.forget(uri)

    def explain(self, document: Snapshot, offset: int) -> Explanation:
        """Return the explanation of an offset."""
        self._explaining.aim(self.targets)
        return explain(self._explaining.document(document, offset), offset)

    def _typing_request(
        self, document: Snapshot, offset: int, cancellation: Cancellation, *, item: bool = False
    ) -> Request:
        """Return the request of an editor while the user types, or for an item of a menu."""
        settings = self.settings
        limits = replace(self._limits, seconds=settings.completion_time_limit) if item else self._limits
        request = self._request(document, offset, limits, cancellation)
        return replace(request, typing=True, eager=item or settings.trigger == "eager")

    def _request(self, document: Snapshot, offset: int, limits: Limits, cancellation: Cancellation) -> Request:
        """Return the request for the decoder; the engine reads the text when the decoder needs it."""
        left, right = document.text[:offset], document.text[offset:]
        if document.language is None:
            return Request(left, right, lambda: UncheckedQuotient(left), limits, cancellation, document.uri)
        return Request(
            left,
            right,
            lambda: self._engine.document(document, offset).quotient(offset, ends_headers=True),
            limits,
            cancellation,
            document.uri,
            lambda: self._masker(document),
        )

    def _drop_unfinished(self) -> None:
        """Let go of candidates that nobody asked for again: another text needs what the model keeps for them."""
        unfinished, self._unfinished = self._unfinished, None
        if unfinished is not None:
            unfinished.close()

    def _answer(self, document: Snapshot, completions: list[Completion], fresh: list[Completion]) -> Answer:
        return replace(_answer(document, completions, fresh), parts=self._parts(document))

    def _remembered(self, document: Snapshot, completion: Completion) -> Answer:
        assert completion.text is not None, "only texts are remembered"
        unchecked = document.language is None
        return Answer((completion.text,), completion.stop.value, unchecked=unchecked, parts=self._parts(document))

    def _parts(self, document: Snapshot) -> tuple[ShownPart, ...]:
        """Return the parts of other files that the model has read for a document."""
        return () if self._decoder is None else self._decoder.shown_parts(document.uri)

    def _forget(self) -> None:
        """Empty the caches of the maskers, because they refer to the stacks of documents."""
        for masker in self._maskers.values():
            masker.forget()

    def _masker(self, document: Snapshot) -> Masker:
        return self._masker_of(self._engine.language(document))

    def _masker_of(self, language: Language) -> Masker:
        key = language.name, language.target
        if key not in self._maskers:
            assert self._decoder is not None
            self._maskers[key] = self._tables.masker(language, self._decoder.proposer.vocabulary)
        return self._maskers[key]


def _limits(settings: Settings) -> Limits:
    return Limits(
        settings.max_tokens,
        settings.time_limit,
        Shape(settings.shape),
        settings.min_characters,
        settings.temperature,
        settings.top_p,
    )


def _answer(document: Snapshot, completions: list[Completion], fresh: list[Completion]) -> Answer:
    """Return the answer with the texts of some completions; its cost is that of the `fresh` ones among them."""
    texts = tuple(completion.text for completion in completions if completion.text)
    parts = [completion.seconds for completion in fresh]
    seconds = Seconds(
        sum(part.contexts for part in parts),
        sum(part.prompt for part in parts),
        sum(part.model for part in parts),
        sum(part.constraint for part in parts),
    )
    work = Work(
        sum(completion.tokens for completion in fresh),
        sum(completion.refused for completion in fresh),
        seconds,
    )
    return Answer(texts, completions[0].reason, work, document.language is None)
