"""The report of experiments with tasks, in the form of SynCode's tables: errors, their kinds, times, passed tests."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

from dovetail.evaluation import published
from dovetail.evaluation.journal import read_all
from dovetail.evaluation.record import Method
from dovetail.evaluation.report import replace_file
from dovetail.evaluation.tables import Table, share
from dovetail.evaluation.tasks.record import TaskSetup
from dovetail.evaluation.unconstrained import BUDGET

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from dovetail.evaluation.tasks.record import TaskOutcome, TaskRecord

RESULTS = "tasks.json"
DOCUMENT = "tasks.md"

Found = dict[str, tuple[TaskSetup, "list[TaskRecord]"]]

_PLACE = re.compile(r"^(?:(?:[^\s:]*:)?\d+:\d+: |line \d+: )")
_NAMED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\d+""")
_MOST_KINDS = 10
_LEAD = (
    "A model writes functions from their headers, with nothing to the right of the cursor, with and without the "
    "constraint; the language's real parser judges the prompt with what was written."
)


def publish_tasks(folder: Path) -> tuple[Path | None, dict[str, tuple[int, int]]]:
    """Write the report of the tasks that are done; return it, and name → tasks done and all tasks.

    Raises EvaluationError where the folder cannot be read or written.
    """
    found: Found = {name: one for name, one in read_all(folder, TaskSetup).items() if one[1]}
    if not found:
        return None, {}
    plain = {
        name: {"setup": setup.to_json(), "records": [record.to_json() for record in records]}
        for name, (setup, records) in found.items()
    }
    replace_file(folder / RESULTS, json.dumps(plain, indent=1) + "\n")
    replace_file(folder / DOCUMENT, make_document(found))
    return folder / DOCUMENT, {name: (len(records), setup.cases) for name, (setup, records) in found.items()}


def make_document(found: Mapping[str, tuple[TaskSetup, Sequence[TaskRecord]]]) -> str:
    """Return the tables of some experiments as Markdown."""
    parts = ["# Functions from their headers\n", _LEAD + "\n", *(f"{_described(*one)}\n" for one in found.values())]
    parts += [table.markdown() for table in (error_table(found), kind_table(found), time_table(found))]
    parts.append(passed_table(found).markdown())
    return "\n".join(parts)


def error_table(found: Mapping[str, tuple[TaskSetup, Sequence[TaskRecord]]]) -> Table:
    """Return the texts with errors, in the form of SynCode's tables 1 and 2, theirs below ours."""
    rows = []
    for name, (_, records) in found.items():
        for method in Method:
            outcomes = _outcomes(records, method)
            if outcomes:
                wrong = [outcome for outcome in outcomes if not outcome.accepted]
                cut = sum(outcome.reason == BUDGET for outcome in wrong)
                nothing = sum(outcome.text is None for outcome in wrong)
                rows.append((name, method.value, f"{len(outcomes):,}", f"{len(wrong):,}", f"{cut:,}", f"{nothing:,}"))
    theirs = ((published.SYNCODE_ROWS, "Python"), (published.SYNCODE_GO_ROWS, "Go"))
    for published_rows, language in theirs:
        for row in published_rows:
            what = f"{row.model}, {language}, {row.kind.lower()} (theirs)"
            rows.append((what, "without → with", "HumanEval", f"{row.humaneval[0]} → {row.humaneval[1]}", "–", "–"))
    columns = ("experiment", "method", "texts", "with an error", "of them cut off by the budget", "nothing offered")
    return Table(f"Errors of syntax, beside {published.SYNCODE}", columns, rows, published.SYNCODE_SETUP, theirs=True)


def kind_table(found: Mapping[str, tuple[TaskSetup, Sequence[TaskRecord]]]) -> Table:
    """Return the objections of the parsers, the most frequent kinds first."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for name, (_, records) in found.items():
        for record in records:
            for method, outcome in record.outcomes.items():
                if not outcome.accepted:
                    counts[name, method.value, kind_of(outcome.error)] += 1
    rows = [(name, method, kind, f"{count:,}") for (name, method, kind), count in counts.most_common(_MOST_KINDS)]
    return Table("Kinds of errors", ("experiment", "method", "what the parser says", "texts"), rows)


def kind_of(error: str) -> str:
    """Return an objection without its place, names and numbers.

    >>> kind_of("line 7: '(' was never closed"), kind_of("")
    ('… was never closed', 'it gives up')
    """
    return " ".join(_NAMED.sub("…", _PLACE.sub("", error)).split()) or "it gives up"


def time_table(found: Mapping[str, tuple[TaskSetup, Sequence[TaskRecord]]]) -> Table:
    """Return the time a token and a text, in the form of SynCode's table 3."""
    rows = []
    for name, (_, records) in found.items():
        costs = {}
        for method in Method:
            outcomes = _outcomes(records, method)
            if outcomes:
                tokens = max(1, sum(outcome.tokens for outcome in outcomes))
                milliseconds = sum(outcome.milliseconds for outcome in outcomes)
                costs[method] = milliseconds / tokens
                ratio = costs[method] / costs[Method.UNCONSTRAINED] if costs.get(Method.UNCONSTRAINED) else 0.0
                rows.append(
                    (
                        name,
                        method.value,
                        f"{tokens / len(outcomes):.1f}",
                        f"{costs[method]:.2f} ms",
                        f"{milliseconds / len(outcomes) / 1000:.2f} s",
                        f"{ratio:.2f}" if ratio else "–",
                    )
                )
    rows.append(("SynCode (theirs)", "LR(1)", "–", "–", "–", f"{published.SYNCODE_OVERHEAD:.2f}"))
    columns = ("experiment", "method", "tokens a text", "time a token", "time a text", "times the unconstrained token")
    note = "Processor time of one thread after the prompt was read; the constraint and reading contexts are in it."
    return Table("Times", columns, rows, note, theirs=True)


def passed_table(found: Mapping[str, tuple[TaskSetup, Sequence[TaskRecord]]]) -> Table:
    """Return the share of tasks whose tests pass, in the form of SynCode's table 4."""
    rows = []
    for name, (_, records) in found.items():
        for method in Method:
            ran = [outcome for outcome in _outcomes(records, method) if outcome.passed is not None]
            if ran:
                passed = sum(outcome.passed is True for outcome in ran)
                rows.append((name, method.value, f"{len(ran):,}", share(passed, len(ran))))
    for model, python, go in published.SYNCODE_PASSED:
        for language, (without, with_) in (("Python", python), ("Go", go)):
            rows.append((f"{model}, {language} (theirs)", "without → with", "HumanEval", f"{without} → {with_} %"))
    columns = ("experiment", "method", "tasks", "pass@1")
    note = (
        "One text for each task, the likeliest token each time. An experiment without a row ran no program (`--run`)."
    )
    return Table("Functional correctness", columns, rows, note, theirs=True)


def _outcomes(records: Iterable[TaskRecord], method: Method) -> list[TaskOutcome]:
    return [record.outcomes[method] for record in records if method in record.outcomes]


def _described(setup: TaskSetup, records: Sequence[TaskRecord]) -> str:
    version = f" {setup.target}" if setup.target else ""
    run = f" Programs were run with `{setup.command}`." if setup.command else ""
    return (
        f"{setup.name}: {len(records):,} of {setup.cases:,} tasks of {setup.tasks} ({setup.digest}) in "
        f"{setup.language}{version}. Model: {setup.model}{f' ({setup.weights})' if setup.weights else ''}; "
        f"{setup.numbers}. At most {setup.max_tokens} tokens. Dovetail {setup.dovetail} ({setup.engine}).{run}"
    )
