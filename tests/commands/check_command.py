"""`dovetail check` as a test runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.__main__ import main

if TYPE_CHECKING:
    import pytest


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run `check` and return the exit code and what it printed on stdout and stderr."""
    code = main(["check", *map(str, arguments)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err
