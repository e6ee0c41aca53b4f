"""The writer: a model and the languages, which complete windows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dovetail.completer.tables import LanguageTables
from dovetail.decoding.completion import Seconds, Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.grammar.library import language_of, languages, reading_of
from dovetail.parsing.work_bound import WorkBound, WorkBoundError
from dovetail.team.doors.window_request import BodyError
from dovetail.team.written_texts import WrittenTexts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dovetail.decoding.cancellation import Cancellation
    from dovetail.decoding.completion import Completion
    from dovetail.decoding.proposer import Proposer
    from dovetail.engine.language import Language
    from dovetail.quotient.quotient import Quotient
    from dovetail.team.doors.window_request import WindowRequest

_USUAL = "python"
"""The language of a request that names none."""
_USUAL_TOKENS = 64

_MOST_READ = 32_000
"""Characters that are read on each side of the cursor, so that the time of a request has a bound."""


def language_asked(asked: WindowRequest) -> str:
    """Return the language of a request; raises BodyError for one that is not known.

    A client that can name none may ask for the model `dovetail-LANGUAGE`.
    """
    of_model = (asked.model or "").rpartition("dovetail-")[2] if "dovetail-" in (asked.model or "") else None
    name = asked.language or of_model or (language_of(asked.path) if asked.path else None) or _USUAL
    if name not in languages():
        raise BodyError(f"The language `{name}` is not known; send one of {', '.join(sorted(languages()))}.")
    return name


_MOST_STEPS = 2_000_000
"""Steps of the searches for one request: windows of files that people wrote take up to 350,000, half of them fewer than
100. These are some seconds of a processor."""


def open_window(language: Language, left: str, right: str, bound: WorkBound | None = None) -> Quotient:
    """Return the quotient for a window: that of a whole program if the window can be one, else of a part of one.

    The end of a part is open, so a bracket that the middle opens could close behind the window. In a whole program it
    has to be closed. A window that ends inside of a bracket can be a whole program as well, if the middle closes that
    bracket; it is taken for a part, unless the bracket opens on the line that is being written. Of a long window the
    part around the cursor is read, which is a window too.
    Raises WorkBoundError, here and from the quotient.
    """
    if max(len(left), len(right)) > _MOST_READ:
        return language.quotient(_last_lines(left), _first_lines(right), window="likely", bound=bound)
    whole = language.quotient(left, right, tolerant=False, bound=bound)
    closing = whole.start.closing() if whole.viable else None
    if closing is not None and not _closes_more(closing, _open_brackets(left.rpartition("\n")[2])):
        return whole
    return language.quotient(left, right, window="likely", bound=bound)


def _last_lines(left: str) -> str:
    """Return the last lines of a text, as many as are read; a longer line is cut."""
    begin = len(left) - _MOST_READ
    if begin <= 0:
        return left
    return left[left.find("\n", begin - 1) + 1 or begin :]


def _first_lines(right: str) -> str:
    """Return the first lines of a text, as many as are read; a longer line is cut."""
    if len(right) <= _MOST_READ:
        return right
    return right[: right.rfind("\n", 0, _MOST_READ) + 1 or _MOST_READ]


def _open_brackets(line: str) -> int:
    """Return how many brackets a line leaves open; those in texts count too, which only makes a window a whole one.

    >>> _open_brackets("x = f(a, [b"), _open_brackets("    ])")
    (2, 0)
    """
    depth = 0
    for character in line:
        depth = max(0, depth + (character in "([{") - (character in ")]}"))
    return depth


def _closes_more(text: str, depth: int) -> bool:
    r"""Return whether a text closes a bracket that neither it nor the line before it has opened.

    A text of several lines closes the brackets of that line in order to begin another statement: then they may as well
    stay open.

    >>> _closes_more("(a[0])", 0), _closes_more("a)", 0), _closes_more("a)", 1), _closes_more(")\nif a:", 1)
    (False, True, False, True)
    """
    if "\n" in text:
        depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return True
    return False


class WindowWriter:
    """Completes windows with one model, one request at a time."""

    def __init__(
        self,
        proposer: Proposer,
        most_tokens: int = 256,
        most_seconds: float = 5,
        tables: LanguageTables | None = None,
        most_steps: int = _MOST_STEPS,
    ) -> None:
        """Write with a model; `most_tokens`, `most_seconds`: the limits of a text, whatever a client asks for.

        `most_steps`: the limit of the searches for a request, which the time cannot interrupt. `tables` may be those
        of others too, on the same thread.
        """
        self._most_tokens = most_tokens
        self._most_seconds = most_seconds
        self._most_steps = most_steps
        self._decoder = Decoder(proposer)
        self._tables = tables or LanguageTables()

    def prepare(self, names: Iterable[str]) -> None:
        """Read the tables of languages, or build and keep them, so that no request waits for that."""
        for name in names:
            self._tables.language(name, None)

    def write(self, asked: WindowRequest, cancellation: Cancellation, document: str | None = None) -> WrittenTexts:
        """Return the texts that a request asks for.

        Raises BodyError for a language that is not known, and for a window that takes too much work.

        `document`: what was read for its last request is not read again, and a text that the user types on into is
        not written again.
        """
        language = self._tables.language(reading_of(language_asked(asked), asked.left + asked.right), None)
        most = min(_USUAL_TOKENS if asked.most_tokens is None else asked.most_tokens, self._most_tokens)
        if most == 0:
            return WrittenTexts()
        seconds = min((asked.milliseconds or math.inf) / 1_000, self._most_seconds)
        bound = WorkBound(self._most_steps)
        request = Request(
            asked.left,
            asked.right,
            lambda: open_window(language, asked.left, asked.right, bound),
            Limits(most, seconds),
            cancellation,
            document,
        )
        try:
            if asked.count == 1:
                return _written([self._decoder.complete(request)])
            return _written(self._decoder.candidates(request, asked.count))
        except WorkBoundError:
            raise BodyError(
                "Too many brackets or blocks are open on both sides of the cursor to be matched in time; send fewer "
                "lines around it."
            ) from None


def _written(completions: list[Completion]) -> WrittenTexts:
    parts = [completion.seconds for completion in completions]
    return WrittenTexts(
        tuple(completion.text for completion in completions if completion.text is not None),
        any(completion.stop in (Stop.TIME, Stop.PACE, Stop.BUDGET) for completion in completions),
        sum(completion.tokens for completion in completions),
        Seconds(
            sum(part.contexts for part in parts),
            sum(part.prompt for part in parts),
            sum(part.model for part in parts),
            sum(part.constraint for part in parts),
        ),
    )
