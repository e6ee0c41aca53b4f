"""The files that are taken of a package, and the lists that they come from."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from tests.collection.__main__ import COLUMNS, LIST, collect, read_list, write_index
from tests.collection.fetching import FETCHERS, Fetched, RefusedError, Wanted, unpack

from dovetail.model.collection import SUFFIXES, read_collection
from dovetail.model.licences import is_permissive

if TYPE_CHECKING:
    import pytest
    from tests.collection.fetching import Package

PACKAGES = Path(__file__).parents[1] / "evaluation" / "packages.txt"


def test_the_list_says_what_was_collected() -> None:
    """Every package has a source that is known, a version, and a permissive licence, and stands there once."""
    with LIST.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert tuple(rows[0]) == COLUMNS
    assert len({(row["source"], row["name"]) for row in rows}) == len(rows) > 500
    assert {row["language"] for row in rows} == set(SUFFIXES)
    assert {row["source"] for row in rows} == set(FETCHERS)
    assert all(row["version"] and is_permissive(row["licence"]) for row in rows)


def test_only_a_packages_own_sources_are_unpacked(tmp_path: Path) -> None:
    """Files of other languages, of others and outside of the folder are left where they are."""
    paths = ["a/one.py", "a/_vendor/two.py", "a/three.js", "../four.py", "/five.py", "node_modules/six.py", "seven.py"]

    assert unpack([(path, 4, lambda: b"x=1\n") for path in paths], "python", tmp_path) == 2
    assert sorted(path.name for path in tmp_path.rglob("*.py")) == ["one.py", "seven.py"]


def test_a_package_is_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is there is not fetched again; the index holds what may be learnt from, and who was refused."""
    asked: list[str] = []

    def publish(one: Wanted, _: Path) -> Package:
        asked.append(one.name)
        if one.name == "lost":
            raise RefusedError("no such package")
        licence = None if one.name == "closed" else "MIT"
        return one.name.title(), "2.0", licence, [("pkg/one.py", 4, lambda: b"x=1\n")]

    monkeypatch.setitem(FETCHERS, "pypi", publish)
    wanted = [Wanted("python", "pypi", name, "") for name in ("open", "closed", "lost")]
    first = [collect(one, tmp_path) for one in wanted]
    again = [collect(one, tmp_path) for one in wanted]
    write_index(again, tmp_path)

    assert first == again
    assert first[0] == Fetched("python", "Open", "2.0", "MIT", "", "python/open")
    assert asked == ["open", "closed", "lost"]
    packages, refused = read_collection(tmp_path)
    assert [(package.name, [name for name, _ in package.files]) for package in packages] == [("Open", ["pkg/one.py"])]
    assert refused == ["Closed"]


def test_a_list_is_read(tmp_path: Path) -> None:
    """A version may be left open."""
    path = tmp_path / "list.csv"
    path.write_text("language,source,name,version,licence\ngo,debian,golang-x,,\n", encoding="utf-8")

    assert read_list(path) == [Wanted("go", "debian", "golang-x", "")]


def test_measured_packages_are_held_out() -> None:
    """Packages that models are measured on are in the list of those that none of ours learns from."""
    held_out = {
        name
        for line in LIST.with_name("held_out.txt").read_text(encoding="utf-8").splitlines()
        for name in line.partition("#")[0].split()
    }
    measured = {line.partition("==")[0] for line in PACKAGES.read_text(encoding="utf-8").splitlines() if "==" in line}

    assert measured
    assert measured <= held_out
