"""The files of a release, built so that every machine makes the same bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.release.versions import ROOT, ReleaseError, Version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_CLIENT = ROOT / "client-vscode"

_PACKED = ("package.json", "README.md", "CHANGELOG.md", "LICENSE", "media/**/*", "../server/constraints.txt")
"""The files of the checkout that the extension holds, as patterns below its folder."""

_UMASK = 0o022
_MODE = 0o644
"""The rights of every file in a release, whatever those of the checkout are; git keeps no others."""


def build_packages(version: Version, folder: Path, kinds: Sequence[str] = ("wheel", "sdist")) -> list[Path]:
    """Build the wheel and the source distribution in a folder and return their paths."""
    targets = [word for kind in kinds for word in ("--target", kind)]
    _run([sys.executable, "-m", "hatchling", "build", *targets, "--directory", str(folder)], version)
    names = {"wheel": f"dovetail-{version.number}-py3-none-any.whl", "sdist": f"dovetail-{version.number}.tar.gz"}
    return [folder / names[kind] for kind in kinds]


def build_extension(version: Version, folder: Path) -> Path:
    """Build the extension for VS Code, with the wheel inside it, in a folder and return its path."""
    for path in (path for pattern in _PACKED for path in _CLIENT.glob(pattern) if path.is_file()):
        path.chmod(_MODE)
    shutil.rmtree(_CLIENT / "dist", ignore_errors=True)  # an older file there would keep its rights
    _run(["npm", "run", "--silent", "package"], version)
    made = folder / f"dovetail-{version.number}.vsix"
    shutil.copyfile(_CLIENT / "dist" / "dovetail.vsix", made)
    return made


def _run(command: list[str], version: Version) -> None:
    """Run a command in the checkout, at the time of the release and in no time zone of its own.

    Raises ReleaseError with what it wrote if it fails.
    """
    environment = {"SOURCE_DATE_EPOCH": str(version.epoch), **os.environ, "TZ": "UTC", "PYTHON": sys.executable}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, umask=_UMASK, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise ReleaseError(f"{command[0]} cannot be run ({error.strerror or error}): install it.") from None
    if done.returncode != 0:
        raise ReleaseError(f"`{' '.join(command)}` failed:\n{done.stdout}{done.stderr}")
