"""The wheel holds the page, so that an installed Dovetail needs no npm."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import dovetail

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path(dovetail.__file__).with_name("play") / "page"


def files_of(wheel: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file of the page in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            folder, _, file = name.rpartition("/")
            if folder == "dovetail/play/page":
                yield file, archive.read(name)


def test_the_wheel_holds_the_page(tmp_path: Path) -> None:
    """Every file of the page is in the wheel as it is in the checkout, with the licences of what it is made of."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")

    found = dict(files_of(wheel))

    assert found == {path.name: path.read_bytes() for path in PAGE.iterdir()}
    assert {"index.html", "page.js", "page.css", "NOTICES.txt"} <= found.keys()
