"""One completion in progress: tokens are proposed, tried, and taken or refused, until something says stop."""

from __future__ import annotations

from itertools import chain, count, islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from dovetail.decoding.completion import Cause, Completion, Stop
from dovetail.decoding.draft_follower import DraftFollower
from dovetail.decoding.ending import characters, tidy
from dovetail.decoding.extent import Extent
from dovetail.decoding.healing import spellings
from dovetail.decoding.indentation import find_indentation
from dovetail.decoding.placeholder_names import is_placeholder
from dovetail.decoding.repetition import repetition
from dovetail.decoding.sampling import by_chance, by_rank, drawn, nucleus
from dovetail.decoding.stop_rules import StopRules
from dovetail.decoding.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.decoding.budget import Budget
    from dovetail.decoding.constraint import Mask, State
    from dovetail.decoding.prompt import Prompt
    from dovetail.decoding.proposer import Generation, Proposer
    from dovetail.decoding.request import Request
    from dovetail.decoding.stopwatch import Stopwatch
    from dovetail.vocabulary.prefix_index import PrefixIndex

_RANKS = 64
"""When tokens fitted but could not be closed in time, this many are tried before the known way is followed."""

_AT_ONCE = 8
"""Proposals are asked for in multiples of so many."""

_MOST_RANKS = 512
"""And so many, where the known way goes on with a name, which only the model can choose."""

_SEARCHED = 2
"""For so many of them the shortest closing is searched for; for the others the known ways to finish are tried."""

_SPELLINGS = 16
"""Of so many spellings of what was held back one is drawn."""

_ENDED = frozenset({Stop.END, Stop.LINE, Stop.STATEMENT, Stop.BLOCK, Stop.ENCLOSURE, Stop.FOLLOWING, Stop.REPETITION})
"""The ways to stop at a place where the text may."""


class _Proposal(NamedTuple):
    """A token that the model would have next."""

    token: int
    piece: bytes | None
    """What it would add to the text; None for one that brings no text."""
    path: tuple[int, ...] = ()
    """What spells the text that was held back, before it."""


class _Fitting(NamedTuple):
    """A token that fits."""

    token: int
    piece: bytes
    state: State
    """The state after it."""
    path: tuple[int, ...]


class _Taken(NamedTuple):
    """That the text goes on, or ended before a token that would have been taken."""

    stop: Stop | None


class Attempt:
    """One text, from the first token to the outcome."""

    def __init__(
        self,
        request: Request,
        start: State,
        budget: Budget,
        prompt: Prompt,
        proposer: Proposer,
        index: PrefixIndex,
        watch: Stopwatch,
        others: Sequence[bytes | None] = (),
        number: int = 0,
    ) -> None:
        """Begin with nothing written; `others` are what came first in texts that this one has to differ from."""
        self.interrupted = False
        """Whether it was ended from outside: nobody wants it any more, or its time is up."""
        self._request = request
        self._limits = request.limits
        self._budget = budget
        self._prompt = prompt
        self._pieces = proposer.vocabulary.pieces
        self._ends = proposer.vocabulary.ends
        self._index = index
        self._watch = watch
        self._others = frozenset(others)
        self._random = Random(f"{self._limits.seed} {number}")
        self._writing = Writing(start, proposer.vocabulary)
        extent = Extent(start, request.right, self._limits.shape)
        self._bounds = StopRules(self._writing, extent, request.right)
        self._indentation = find_indentation(request.left, request.right)
        self._ahead = DraftFollower(prompt, self._pieces, drafting=self._limits.drafting)

    @property
    def first(self) -> bytes | None:
        """What came first, as `others` have it; see `Writing.first`."""
        return self._writing.first

    def run(self, generation: Generation) -> Completion:
        """Write to the end and return the outcome."""
        self._generation = generation
        while True:
            stop = self._interruption()
            if stop is None:
                stop = Stop.BUDGET if self._is_spent() else self._step()
            if stop is not None:
                return self._finish(stop)

    def _is_spent(self) -> bool:
        """Return whether the tokens are used up, or just enough for a closing; chance may draw another as short."""
        return self._budget.left <= 0 or (self._limits.temperature == 0 and self._budget.is_forced)

    def _interruption(self) -> Stop | None:
        """Return why the writing must end now, if it must."""
        stop = None
        if self._request.cancellation.cancelled:
            stop = Stop.CANCELLED
        elif self._limits.seconds is not None and self._watch.elapsed >= self._limits.seconds:
            stop = Stop.TIME
        self.interrupted = stop is not None
        return stop

    def _step(self) -> Stop | None:
        """Take the best token that fits; return why it was the last one, or why none is taken."""
        writing = self._writing
        dear = False  # a token fitted and could not be closed in time
        asked = False  # what has to come then was asked for
        odd: list[_Fitting] = []  # the tokens that are only indented in another way
        rank = 0
        for rank, (token, piece, path) in enumerate(self._timed(self._proposals())):
            if rank and rank % _RANKS == 0:
                if (dear or odd) and (taken := self._take_otherwise(dear and not asked, odd)):
                    return taken.stop
                asked = dear
                if dear and rank >= _MOST_RANKS:
                    break
                if stop := self._interruption():
                    return stop
            if not piece:
                if token in self._ends and self._may_end():
                    writing.begin(None)
                    return Stop.END
                writing.refuse(token, Cause.UNFINISHED if token in self._ends else Cause.SPECIAL)
                continue
            state = self._advance(token, piece)
            if state is None:
                writing.refuse(token, Cause.UNFIT)
                if rank == 0 and self._bounds.comes_anyway(piece) and self._may_end():
                    writing.begin(None)
                    return Stop.FOLLOWING
                continue
            fitting = _Fitting(token, piece, state, path)
            if self._indentation and not self._indentation.fits(writing.text + piece, writing.state, state):
                writing.refuse(token, Cause.INDENTATION)
                odd.append(fitting)
                continue
            if self._bounds.escapes(state):
                writing.refuse(token, Cause.ESCAPE)
                dear = True
                continue
            if stop := self._bounds.reached(piece, state):
                return stop
            if (repeats := repetition(writing.text + piece)) is not None:
                mark = writing.best_stop(repeats)
                if mark is not None:
                    writing.begin(piece)
                    writing.cut(mark)
                    return Stop.REPETITION
                writing.refuse(token, Cause.REPETITION)
                continue
            if self._take(fitting, search=rank < _SEARCHED):
                return None
            writing.refuse(token, Cause.UNCLOSABLE)
            dear = True
        if taken := self._take_otherwise(dear and not asked, odd):
            return taken.stop
        return Stop.BUDGET if dear else Stop.UNFIT

    def _take_otherwise(self, dear: bool, odd: list[_Fitting]) -> _Taken | None:
        """Take what has to come, or one of the tokens that are not in the manner of the file; empty the list.

        Returns None if none of them is taken.
        """
        if dear and (planned := self._planned()) is not None:
            if stop := self._bounds.reached(planned.piece, planned.state):
                return _Taken(stop)
            taken = self._take(planned)
            assert taken, "a plan is followed in time"
            return _Taken(None)
        others, odd[:] = odd[:], []
        for fitting in others:
            if stop := self._bounds.reached(fitting.piece, fitting.state):
                return _Taken(stop)
            if self._take(fitting, search=False):
                return _Taken(None)
        return None

    def _may_end(self) -> bool:
        """Return whether the model may end the text here; one that has nothing yet only if no other ended like that."""
        return self._writing.state.accepting and (self._writing.tokens > 0 or None not in self._others)

    def _planned(self) -> _Fitting | None:
        """Return the next token of the known way to finish, if it is no name."""
        planned = self._budget.planned(self._writing.text, self._writing.state)
        if planned is None:
            return None
        token, piece = planned
        state = self._writing.state.advance(piece)
        assert state is not None, "a plan fits"
        return _Fitting(token, piece, state, () if self._writing.tokens else self._prompt.held_tokens)

    def _proposals(self) -> Iterator[_Proposal]:
        """Yield tokens with what they would add to the text, in the order in which they are tried."""
        generation, limits = self._generation, self._limits
        first = not self._writing.tokens
        if first and self._prompt.held:
            yield from self._spellings()
            return
        if not first:
            self._writing.mark(generation.ending())
        if limits.temperature > 0:
            pairs = by_chance(generation, limits, self._random, self._ends, self._mask)
        else:
            pairs = by_rank(generation, len(self._pieces), self._ends, self._mask)
        for token, _ in pairs:
            piece = self._piece(token)
            if not first or piece not in self._others:
                yield _Proposal(token, piece)

    def _spellings(self) -> Iterator[_Proposal]:
        """Yield what may come first: it has to spell what was held back of the left text before it goes on."""
        prompt, heat = self._prompt, self._limits.temperature
        found = spellings(self._generation, prompt.held, self._index, len(self._pieces))
        likeliest = list(islice(found, _SPELLINGS)) if heat > 0 else []
        scores = [(place, spelling.score / heat) for place, spelling in enumerate(likeliest)]
        count = nucleus([score for _, score in scores], self._limits.top_p) if scores else 0
        order = (*drawn(scores[:count], self._random), *drawn(scores[count:], self._random))
        for spelling in chain((likeliest[place] for place, _ in order), found):
            piece = self._piece(spelling.token)
            added = piece[spelling.skipped :] if piece else None
            if added not in self._others and len(spelling.path) <= prompt.spare:
                yield _Proposal(spelling.token, added, spelling.path)

    def _piece(self, token: int) -> bytes | None:
        return self._pieces[token] if token < len(self._pieces) else None

    def _mask(self) -> Mask | None:
        open_masker = self._request.open_masker
        return None if open_masker is None else open_masker().mask(self._writing.state)

    def _timed(self, proposals: Iterator[_Proposal]) -> Iterator[_Proposal]:
        """Yield proposals; what it takes to get them is charged to the model, all other time to the constraint."""
        account = "model" if self._writing.tokens else "prompt"
        for place in count():
            asks = place % _AT_ONCE == 0  # the others are at hand
            if asks:
                self._watch.charge("constraint")
            proposal = next(proposals, None)
            if asks:
                self._watch.charge(account)
            if proposal is None:
                return
            yield proposal

    def _advance(self, token: int, piece: bytes) -> State | None:
        """Return the state after a token, from the draft if it was asked there."""
        return self._ahead.state(token) or self._writing.state.advance(piece)

    def _take(self, fitting: _Fitting, *, search: bool = True) -> bool:
        """Go on with a token, unless the text could not be closed in time after it; see `Budget.take`."""
        token, piece, state, path = fitting
        if not self._budget.take(token, piece, self._writing.text + piece, state, search=search):
            return False
        self._bounds.take(piece, state)
        self._writing.append(piece, state)
        generation = self._generation
        for spelt in path:
            generation.feed(spelt)
        self._ahead.spell(path)
        draft = self._ahead.follow(token, state, self._budget.left - 1)
        generation.feed(token)
        if self._budget.left > 0:
            # A device works by itself from here on, while the questions of the next step are prepared.
            self._watch.charge("constraint")
            generation.start(draft)
            self._watch.charge("model")
        return True

    def _finish(self, stop: Stop) -> Completion:
        """Return the outcome: what was written, cut or closed unless it ended by itself."""
        text, closing = self._outcome(stop)
        if text is None and stop is not Stop.CANCELLED:
            stop = Stop.INVENTED
        if text is not None:
            request = self._request
            text = tidy(text, request.left, request.right, self._writing.start)
            closing = closing if text.endswith(closing) else ""
            if characters(text) < self._limits.min_characters:
                text, stop = None, Stop.SHORT
        self._watch.charge("constraint")
        return Completion(
            text,
            stop,
            closing if text is not None else "",
            self._writing.tokens,
            self._writing.refused,
            self._watch.seconds,
            self._writing.refusals(),
        )

    def _outcome(self, stop: Stop) -> tuple[str | None, str]:
        """Return the text and its closing; no text where none is worth to be shown."""
        writing = self._writing
        if stop is Stop.CANCELLED:
            return None, ""
        if stop in _ENDED:
            return writing.text.decode(), ""
        mark = writing.best_stop()
        if mark is not None:
            return writing.text[: mark.length].decode(), ""
        finished = self._budget.finish(writing.text, writing.state)
        assert finished.state.accepts(finished.closing), f"{finished.closing!r} closes nothing"
        text = finished.start + finished.closing
        try:
            closing = finished.closing.decode()
        except UnicodeDecodeError:  # only a name goes on inside a character
            return None, ""
        if not text.strip() or not is_placeholder(finished.state, closing):
            return text.decode(), closing
        return None, ""
