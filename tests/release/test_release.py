"""The published packages: one version everywhere, and in each what belongs there."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest
from tests.release.build import build_packages
from tests.release.contents import check_contents, dates_of, files_of
from tests.release.versions import ROOT, ReleaseError, agreed_version

if TYPE_CHECKING:
    from pathlib import Path

WHEEL = {
    "dovetail/__init__.py": b"",
    "dovetail/py.typed": b"",
    "dovetail/grammars/python.lark": b"",
    "dovetail/model/embedded/model.safetensors": b"",
    "dovetail/play/page/page.js": b"",
    "dovetail-1.2.3.dist-info/METADATA": b"",
}
"""The least that a wheel has: name → content."""


def wheel(folder: Path, files: dict[str, bytes]) -> Path:
    """Write a wheel with these files and return its path."""
    path = folder / "dovetail-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def checkout(folder: Path, *, client: str = "1.2.3", heading: str = "1.2.3 – 2026-01-31") -> Path:
    """Write the files of a checkout that name a version, and return its folder."""
    (folder / "client-vscode").mkdir()
    (folder / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (folder / "package-lock.json").write_text(json.dumps({"packages": {"client-vscode": {"version": "1.2.3"}}}))
    (folder / "client-vscode" / "package.json").write_text(json.dumps({"version": client}))
    (folder / "client-vscode" / "CHANGELOG.md").write_text("## 1.2.3 – 2026-01-31\n", "utf-8")
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n## Unreleased\n\n## {heading}\n", "utf-8")
    return folder


def test_the_files_of_this_checkout_agree() -> None:
    """The server, the extension and both lists of changes have one version, which has a date."""
    assert agreed_version().number.count(".") == 2


def test_the_time_of_a_release_is_its_date(tmp_path: Path) -> None:
    """Everything that is built has the time at which the day of the release began, in UTC."""
    assert agreed_version(checkout(tmp_path)).epoch == 1_769_817_600


@pytest.mark.parametrize(
    ("client", "heading", "sentence"),
    [
        ("1.2.4", "1.2.3 – 2026-01-31", "client-vscode/package.json has the version 1.2.4, and pyproject.toml 1.2.3: "),
        ("1.2.3", "1.2.2 – 2026-01-31", "CHANGELOG.md has the version 1.2.2, and pyproject.toml 1.2.3: "),
        ("1.2.3", "1.2.3 – 2026-02-01", "The two CHANGELOG.md give 1.2.3 different dates: "),
        ("1.2.3", "1.2.3", "CHANGELOG.md has no dated section: "),
    ],
)
def test_versions_that_differ(client: str, heading: str, sentence: str, tmp_path: Path) -> None:
    """A file that names another version, or no date, stops a release."""
    with pytest.raises(ReleaseError) as refused:
        agreed_version(checkout(tmp_path, client=client, heading=heading))

    assert sentence in str(refused.value)


def test_the_packages_hold_what_belongs_there(tmp_path: Path) -> None:
    """Wheel and source distribution hold every module and grammar, no test, and nothing large but the model."""
    version = agreed_version()
    built, source = build_packages(version, tmp_path)

    for path in (built, source):
        check_contents(path)
        assert dates_of(path) == {version.date}
    modules = {path.relative_to(ROOT / "server").as_posix() for path in (ROOT / "server" / "dovetail").rglob("*.py")}
    assert {name for name in files_of(built) if name.endswith(".py")} == modules
    assert {name.partition("/server/")[2] for name in files_of(source) if name.endswith(".py")} == modules


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"tests/test_layers.py": b""}, "holds tests/test_layers.py, which does not belong there"),
        ({"dovetail/tests/test_a.py": b""}, "holds dovetail/tests/test_a.py, which does not belong there"),
        ({"dovetail/model/weights.bin": b""}, "holds dovetail/model/weights.bin, which does not belong there"),
        ({"dovetail/grammars/big.lark": bytes(300_000)}, "holds dovetail/grammars/big.lark of 300,000 bytes"),
        ({"dovetail/py.typed": None}, "lacks dovetail/py.typed"),
        ({"dovetail/model/embedded/model.safetensors": bytes(30_000_001)}, "bytes, more than 30,000,000"),
    ],
)
def test_what_does_not_belong_there(change: dict[str, bytes | None], sentence: str, tmp_path: Path) -> None:
    """A test, a file of another kind, a large surprise and a missing file are each found."""
    files = {name: content for name, content in {**WHEEL, **change}.items() if content is not None}

    with pytest.raises(ReleaseError) as refused:
        check_contents(wheel(tmp_path, files))

    assert sentence in str(refused.value)


def test_the_least_is_enough(tmp_path: Path) -> None:
    """A wheel with the files that it needs is taken."""
    check_contents(wheel(tmp_path, WHEEL))


def test_a_source_distribution_without_tests(tmp_path: Path) -> None:
    """Tests are found in a source distribution, too."""
    path = tmp_path / "dovetail-1.2.3.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("dovetail-1.2.3/tests/conftest.py"), io.BytesIO())

    with pytest.raises(ReleaseError, match=r"tests/conftest\.py, which does not belong there"):
        check_contents(path)
