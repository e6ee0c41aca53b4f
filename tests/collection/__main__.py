"""Fetch the packages of `packages.csv` to train on: `python -m tests.collection FOLDER --jobs 4`.

Each package's source files come to lie below FOLDER/LANGUAGE/NAME, and FOLDER/packages.json says what they are,
under which licence. Nothing of a package is run. One that is there already is not fetched again; one whose licence
is not permissive, or not known, is noted as refused. `--pin` writes versions and licences back into the list.
`held_out.txt` names the packages that are measured on: `dovetail train --hold-out` keeps them from training.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.collection.fetching import Fetched, Wanted, fetch

LIST = Path(__file__).with_name("packages.csv")
RECORD = "package.json"
COLUMNS = ("language", "source", "name", "version", "licence")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.collection", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the sources are collected")
    parser.add_argument("--list", type=Path, default=LIST, metavar="FILE", help="the packages (default: packages.csv)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="downloads at a time (default: 2)")
    parser.add_argument("--pin", action="store_true", help="keep in the list what was collected, with its version")
    arguments = parser.parse_args()

    arguments.folder.mkdir(parents=True, exist_ok=True)
    wanted = read_list(arguments.list)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        found = list(pool.map(lambda one: collect(one, arguments.folder), wanted))
    write_index(found, arguments.folder)
    if arguments.pin:
        write_list([(one, got) for one, got in zip(wanted, found, strict=True) if got.licence], arguments.list)
    counts = Counter(
        f"{one.language}: {'refused' if got.licence is None else 'collected'}"
        for one, got in zip(wanted, found, strict=True)
    )
    sys.stdout.write("".join(f"{what} {count}\n" for what, count in sorted(counts.items())))
    return 0


def read_list(path: Path) -> list[Wanted]:
    """Return the packages of a list; a version that is left empty means the newest."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Wanted(row["language"], row["source"], row["name"], row["version"]) for row in csv.DictReader(file)]


def write_list(rows: list[tuple[Wanted, Fetched]], path: Path) -> None:
    """Write a list with the versions that were fetched and the licences that were read."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for one, got in sorted(rows, key=lambda row: (row[0].language, row[0].source, row[0].name.lower())):
            writer.writerow((one.language, one.source, one.name, got.version, got.licence))


def collect(one: Wanted, folder: Path) -> Fetched:
    """Fetch a package unless it is there, and return what is known of it."""
    place = folder / one.language / one.name.replace("/", "__")
    record = place / RECORD
    if record.exists():
        return Fetched(**json.loads(record.read_text(encoding="utf-8")))
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        got = fetch(one, Path(scratch), place)
    if got.licence is None:
        shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True)
    record.write_text(json.dumps(got._asdict()) + "\n", encoding="utf-8")
    sys.stdout.write(f"{one.language} {one.name} {got.version}: {got.licence or got.reason}\n")
    sys.stdout.flush()
    return got


def write_index(found: list[Fetched], folder: Path) -> None:
    """Write what the sources are: one entry a package that may be learnt from, in the list's order."""
    entries = [
        {"folder": got.folder, "name": got.name, "version": got.version, "language": got.language,
         "licence": got.licence}
        for got in found if got.licence is not None
    ]  # fmt: skip
    refused = sorted({got.name for got in found if got.licence is None and got.version})
    index = {"packages": entries, "refused": refused}
    (folder / "packages.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
