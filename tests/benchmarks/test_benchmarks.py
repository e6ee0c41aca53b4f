"""The benchmark runs, on texts that are what it says they are; how fast is never tested."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from lark import Lark, LarkError
from tests.benchmarks import broken, checking, engine, hostile, languages, other_files, plot
from tests.benchmarks.__main__ import main, with_tables
from tests.benchmarks.contexts import KINDS, Context, amid, contexts, json_contexts
from tests.benchmarks.flattening import DEEPEST, Flat
from tests.benchmarks.sections import SECTIONS
from tests.benchmarks.series import SUMMARY, Series, quantile
from tests.benchmarks.stalls import measure_handling, messages
from tests.benchmarks.tables import Table, shown
from tests.oracles.cpython import TARGET, parses

import dovetail

if TYPE_CHECKING:
    from pathlib import Path

BY_THE_CLOCK = {"stalls", "installation", "embedded", "speeds"}


def test_contexts_are_programs_of_the_size() -> None:
    """Every context is a program of about the wanted size, each of another file, and the choice is stable."""
    chosen = contexts(1_000, 5)

    assert all(parses(context.text) for context in chosen)
    assert all(850 <= len(context.text) <= 1_200 for context in chosen)
    assert len({context.source for context in chosen}) == 5
    assert chosen == contexts(1_000, 5)


def test_cursors_are_of_all_kinds() -> None:
    """Enough contexts have every kind of cursor that their texts have a place for, each around the middle."""
    chosen = contexts(10_000, 2 * len(KINDS))
    wanted = [KINDS[number % len(KINDS)] for number in range(len(chosen))]

    assert all(context.kind in (kind, "anywhere") for context, kind in zip(chosen, wanted, strict=True))
    assert len({context.kind for context in chosen}) > len(KINDS) / 2
    assert all(0.3 < len(context.left) / len(context.text) < 0.7 for context in chosen)


def test_large_contexts_are_several_files() -> None:
    """Files follow each other if none is so large, and the whole is a program."""
    (context,) = contexts(300_000, 1)

    assert 270_000 <= len(context.text) <= 300_000
    assert parses(context.text)


def test_the_same_cursor_amid_other_code() -> None:
    """A context with its surroundings is a program, and the cursor stays where it was."""
    (context,) = contexts(1_000, 1)
    around = amid(context, 60_000)

    assert 50_000 < len(around.text) < 63_000
    assert parses(around.text)
    assert around.left.endswith(context.left)
    assert around.middle == context.middle
    assert around.right.startswith(context.right)


def test_json_contexts_are_json() -> None:
    """The texts for engines that know JSON are JSON of about the size."""
    for context in json_contexts(3_000, 3):
        assert json.loads(context.text)["node"] == "Module"
        assert 1_000 < len(context.text) < 12_000


def test_lines_on_keeps_the_column() -> None:
    """A cursor moves down as arrow keys move it: same column, or the end of a shorter line or of the text."""
    text = "abcd\nef\nghij"

    assert [engine._lines_on(text, 3, count) for count in (0, 1, 2, 3)] == [3, 7, 11, 12]


def test_series_keeps_every_duration() -> None:
    """A series returns the result of the work and counts each measurement once."""
    series = Series()
    results = [series.time(lambda: "done") for _ in range(20)]
    summary = series.summary()

    assert results == ["done"] * 20
    assert summary["count"] == 20
    assert 0 <= summary["median"] <= summary["p95"] <= summary["p99"] <= summary["largest"]
    assert tuple(summary) == SUMMARY
    assert Series().summary() == {}


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1), (0.5, 50), (0.501, 51), (0.95, 95), (0.99, 99), (1.0, 100)])
def test_quantiles(share: float, expected: float) -> None:
    """Of the numbers from 1 to 100 each share has its number."""
    assert quantile([float(number) for number in range(1, 101)], share) == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("x", "x"), (0.0, "0"), (0.01234, "0.0123"), (0.5, "0.500"), (12.345, "12.3"), (1234.5, "1,234"), (7, "7")],
)
def test_cells(cell: str | float, expected: str) -> None:
    """A number shows three digits that mean something."""
    assert shown(cell) == expected


def test_every_kind_of_message_is_handled() -> None:
    """The event loop's work is measured for all that a client sends of a document, each as often as was wanted."""
    text = "x = 1\n" * 50

    found = measure_handling(text, 2)

    assert list(found) == list(messages(text))
    assert {len(series.durations) for series in found.values()} == {2}
    assert all(duration > 0 for series in found.values() for duration in series.durations)


def test_table_as_markdown() -> None:
    """A table in a document has its title, its note and a line for each row."""
    written = Table("Title", ("what", "median"), [("cold", 1.5)], "A note.").written()

    assert written == "## Title\n\nA note.\n\n| what | median |\n| --- | --- |\n| cold | 1.5 |\n"


def test_picture() -> None:
    """A picture is an SVG with a line for each kind of which there are points, and places grow with numbers."""
    picture = plot.growth("A < B", {"cold": [(1_000, 1.0), (10_000, 10.0)], "none": []}, [("bar", 1_000, 5.0)])
    root = ElementTree.fromstring(picture)
    lines = root.findall(".//{http://www.w3.org/2000/svg}polyline")
    (first, second) = [tuple(map(float, spot.split(","))) for spot in lines[0].attrib["points"].split()]

    assert len(lines) == 1
    assert first[0] < second[0]
    assert first[1] > second[1]  # up is smaller
    assert "A &lt; B" in picture


PROGRAMS = [
    "",
    "x = 1\n",
    "# nothing\n\nx = 1  # one\n",
    "x = (1,\n  # two\n2)\n",
    "if x:\n    y = 1\n\nelse:\n    pass\n",
    "if x:\ny = 1\n",
    "if x:\n    y = 1\n  z = 1\n",
    "def f(a, *, b=1):\n    if a:\n        return b\n    return 'text' \"text\"\n",
    "def f(a, a=):\n    pass\n",
    "x = [1, 2)\n",
    "x = = 1\n",
    "class A:\n    pass\n    x = 1\n@f\nclass B: x = 1; y = 2\n",
]


@pytest.fixture(scope="module")
def flat_python() -> Lark:
    """Python's flat grammar in an engine that knows neither modes nor layout."""
    flat = Flat(dovetail.load_language("python", target=TARGET))
    return Lark(flat.lark(), parser="earley", lexer="dynamic")


@pytest.mark.parametrize("text", PROGRAMS)
def test_flat_grammar_is_of_the_same_language(text: str, flat_python: Lark) -> None:
    """A flat grammar accepts what the language does, as far as its blocks are of four blanks."""
    try:
        flat_python.parse(text)
        accepted = True
    except LarkError:
        accepted = False

    assert accepted == dovetail.load_language("python", target=TARGET).accepts(text)


def test_flat_grammar_is_whole() -> None:
    """Every name that a flat grammar uses is defined, and it is as deep as it says."""
    flat = Flat(dovetail.load_language("python", target=TARGET))
    defined = set(flat.rules) | set(flat.words)

    assert {name for rule in flat.rules.values() for items in rule for name in items} <= defined
    assert f"LINE_{DEEPEST}" in defined
    assert f"LINE_{DEEPEST + 1}" not in defined


def test_numbers_are_printed_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints its tables and keeps the same numbers as JSON, as a document and as a picture."""
    kept = tmp_path / "numbers.json"
    arguments = ["--sizes", "1000", "--count", "2", "--json", str(kept), "--results", str(tmp_path)]
    arguments += ["--vocabularies", "embedded"]  # the others take minutes to be learnt
    # Stalls take minutes by the clock, an installation fetches packages, a large model is made to be timed, and the
    # check is of a whole library.
    arguments += [
        "--only",
        *(name for name in SECTIONS if name not in {*BY_THE_CLOCK, "broken", "checking", "languages", "other files"}),
    ]

    assert main(arguments) == 0
    written = json.loads(kept.read_text(encoding="utf-8"))
    growth = written[f"Python {TARGET}, over the size of the context"]
    assert [row["what"] for row in growth] == list(engine.KINDS)
    assert all(row["median"] > 0 for row in growth)
    assert [row["language"] for row in written["A fresh process loads a language"]] == [
        "json, cold",
        "json, cached",
        "python, cold",
        "python, cached",
    ]
    (memory,) = written["Memory"]
    assert 0 < memory["import"] <= memory["load"] <= memory["document and quotient"]
    followed = {(row["language"], row["engine"]): row["followed"] for row in written["Beside other engines"]}
    assert followed["json", "Dovetail"] == followed["python", "Dovetail"] == "2 of 2"
    printed = capsys.readouterr().out
    document = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert "1,000" in printed
    assert all(f"## {title}" in document for title in written)
    assert "<polyline" in (tmp_path / "growth.svg").read_text(encoding="utf-8")


@pytest.mark.skipif(not languages.FILES.is_dir(), reason="`make javascript-parsers` fetches the files")
def test_real_files_are_measured() -> None:
    """Cuts of real files are counted, with those over the bar, and each is of another file."""
    found = languages.measure("javascript", 3)
    chosen = list(islice(languages.file_contexts("javascript"), 5))

    assert (found["count"], found["largest"] > 0) == (3, True)
    assert 0 <= found["over the bar"] <= 3
    assert len({context.source for context in chosen}) == 5
    assert all(1_000 <= len(context.text) <= 15_000 for context in chosen)


def test_a_tree_is_checked_beside_its_compilation(tmp_path: Path) -> None:
    """All commands run on the modules of a library, without its tests."""
    for name in ("one.py", "package/two.py", "test/wrong.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a = 1\n" if "wrong" not in name else "a = \n", encoding="utf-8")

    count, seconds = checking.measure_checking(tmp_path, 1)

    assert count == 2
    assert list(seconds) == list(checking.COMMANDS)
    assert all(len(row) == 1 and row[0] > 0 for row in seconds.values())


def test_a_true_middle_that_is_refused_is_told() -> None:
    """The benchmark does not measure an engine that refuses what is right."""
    broken = Context("a file", "anywhere", "x = ", ") + ", "1\n")

    language, other = (dovetail.load_language("python", target=TARGET) for _ in range(2))
    with pytest.raises(AssertionError, match="a file"):
        engine.measure(language, other, [broken])


def test_hostile_texts_are_measured_at_each_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each size gives about so many characters and some processor time; what takes too long is not tried larger."""
    monkeypatch.setattr(hostile, "SIZES", (10, 40))
    json_language = dovetail.load_language("json")
    points = hostile.measure(json_language, hostile.JSON["lists open"])
    monkeypatch.setattr(hostile, "PATIENCE", 0)

    assert [characters for characters, _ in points] == [10, 40]
    assert all(milliseconds > 0 for _, milliseconds in points)
    assert len(hostile.measure(json_language, hostile.JSON["lists open"])) == 1


def test_a_part_that_is_measured_alone_replaces_its_tables_only() -> None:
    """The other tables of the page stay as they are, and a new one comes last."""
    first, second = Table("First", ("a",), [(1,)]), Table("Second", ("a",), [(2,)], "A note.")
    page = with_tables("# Heading\n\nText.\n", [first, second])

    again = with_tables(page, [Table("First", ("a",), [(3,)]), Table("Third", ("a",), [(4,)])])

    assert with_tables(page, [first, second]) == page
    assert page.startswith("# Heading\n\nText.\n\n## First\n")
    assert again.index("| 3 |") < again.index("## Second\n\nA note.\n") < again.index("## Third\n")
    assert "| 1 |" not in again


def test_requests_with_and_without_other_files(tmp_path: Path) -> None:
    """Each key is measured in both ways, once with parts of other files on its way and once without."""
    (tmp_path / "cart.py").write_text("class Cart:\n    def total(self):\n        return 1\n", "utf-8")
    (tmp_path / "shop.py").write_text("from cart import Cart\n\n\ncart = Cart()\nprint(cart.total())\n", "utf-8")

    found = other_files.measure(tmp_path, 1, 1)

    assert {len(series.durations) for (kind, _), series in found.items() if kind == other_files.FIRST} == {1}
    assert {len(series.durations) for (kind, _), series in found.items() if kind == other_files.KEY} == {7}
    assert all(min(series.durations) > 0 for (kind, _), series in found.items() if "passes" not in kind)


@pytest.mark.skipif(not languages.FILES.is_dir(), reason="`make javascript-parsers` fetches the files")
def test_broken_files_have_lost_one_bracket() -> None:
    """Each is a file of the corpus without one of its brackets, and does not fit."""
    language = dovetail.load_language("javascript")
    found = broken.measure("javascript", 2)

    assert all(len(series.durations) == 2 for series in found.values())
    for left, right in islice(broken.broken_files("javascript"), 3):
        assert not language.accepts(left + right)
        assert left[-1:].strip()
