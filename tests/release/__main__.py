"""`python -m tests.release [--output FOLDER]`: build the files of a release and check them; `make release` runs it."""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from pathlib import Path

from tests.release.build import build_extension, build_packages
from tests.release.contents import check_contents, wheel_inside
from tests.release.versions import ROOT, ReleaseError, agreed_version


def main(arguments: list[str]) -> int:
    """Build and check; print each file with its checksum, or what is wrong; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.release", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="FOLDER", help="default: dist")
    folder: Path = parser.parse_args(arguments).output.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        files = release(folder)
    except ReleaseError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for path in files:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        sys.stdout.write(f"{digest}  {path} ({path.stat().st_size:,} bytes)\n")
    return 0


def release(folder: Path) -> list[Path]:
    """Build the files of a release in a folder and return their paths; raise ReleaseError for what is wrong."""
    version = agreed_version()
    packages = build_packages(version, folder)
    extension = build_extension(version, folder)
    if wheel_inside(extension) != packages[0].read_bytes():
        raise ReleaseError("The wheel in the extension differs from the one beside it: build both from one checkout.")
    for path in (*packages, extension):
        check_contents(path)
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, packages)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if checked.returncode != 0:
        raise ReleaseError(f"`twine check` found a mistake:\n{checked.stdout}{checked.stderr}")
    return [*packages, extension]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
