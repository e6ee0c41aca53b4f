"""The playground: the languages that the page offers, and the texts that it asks about."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import dovetail
from dovetail.completer.difference import difference
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.facts import Facts, read_facts
from dovetail.grammar.layers import read_header
from dovetail.grammar.library import languages, running_language
from dovetail.play.examination import examine, try_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail import Document, Language

LONGEST = 50_000
"""The most characters of a text; beyond, an answer would take too long to be live."""

_TOO_LONG = f"The text is longer than {LONGEST:,} characters: shorten it."

_LONGEST_TRIED = 1_000
"""The most characters of a text that is tried at the cursor."""


class RequestError(ValueError):
    """A request that the page would not make; the message is one sentence."""


class StartingText(NamedTuple):
    """The text that the page begins with."""

    language: str
    left: str
    right: str


class Playground:
    """Languages, each with the text last asked about. Requests are answered one after the other.

    A grammar of the user's own is read again whenever a file in its folder has changed.
    """

    def __init__(self, grammar: Path | None = None, start: StartingText | None = None) -> None:
        self.grammar = grammar
        self.start = start
        self._lock = threading.Lock()
        self._documents: dict[tuple[str, str | None], tuple[Language, Document]] = {}
        self._stamp: tuple[tuple[str, int], ...] = ()

    def languages(self) -> dict[str, object]:
        """Return what the page has to know at first: its languages with their samples, and the text to begin with."""
        with self._lock:
            offered = []
            if self.grammar is not None:
                offered.append(self._described(str(self.grammar), self._own_facts()))
            offered += [self._described(name, facts) for name, facts in languages().items()]
        start = self.start or (_usual_start() if self.grammar is None else None)
        return {"languages": offered, "start": None if start is None else start._asdict()}

    def examine(self, request: Mapping[str, object]) -> dict[str, object]:
        """Return what the engine knows of a place: `language`, `version` or null, and the texts `left` and `right`.

        `everywhere` asks for all entries of the automaton. A grammar that is wrong is answered as `grammar_error`.
        Raises RequestError for a request of another form.
        """
        everywhere = request.get("everywhere") is True
        with self._lock:
            try:
                language, document, offset = self._place(request)
            except GrammarError as error:
                return {"grammar_error": str(error)}
            return examine(language, document, offset, everywhere=everywhere)

    def try_text(self, request: Mapping[str, object]) -> dict[str, object]:
        """Return what becomes of the text `text` at a place, which is given as for `examine`.

        Raises RequestError for a request of another form.
        """
        text = _text(request, "text", _LONGEST_TRIED)
        with self._lock:
            try:
                language, document, offset = self._place(request)
            except GrammarError as error:
                return {"grammar_error": str(error)}
            return try_text(language, document, offset, text)

    def _place(self, request: Mapping[str, object]) -> tuple[Language, Document, int]:
        """Return the language of a request, the document with its text, and the cursor's offset."""
        left, right = _text(request, "left", LONGEST), _text(request, "right", LONGEST)
        if len(left) + len(right) > LONGEST:
            raise RequestError(_TOO_LONG)
        name = _text(request, "language", LONGEST)
        version = None if request.get("version") is None else _text(request, "version", LONGEST)
        is_own = self.grammar is not None and name == str(self.grammar)
        if not is_own and name not in languages():
            raise RequestError(f"The language `{name}` is not offered here.")
        if is_own:
            self._forget_changed()
        key = name, version
        if key not in self._documents:
            language = dovetail.load_language(Path(name) if is_own else name, version)
            self._documents[key] = language, language.document("")
        language, document = self._documents[key]
        document.edit(*difference(document.text, left + right))
        return language, document, len(left)

    def _forget_changed(self) -> None:
        """Forget the user's own grammar if a file beside it has changed: it may import them."""
        assert self.grammar is not None, "only asked for a grammar of the user's own"
        folder = self.grammar.parent
        files = sorted(path for path in folder.iterdir() if path.suffix in (".lark", ".toml"))
        stamp = tuple((path.name, path.stat().st_mtime_ns) for path in files)
        if stamp != self._stamp:
            self._stamp = stamp
            own = str(self.grammar)
            self._documents = {key: value for key, value in self._documents.items() if key[0] != own}

    def _own_facts(self) -> Facts:
        """Return the facts of the user's own grammar; only its name if its description is wrong."""
        assert self.grammar is not None, "only asked for a grammar of the user's own"
        beside = self.grammar.with_suffix(".toml")
        try:
            return read_facts(beside, read_header(beside))
        except GrammarError:
            return Facts(self.grammar.stem, self.grammar.stem)

    def _described(self, name: str, facts: Facts) -> dict[str, object]:
        left, right = facts.sample or ("", "")
        return {
            "name": name,
            "title": facts.title,
            "versions": list(reversed(facts.versions)),
            "version": facts.versions[-1] if facts.versions else None,
            "left": left,
            "right": right,
        }


def _usual_start() -> StartingText | None:
    """Return the sample of the language that runs Dovetail, which its users know best; None where it has none."""
    try:
        facts = running_language()
    except GrammarError:
        return None
    name = next(name for name, known in languages().items() if known is facts)
    return None if facts.sample is None else StartingText(name, *facts.sample)


def _text(request: Mapping[str, object], key: str, most: int) -> str:
    """Return a text of a request; raise RequestError if it is missing, no text, or too long."""
    value = request.get(key)
    if not isinstance(value, str):
        raise RequestError(f"The request has no text `{key}`.")
    if len(value) > most:
        raise RequestError(_TOO_LONG if most == LONGEST else f"Try at most {most:,} characters at a time.")
    return value
