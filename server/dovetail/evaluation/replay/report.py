"""The report of replays: numbers for programs, tables for a repository, a page with the plot for people.

None of them holds text of a file.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dovetail.evaluation import markup
from dovetail.evaluation.journal import read_all
from dovetail.evaluation.replay import tables
from dovetail.evaluation.replay.measures import measure, milliseconds, walked
from dovetail.evaluation.replay.plot import Curve, plot
from dovetail.evaluation.replay.record import ReplaySetup
from dovetail.evaluation.replay.tradeoff import trade_off
from dovetail.evaluation.report import replace_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.evaluation.replay.record import ReplayRecord
    from dovetail.evaluation.replay.tradeoff import Point
    from dovetail.evaluation.tables import Table

RESULTS = "typing.json"
PAGE = "typing.html"
DOCUMENT = "typing.md"

_TITLE = "Completions while typing"

_LEAD = (
    "Held-out files are typed as a person types them: text is appended, bodies of functions are filled, parts of lines "
    "are written anew, in an editor that closes brackets and indents. A simulated user rests now and then, sees what "
    "would be shown there, and takes what is right: the whole for one key, a part for two or more. One that is of no "
    "use costs a key for reading. The figures of others are from people in an editor, on other files."
)

_STYLE = Path(__file__).parent.parent / "page.css"

Found = tuple[ReplaySetup, "Sequence[ReplayRecord]"]


def publish_replays(folder: Path) -> tuple[Path | None, dict[str, tuple[int, int]]]:
    """Write the report of the replays in a folder, unfinished ones too; return the page, and (done, cases) by name.

    No page is written where no case is done. Raises EvaluationError where the folder cannot be read or written.
    """
    found: dict[str, Found] = {
        name: (setup, records) for name, (setup, records) in read_all(folder, ReplaySetup).items()
    }
    done = {name: (len(records), setup.cases) for name, (setup, records) in found.items()}
    found = {name: one for name, one in found.items() if one[1]}
    if not found:
        return None, done
    curves = {name: trade_off(records) for name, (_, records) in found.items()}
    for name, text in (
        (RESULTS, json.dumps({name: _plain(*one, curves[name]) for name, one in found.items()}, indent=1) + "\n"),
        (DOCUMENT, _document(found, curves)),
        (PAGE, _page(found, curves)),
    ):
        replace_file(folder / name, text)
    return folder / PAGE, done


def _plain(setup: ReplaySetup, records: Sequence[ReplayRecord], curve: Sequence[Point]) -> dict[str, Any]:
    all_of = walked(records)
    median, high = milliseconds(all_of.walks)
    return {
        "setup": setup.to_json(),
        "files": len(records),
        "counts": all_of.total._asdict(),
        "measures": {name: value._asdict() for name, value in measure(all_of.tallies).items()},
        "milliseconds": {"median": median, "95 %": high},
        "thresholds": [{"threshold": point.threshold, **point.measures} for point in curve],
    }


def _document(found: Mapping[str, Found], curves: Mapping[str, Sequence[Point]]) -> str:
    parts = [f"# {_TITLE}\n", _LEAD + "\n", *(f"{_described(*one)}\n" for one in found.values())]
    parts += [table.markdown() for table in _summary(found)]
    for name, (setup, records) in found.items():
        parts.append(f"## {name}\n")
        parts += [table.markdown() for table in _tables(setup, records, curves[name])]
    return "\n".join(parts)


def _page(found: Mapping[str, Found], curves: Mapping[str, Sequence[Point]]) -> str:
    shown = [
        Curve(name, [(point.measures["ratio of completed code"], point.measures["acceptance"]) for point in curve])
        for name, curve in curves.items()
    ]
    body = plot(
        "Acceptance and completed code", "a point for each threshold, with the lowest everything is shown", shown
    )
    body += "".join(map(markup.table, _summary(found)))
    for name, (setup, records) in found.items():
        body += f"<h2>{escape(name)}</h2>" + "".join(map(markup.table, _tables(setup, records, curves[name])))
    described = "".join(f'<p class="soft">{escape(_described(*one))}</p>' for one in found.values())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_TITLE}</title><style>{_STYLE.read_text(encoding='utf-8')}</style></head><body><main>"
        f"<h1>{_TITLE}</h1><p>{_LEAD}</p>{described}{body}</main></body></html>\n"
    )


def _summary(found: Mapping[str, Found]) -> list[Table]:
    records = {name: one for name, (_, one) in found.items()}
    both = tables.compared(records)
    return [tables.overview(records), *([both] if both is not None else [])]


def _tables(setup: ReplaySetup, records: Sequence[ReplayRecord], curve: Sequence[Point]) -> list[Table]:
    all_of = walked(records)
    made = [
        tables.by_kind_of_stretch(records), tables.by_place(all_of), tables.by_stop(all_of), tables.silences(all_of),
    ]  # fmt: skip
    return [*made, tables.by_threshold(curve, exact=setup.all_thresholds)] if len(curve) > 1 else made


def _described(setup: ReplaySetup, records: Sequence[ReplayRecord]) -> str:
    settings = ", ".join(f"{name} = {json.dumps(value)}" for name, value in setup.settings.items()) or "the defaults"
    without = f" without {', '.join(setup.without)}" if setup.without else ""
    return (
        f"{setup.name}: {len(records):,} of {setup.cases:,} files of the part `{setup.part.value}`{without} of "
        f"{setup.data} ({setup.files:,} files, {setup.digest}), seed {setup.seed}, about {setup.characters} characters "
        f"of each at most. Model: {setup.model}{f' ({setup.weights})' if setup.weights else ''}; {setup.numbers}. "
        f"Settings: {settings}. Dovetail {setup.dovetail} ({setup.engine}) on Python {setup.python}. Times are "
        "processor time of one thread."
    )
