"""The report: one page that needs nothing else, and lets nothing through that it was not made of."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from tests.evaluation.records import record, setup

from dovetail.evaluation.experiment import Experiment
from dovetail.evaluation.journal import Journal
from dovetail.evaluation.page import make_document, make_page
from dovetail.evaluation.report import publish

if TYPE_CHECKING:
    from pathlib import Path

EVIL = "</pre><script>alert('x')</script>&amp;"

_VOID = {"meta", "br", "link", "img", "hr", "input"}


class Reader(HTMLParser):
    """Reads a page and takes note of what it is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.text += data


def experiments(text: str = "x", examples: int = 3) -> list[Experiment]:
    counted = [record(case, case % 2 == 0, case % 3 == 0, case != 5, context=100 * (case + 1)) for case in range(30)]
    shown = [record(case, case == 0, text=text) for case in range(4)]
    return [
        Experiment(setup(cases=30), counted),
        Experiment(setup(name="examples", cases=4, examples=examples, counted=False), shown),
    ]


def test_the_page_is_whole_and_needs_nothing_else() -> None:
    """Every element is closed, nothing is loaded, no script runs, and both themes are there."""
    page = make_page(experiments())
    reader = Reader(page)

    assert reader.open == []
    assert page.startswith("<!doctype html>")
    assert "prefers-color-scheme: dark" in page
    assert {tag for tag, _ in reader.tags}.isdisjoint({"script", "link", "img", "iframe", "object"})
    outside = {"src", "srcset", "xlink:href", "action"}
    assert all(outside.isdisjoint(attributes) for _, attributes in reader.tags)
    assert all((attributes.get("href") or "#").startswith("#") for _, attributes in reader.tags)
    assert "url(" not in page
    assert "@import" not in page


def test_links_lead_somewhere() -> None:
    """Every entry of the contents has its heading."""
    reader = Reader(make_page(experiments()))
    places = {attributes["id"] for _, attributes in reader.tags if "id" in attributes}

    links = [(attributes.get("href") or "").removeprefix("#") for tag, attributes in reader.tags if tag == "a"]

    assert len(links) > 3
    assert set(links) <= places


def test_what_a_model_writes_is_text() -> None:
    """Markup in a completion is shown, not run."""
    page = make_page(experiments(EVIL))

    assert "<script>" not in page
    assert "</pre><script>alert('x')</script>&amp;" in Reader(page).text


def test_the_numbers_are_those_of_the_records() -> None:
    """Tiles, cross table and failures say what the records say; what is only shown is not counted."""
    text = Reader(make_page(experiments())).text

    assert "constrained and valid (29 of 30)" in text
    assert "disagreements between engine and interpreter about 90 texts" in text
    assert "boundary9001 of 3000" in text  # a row of the failures: 90 texts, 0, 1 of 30, 0, 0
    assert "65,342" in text
    assert "theirs" in text


def test_no_text_is_shown_where_none_may_be() -> None:
    """An experiment without examples leaves no text of its files, in the page or in the document."""
    secret = "confidential_name"
    hidden = [Experiment(setup(cases=1), [record(0, text=secret)])]

    assert secret not in make_page(hidden)
    assert secret not in make_document(hidden)
    assert secret in make_page([Experiment(setup(cases=1, examples=1), [record(0, text=secret)])])


def test_the_document_has_the_same_tables() -> None:
    """The Markdown has the cross table, the paper's beside it, and the analysis."""
    document = make_document(experiments())

    assert "| Total | 29 | 1 | 30 |" in document
    assert "| Total | 90,665 | 4,725 | 95,390 |" in document
    assert "| boundary | 90 | 0 | 1 of 30 | 0 | 0 |" in document
    assert "- boundary: `package/file.py:17` nothing offered: the model ended it, after 4 tokens" in document


@pytest.mark.parametrize("count", [1, 2, 3])
def test_small_experiments_have_a_page(count: int) -> None:
    """Too few points for a plot, or for a line through them, are no mistake."""
    records = [record(case, context=1000) for case in range(count)]

    assert Reader(make_page([Experiment(setup(cases=count), records)])).open == []


def test_publishing_writes_what_is_finished(tmp_path: Path) -> None:
    """Finished experiments are in all three files, unfinished ones in none, and are named."""
    for name, done in (("boundary", 2), ("other", 1)):
        journal = Journal(tmp_path, setup(name=name, cases=2))
        for case in range(done):
            journal.append(record(case))
        journal.close()

    published = publish(tmp_path)

    assert published.unfinished == {"other": (1, 2)}
    assert published.page == tmp_path / "report.html"
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert list(results) == ["boundary"]
    assert [row["method"] for row in results["boundary"]["records"]] == ["unconstrained", "checked", "constrained"] * 2
    assert results["boundary"]["setup"]["cases"] == 2
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".jsonl") == [
        "report.html",
        "report.md",
        "results.json",
    ]


def test_nothing_is_written_where_nothing_is_finished(tmp_path: Path) -> None:
    """Half an experiment is no result."""
    Journal(tmp_path, setup(cases=2)).close()

    published = publish(tmp_path)

    assert published.page is None
    assert [path.suffix for path in tmp_path.iterdir()] == [".jsonl"]


def test_an_experiment_with_examples_counts_beside_one_without() -> None:
    """Showing cases of one data set takes it out of no table; only what is said to be uncounted is."""
    made = [
        Experiment(setup(cases=2), [record(0), record(1)]),
        Experiment(setup(name="line", cases=1, examples=1, dataset="line"), [record(0)]),
        Experiment(setup(name="other", cases=1, examples=1, counted=False), [record(0)]),
    ]

    document = make_document(made)

    assert "## boundary: 2 cases" in document
    assert "## line: 1 cases" in document
    assert "## other" not in document
    assert "## other: 1 cases" in make_document(made[2:])


def test_failures_show_text_only_where_it_may_be_shown() -> None:
    """A text on which engine and interpreter disagree may be text of the file."""
    secret = "confidential_name"
    failed = [record(0, constrained=False, disagreements=[secret])]

    assert secret not in make_page([Experiment(setup(cases=1), failed)])
    assert secret not in make_document([Experiment(setup(cases=1, examples=1), failed)])
    assert secret in make_page([Experiment(setup(cases=1, examples=1), failed)])
