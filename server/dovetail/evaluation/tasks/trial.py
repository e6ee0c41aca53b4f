"""One model before the tasks: each body is written with and without the constraint, and judged by the real parser.

Times are processor time of one thread, as in the other experiments.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.request import Request
from dovetail.evaluation.record import Method
from dovetail.evaluation.tasks.program_run import run_program
from dovetail.evaluation.tasks.record import TaskOutcome, TaskRecord
from dovetail.evaluation.unconstrained import write
from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from dovetail.decoding.proposer import Proposer
    from dovetail.engine.language import Language
    from dovetail.evaluation.subject import JudgedLanguage
    from dovetail.evaluation.tasks.program_run import RunLimits
    from dovetail.evaluation.tasks.task import CodeTask

NOTHING = "nothing is offered"


class TaskTrial:
    """A model and a language, and how they are tried."""

    def __init__(
        self,
        tasks: Sequence[CodeTask],
        subject: JudgedLanguage,
        language: Language,
        proposer: Proposer,
        methods: Collection[Method],
        max_tokens: int,
        command: str,
        limits: RunLimits,
    ) -> None:
        """Take tasks; `command` runs a program, and is empty where none is to be run."""
        self._tasks = tasks
        self._subject = subject
        self._language = language
        self._proposer = proposer
        self._methods = methods
        self._limits = Limits(max_tokens, shape=Shape.FREE, min_characters=0)
        self._prompts = Prompts(proposer)
        self._decoder = Decoder(proposer, clock=time.thread_time)
        self._masker = Masker(language, proposer.vocabulary)
        self._command = command
        self._run_limits = limits

    def run(self, number: int) -> TaskRecord:
        """Return what becomes of a task."""
        task, outcomes = self._tasks[number], {}
        if Method.UNCONSTRAINED in self._methods:
            outcomes[Method.UNCONSTRAINED] = self._unconstrained(task)
        if Method.CONSTRAINED in self._methods:
            outcomes[Method.CONSTRAINED] = self._constrained(task)
        return TaskRecord(number, task.name, outcomes)

    def _unconstrained(self, task: CodeTask) -> TaskOutcome:
        prompt = self._prompts.build(task.prompt, "", self._limits.max_tokens)
        generation = self._proposer.begin(prompt.tokens, task.name)
        generation.ranked(1)  # reads the prompt
        written = write(generation, prompt, self._proposer, self._prompts.index, Shape.FREE, time.thread_time)
        text = task.until_stop(written.text)
        return self._outcome(task, text, written.reason, len(written.pieces), written.seconds)

    def _constrained(self, task: CodeTask) -> TaskOutcome:
        request = Request(
            task.prompt,
            "",
            lambda: self._language.quotient(task.prompt, ""),
            self._limits,
            document=task.name,
            open_masker=lambda: self._masker,
        )
        [completion] = self._decoder.candidates(request, 1)
        seconds = completion.seconds.contexts + completion.seconds.model + completion.seconds.constraint
        text = completion.text
        if text is not None:
            # What follows the function is left out, as of the other texts, where the rest is a program.
            shorter = task.until_stop(text)
            text = shorter if self._subject.verdict(task.prompt + shorter) else text
        return self._outcome(task, text, completion.stop.value, completion.tokens, seconds)

    def _outcome(self, task: CodeTask, text: str | None, reason: str, tokens: int, seconds: float) -> TaskOutcome:
        accepted, error, passed, printed = False, NOTHING, None, ""
        if text is not None:
            said = self._subject.judge(task.prompt + text)
            accepted, error = said.accepted is True, "" if said.accepted else said.error
        if self._command:
            passed = False
            if accepted and text is not None:
                ending = "".join(self._subject.facts.extensions[:1])
                passed, printed = run_program(self._command, task.program(text), ending, self._run_limits)
        return TaskOutcome(text, accepted, error, reason, tokens, 1000 * seconds, passed, printed)
