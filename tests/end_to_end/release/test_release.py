"""A whole release, built as `make release` builds it, by all the tools."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING

import pytest
from tests.release.__main__ import release
from tests.release.contents import dates_of
from tests.release.versions import ROOT, agreed_version

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not (ROOT / "node_modules").is_dir(), reason="`make release` fetches the packages of npm"),
    pytest.mark.skipif(importlib.util.find_spec("twine") is None, reason="`make release` installs twine"),
]


def test_two_builds_are_equal(tmp_path: Path) -> None:
    """Two builds, of files with other rights, make the same bytes; everything in them has the date of the release."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()

    first = release(tmp_path / "first")
    (ROOT / "client-vscode" / "LICENSE").chmod(0o600)
    before = os.umask(0o077)
    try:
        second = release(tmp_path / "second")
    finally:
        os.umask(before)

    assert [path.name for path in first] == [path.name for path in second]
    assert [path.suffix for path in first] == [".whl", ".gz", ".vsix"]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
        assert dates_of(one) == {agreed_version().date}, one.name
