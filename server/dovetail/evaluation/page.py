"""The report as one page that opens without a server: tables, plots, what went wrong, and a few cases to look at."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.evaluation import markup, published
from dovetail.evaluation.analysis import analyse
from dovetail.evaluation.crossing import cross
from dovetail.evaluation.fitting import Points, fit
from dovetail.evaluation.plots import Bar, Series, Theirs, bars, scatter
from dovetail.evaluation.record import Method
from dovetail.evaluation.tables import (
    crossing_table,
    failure_table,
    line_table,
    method_table,
    published_validity,
    reason_table,
    share,
    syncode_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.evaluation.experiment import Experiment
    from dovetail.evaluation.record import Record
    from dovetail.evaluation.tables import Table

_STYLE = Path(__file__).with_name("page.css")

_LEAD = (
    "Programs are cut, and a model fills the gap: by itself, with the longest beginning of that which happens to "
    "parse, and with Dovetail, which refuses at every token what cannot connect to the text after the cursor. "
    "Everything is judged by the interpreter's own parser, in place."
)

_MOST_POINTS = 1500
"""The most points of each kind in a plot; more make the page heavy and the plot black."""

_LONGEST_SHOWN = 300


def make_page(experiments: Sequence[Experiment]) -> str:
    """Return the page of some finished experiments as HTML."""
    shown = [experiment for experiment in experiments if experiment.setup.examples]
    counted = _counted(experiments)
    sections = [
        ("Results", _results(counted)),
        ("Published", _published()),
        ("Overhead", _overhead(counted)),
        ("Failures", _failures(counted)),
        ("Cases", _cases(shown)),
        ("Again", _again(experiments)),
    ]
    sections = [(name, inside) for name, inside in sections if inside]
    links = "".join(f'<a href="#{name.lower()}">{name}</a>' for name, _ in sections)
    body = "".join(f'<h2 id="{name.lower()}">{name}</h2>{inside}' for name, inside in sections)
    title = "Completions that fit both sides"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE.read_text(encoding='utf-8')}</style></head><body><main>"
        f'<h1>{title}</h1><p>{_LEAD}</p><p class="soft">{escape(describe(counted))}</p><nav>{links}</nav>'
        f"{_tiles(counted)}{body}</main></body></html>\n"
    )


def make_document(experiments: Sequence[Experiment]) -> str:
    """Return the tables of the page as Markdown, without any text of a file."""
    counted = _counted(experiments)
    parts = ["# Completions that fit both sides\n", _LEAD + "\n", describe(counted) + "\n"]
    for experiment in counted:
        setup = experiment.setup
        parts.append(f"## {setup.name}: {setup.cases:,} cases\n")
        parts.append(method_table("What each method came to", experiment.records).markdown())
        crossing = cross(experiment.records)
        if crossing is not None:
            parts.append(crossing_table("The same cases", crossing).markdown())
        theirs = published.CROSSINGS.get(setup.dataset)
        if theirs is not None:
            title = f"{published.MELCER} (theirs), {setup.dataset}"
            parts.append(crossing_table(title, theirs, published.MELCER_SETUP).markdown())
    parts += ["## Failures\n", _failure_table(counted).markdown(), _listed(counted)]
    parts.append("## Published elsewhere\n")
    parts += [published_validity().markdown(), syncode_table().markdown()]
    parts.append("## Overhead\n")
    parts.append(_lines(counted).markdown())
    return "\n".join(parts)


def _counted(experiments: Sequence[Experiment]) -> Sequence[Experiment]:
    """Return those that are there for their numbers; all of them if none is."""
    return [experiment for experiment in experiments if experiment.setup.counted] or experiments


def describe(experiments: Sequence[Experiment]) -> str:
    """Return a sentence on the model, the data and the versions."""
    setups = [experiment.setup for experiment in experiments]
    models = sorted({f"{setup.model}{f' ({setup.weights})' if setup.weights else ''}" for setup in setups})
    data = sorted({f"{setup.data} ({setup.files:,} files, {setup.digest})" for setup in setups})
    tokens = sorted({setup.max_tokens for setup in setups})
    numbers = sorted({setup.numbers for setup in setups})
    versions = sorted({f"Dovetail {setup.dovetail} ({setup.engine}) on Python {setup.python}" for setup in setups})
    return (
        f"Model: {', '.join(models)}. Data: {', '.join(data)}. At most {' or '.join(map(str, tokens))} tokens, the "
        f"likeliest one each time; {' or '.join(numbers)}. {', '.join(versions)}. "
        "Times are processor time of one thread."
    )


def _tiles(experiments: Sequence[Experiment]) -> str:
    tiles = []
    for experiment in experiments[:3]:
        outcomes = [record.outcomes.get(Method.CONSTRAINED) for record in experiment.records]
        good = sum(outcome is not None and outcome.valid for outcome in outcomes)
        others = [
            f"{method.value} {share(_valid(experiment.records, method), len(experiment.records))}"
            for method in (Method.UNCONSTRAINED, Method.CHECKED)
            if method in experiment.setup.methods
        ]
        label = f"{experiment.setup.name}: constrained and valid ({good:,} of {len(outcomes):,}). {'; '.join(others)}"
        label = label.replace(" %", "\N{NO-BREAK SPACE}%")
        tiles.append((share(good, len(outcomes)), label))
    compared = sum(record.compared for experiment in experiments for record in experiment.records)
    wrong = sum(len(record.disagreements) for experiment in experiments for record in experiment.records)
    tiles.append((f"{wrong:,}", f"disagreements between engine and interpreter about {compared:,} texts"))
    inside = "".join(f'<div class="tile"><b>{escape(b)}</b><span>{escape(text)}</span></div>' for b, text in tiles)
    return f'<div class="tiles">{inside}</div>'


def _results(experiments: Sequence[Experiment]) -> str:
    parts = [bars("Valid completions", [_bars(experiment) for experiment in experiments])]
    for experiment in experiments:
        setup = experiment.setup
        parts.append(f"<h3>{escape(setup.name)}: {setup.cases:,} cases, seed {setup.seed}</h3>")
        parts.append(markup.table(method_table("What each method came to", experiment.records)))
        crossing = cross(experiment.records)
        theirs = published.CROSSINGS.get(setup.dataset)
        if crossing is not None:
            tables = [markup.table(crossing_table("The same cases", crossing, f"{setup.model}"))]
            if theirs is not None:
                tables.append(
                    markup.table(crossing_table(published.MELCER, theirs, published.MELCER_SETUP, theirs=True))
                )
            parts.append(markup.side_by_side(*tables))
        reasons = markup.table(reason_table("By method", experiment.records))
        parts.append(markup.folded("Why the texts ended", reasons))
    return "".join(parts)


def _bars(experiment: Experiment) -> tuple[str, list[Bar]]:
    """Return the shares of an experiment, and beside them the published ones of the same data set."""
    records, setup = experiment.records, experiment.setup
    group = []
    for method in setup.methods:
        good = _valid(records, method)
        group.append(Bar(method.value, method.value, good / len(records), share(good, len(records))))
    theirs = published.CROSSINGS.get(setup.dataset)
    if theirs is not None:
        free = sum(theirs.unconstrained)
        counts = (
            (Method.UNCONSTRAINED, free),
            (Method.CHECKED, free + sum(theirs.checked)),
            (Method.CONSTRAINED, theirs.constrained[0]),
        )
        group += [
            Bar(f"{method.value}, theirs", f"{method.value} other", count / theirs.total, share(count, theirs.total))
            for method, count in counts
            if method in setup.methods
        ]
    return setup.name, group


def _valid(records: Sequence[Record], method: Method) -> int:
    return sum(method in record.outcomes and record.outcomes[method].valid for record in records)


def _published() -> str:
    return (
        "<p>What others have published, with other models and on other files: to be read beside the numbers above, not "
        "against them.</p>" + markup.side_by_side(markup.table(published_validity()), markup.table(syncode_table()))
    )


def _overhead(experiments: Sequence[Experiment]) -> str:
    points = _points(experiments)
    if not points["one-time, constrained"]:
        return ""
    thin = {label: _thinned(found) for label, found in points.items()}
    a_token = scatter(
        "Mean overhead per generated token",
        [
            Series("checked", "checked", thin["per token, checked"]),
            Series("constrained", "constrained", thin["per token, constrained"]),
        ],
        [
            Theirs("their checked", "checked", published.CHECKED_OVERHEAD),
            Theirs("their constrained", "constrained", published.CONSTRAINED_OVERHEAD),
        ],
        "characters of context",
        "thick lines are medians, each dot is a case",
    )
    once = scatter(
        "One-time overhead of constrained generation",
        [Series("constrained", "constrained", thin["one-time, constrained"])],
        [Theirs("theirs", "constrained", published.ONE_TIME)],
        "characters of context",
        "the thick line is the median, each dot is a case",
    )
    note = (
        "<p>In the form of figure 11 of Melcer et al. 2024, whose lines of best fit are dashed; they were measured "
        "on another machine. Checked generation parses the whole file for every token.</p>"
    )
    return note + markup.side_by_side(a_token, once) + markup.table(_lines(experiments))


def _lines(experiments: Sequence[Experiment]) -> Table:
    theirs = [
        ("per token, checked", published.CHECKED_OVERHEAD),
        ("per token, constrained", published.CONSTRAINED_OVERHEAD),
        ("one-time, constrained", published.ONE_TIME),
    ]
    return line_table({label: fit(points) for label, points in _points(experiments).items()}, theirs)


def _points(experiments: Sequence[Experiment]) -> dict[str, Points]:
    """Return label → (characters of context, milliseconds) of each case where something was measured."""
    points: dict[str, Points] = {
        "per token, checked": [],
        "per token, constrained": [],
        "one-time, constrained": [],
    }
    for record in (record for experiment in experiments for record in experiment.records):
        for method, outcome in record.outcomes.items():
            label = f"per token, {method.value}"
            if label in points and outcome.tokens and outcome.constraint > 0:
                points[label].append((record.context, outcome.constraint / outcome.tokens))
            if outcome.contexts > 0:
                points["one-time, constrained"].append((record.context, outcome.contexts))
    return points


def _thinned(points: Points) -> Points:
    step = -(-len(points) // _MOST_POINTS)
    return points[::step] if step > 1 else points


def _failures(experiments: Sequence[Experiment]) -> str:
    parts = [markup.table(_failure_table(experiments))]
    for experiment in experiments:
        found = analyse(experiment.records).all
        if found:
            quoting = experiment.setup.examples > 0
            summary = f"{experiment.setup.name}: {len(found)} {'case' if len(found) == 1 else 'cases'}"
            parts.append(markup.folded(summary, markup.failures(found, quoting=quoting)))
    return "".join(parts)


def _failure_table(experiments: Sequence[Experiment]) -> Table:
    analyses = {experiment.setup.name: analyse(experiment.records) for experiment in experiments}
    return failure_table(analyses, {experiment.setup.name: experiment.setup.cases for experiment in experiments})


def _listed(experiments: Sequence[Experiment]) -> str:
    """Return the failures as Markdown."""
    return "".join(
        f"- {experiment.setup.name}: `{failure.place}` {failure.kind}"
        f"{', unconstrained ✓' if failure.unconstrained else ''}: {failure.told(quoting=False)}\n"
        for experiment in experiments
        for failure in analyse(experiment.records).all
    )


def _cases(experiments: Sequence[Experiment]) -> str:
    parts = [
        markup.case(record)
        for experiment in experiments
        for record in _telling(experiment.records)[: experiment.setup.examples]
    ]
    if not parts:
        return ""
    note = "<p>The text before and after the cursor is grey; what each method inserts is set off.</p>"
    return note + "".join(parts)


def _telling(records: Sequence[Record]) -> list[Record]:
    """Return the cases that are short enough to be read, those in which the methods differ first."""
    short = [
        record
        for record in records
        if len(record.removed) <= _LONGEST_SHOWN
        and any(outcome.text and outcome.text.strip() for outcome in record.outcomes.values())
    ]
    return sorted(short, key=lambda record: (-len(set(_texts(record))), record.case))


def _texts(record: Record) -> Iterator[str | None]:
    for outcome in record.outcomes.values():
        yield outcome.text


def _again(experiments: Sequence[Experiment]) -> str:
    commands = [
        f"dovetail eval --data {setup.data} --dataset {setup.dataset} --cases {setup.cases} --seed {setup.seed} "
        f"--max-tokens {setup.max_tokens} --methods {','.join(method.value for method in setup.methods)} "
        f"--name {setup.name} --output FOLDER"
        for setup in (experiment.setup for experiment in experiments)
    ]
    return (
        "<p>The same seed gives the same cases and the same texts; <code>--model</code> takes any causal language "
        "model of the transformers library, and <code>--shard</code> spreads the cases over machines.</p>"
        f'<pre class="command">{escape(chr(10).join(commands))}</pre>'
    )
