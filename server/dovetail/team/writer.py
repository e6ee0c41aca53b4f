"""The writer: a model and the languages, which complete windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.engine.language import load_language
from dovetail.grammar.library import language_of, languages
from dovetail.team.doors.window_request import BodyError

if TYPE_CHECKING:
    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.proposer import Proposer
    from dovetail.engine.language import Language
    from dovetail.team.doors.window_request import WindowRequest

_USUAL = "python"
"""The language of a request that names none."""
_MOST_TOKENS = 128
_MOST_MILLISECONDS = 5_000


class WrittenTexts(NamedTuple):
    """The texts for one request; none where nothing fits."""

    texts: list[str]
    limited: bool
    """True if the time ended a text."""


class WindowWriter:
    """Completes windows with one model, one request at a time."""

    def __init__(self, proposer: Proposer) -> None:
        self._decoder = Decoder(proposer)
        self._languages: dict[str, Language] = {}

    def write(self, asked: WindowRequest, cancellation: Cancellation) -> WrittenTexts:
        """Return the texts that a request asks for; raises BodyError for a language that is not known."""
        language = self._language(asked)
        most = _MOST_TOKENS if asked.most_tokens is None else min(asked.most_tokens, _MOST_TOKENS)
        if most == 0:
            return WrittenTexts([], limited=False)
        milliseconds = min(asked.milliseconds or _MOST_MILLISECONDS, _MOST_MILLISECONDS)
        request = Request(
            asked.left,
            asked.right,
            lambda: language.quotient(asked.left, asked.right, window="likely"),
            Limits(most, milliseconds / 1_000),
            cancellation,
        )
        completions = self._decoder.candidates(request, asked.count)
        return WrittenTexts(
            [completion.text for completion in completions if completion.text is not None],
            any(completion.stop in (Stop.TIME, Stop.BUDGET) for completion in completions),
        )

    def _language(self, asked: WindowRequest) -> Language:
        name = asked.language or (language_of(asked.path) if asked.path else None) or _USUAL
        if name not in languages():
            raise BodyError(f"The language `{name}` is not known; send one of {', '.join(sorted(languages()))}.")
        found = self._languages.get(name)
        if found is None:
            found = self._languages[name] = load_language(name)
        return found
