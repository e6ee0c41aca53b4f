"""One model before the cases: each is completed with and without the constraint, and every text is judged twice.

The methods share what they can. Checked unconstrained generation tries beginnings of what unconstrained generation
wrote; all methods have the same prompt, read once. What the interpreter says of those beginnings is compared with
what the engine says, in both directions: a text that is a program in its place has to be one for the engine, and the
reverse.

Times are processor time of one thread, so that a busy machine does not count.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request
from dovetail.evaluation.record import Method, Outcome, Record
from dovetail.evaluation.subject import INTERPRETER
from dovetail.evaluation.unconstrained import Written, write
from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from dovetail.decoding.completion import Completion
    from dovetail.decoding.proposer import Proposer
    from dovetail.engine.language import Language
    from dovetail.evaluation.cases import Case
    from dovetail.evaluation.cuts import DataSet
    from dovetail.evaluation.subject import JudgedLanguage
    from dovetail.quotient.quotient import Quotient
    from dovetail.quotient.state import State

_EXCERPT = 320
"""Characters of each context that are kept for people to read."""

_REFUSALS = 5

_CHECKED = "its longest beginning that parses"
_UNCHECKED = "no beginning of it parses"


class Trial:
    """A model and a language, and how they are tried."""

    def __init__(
        self,
        language: Language,
        proposer: Proposer,
        dataset: DataSet,
        methods: Collection[Method],
        max_tokens: int,
        beams: int = 1,
        subject: JudgedLanguage = INTERPRETER,
    ) -> None:
        self._language = language
        self._verdict = subject.verdict
        self._proposer = proposer
        self._methods = methods
        self._limits = Limits(max_tokens, shape=dataset.shape, min_characters=0, beams=beams)
        self._prompts = Prompts(proposer)
        self._decoder = Decoder(proposer, clock=time.thread_time)
        self._masker = Masker(language, proposer.vocabulary)

    def run(self, case: Case) -> Record:
        """Return what becomes of a case."""
        document = str(case.number)  # the methods share what the model has read of the prompt
        prompt = self._prompts.build(case.left, case.right, self._limits.max_tokens)
        started = time.thread_time()
        generation = self._proposer.begin(prompt.tokens, document)
        generation.ranked(1)
        read = time.thread_time() - started

        outcomes: dict[Method, Outcome] = {}
        tried: dict[str, bool | None] = {case.removed: True}
        if {Method.UNCONSTRAINED, Method.CHECKED} & set(self._methods):
            written = write(
                generation, prompt, self._proposer, self._prompts.index, self._limits.shape, time.thread_time
            )
            if Method.UNCONSTRAINED in self._methods:
                outcomes[Method.UNCONSTRAINED] = self._unconstrained(case, written)
            if Method.CHECKED in self._methods:
                outcomes[Method.CHECKED] = self._checked(case, written, tried)
        if Method.CONSTRAINED not in self._methods:
            quotient = self._language.quotient(case.left, case.right)
        else:
            quotient, completion = self._complete(case, document)
            outcomes[Method.CONSTRAINED] = self._constrained(case, completion)
            if completion.text is not None:
                tried[completion.text] = self._verdict(case.left + completion.text + case.right)
        judged = {text: said for text, said in tried.items() if said is not None}
        return Record(
            case=case.number,
            file=case.file,
            offset=case.begin,
            context=len(case.left) + len(case.right),
            before=case.left[-_EXCERPT:],
            removed=case.removed,
            after=case.right[:_EXCERPT],
            prompt=1000 * read,
            compared=len(judged),
            disagreements=_disagreements(quotient, judged),
            outcomes={method: outcomes[method] for method in Method if method in outcomes},
        )

    def _unconstrained(self, case: Case, written: Written) -> Outcome:
        return self._outcome(case, written.text, written.reason, len(written.pieces), model=written.seconds)

    def _checked(self, case: Case, written: Written, tried: dict[str, bool | None]) -> Outcome:
        """Return the longest beginning that parses in its place; take note of what was tried.

        After each token the whole is parsed, which is what this method costs. Only where no token ends at a program
        are the places within tokens tried as well, which is not counted.
        """
        started = time.thread_time()
        longest: str | None = None
        for text in written.prefixes():
            if text is not None:
                tried[text] = self._verdict(case.left + text + case.right)
                longest = text if tried[text] else longest
        seconds = time.thread_time() - started
        if longest is None:
            whole = written.text
            for length in range(len(whole), -1, -1):
                text = whole[:length]
                if text not in tried:
                    tried[text] = self._verdict(case.left + text + case.right)
                    if tried[text]:
                        longest = text
                        break
        reason = _CHECKED if longest is not None else _UNCHECKED
        return self._outcome(case, longest, reason, len(written.pieces), model=written.seconds, constraint=seconds)

    def _complete(self, case: Case, document: str) -> tuple[Quotient, Completion]:
        opened: list[Quotient] = []

        def open_quotient() -> Quotient:
            opened.append(self._language.quotient(case.left, case.right))
            return opened[0]

        request = Request(
            case.left,
            case.right,
            open_quotient,
            self._limits,
            document=document,
            open_masker=lambda: self._masker,
        )
        [completion] = self._decoder.candidates(request, 1)  # never from memory
        return opened[0], completion

    def _constrained(self, case: Case, completion: Completion) -> Outcome:
        refusals = [
            f"`{refusal.piece}` after `{refusal.text[-40:]}`: {refusal.cause.value}"
            for refusal in completion.refusals[:_REFUSALS]
        ]
        return self._outcome(
            case,
            completion.text,
            completion.stop.value,
            completion.tokens,
            contexts=completion.seconds.contexts,
            model=completion.seconds.model,
            constraint=completion.seconds.constraint,
            refusals=refusals if completion.text is None else [],
        )

    def _outcome(
        self,
        case: Case,
        text: str | None,
        reason: str,
        tokens: int,
        *,
        contexts: float = 0.0,
        model: float = 0.0,
        constraint: float = 0.0,
        refusals: Collection[str] = (),
    ) -> Outcome:
        return Outcome(
            text=text,
            valid=text is not None and self._verdict(case.left + text + case.right) is True,
            exact=text == case.removed,
            similarity=0.0 if text is None else Levenshtein.normalized_similarity(text, case.removed),
            reason=reason,
            tokens=tokens,
            contexts=1000 * contexts,
            model=1000 * model,
            constraint=1000 * constraint,
            refusals=tuple(refusals),
        )


def _disagreements(quotient: Quotient, judged: Mapping[str, bool]) -> tuple[str, ...]:
    """Return the middles about which the engine does not say what the interpreter said."""
    # A case is cut from a program, so nothing of it is to be ignored.
    usable = quotient.viable and not quotient.ignored
    found = []
    before = ""
    state: State | None = quotient.start if usable else None
    for text, said in judged.items():
        # Most texts go on from the one before.
        if usable and not text.startswith(before):
            before, state = "", quotient.start
        rest = text[len(before) :]
        state = state.advance(rest) if state is not None and rest else state
        before = text
        if (state is not None and state.accepting) is not said:
            found.append(text)
    return tuple(found)
