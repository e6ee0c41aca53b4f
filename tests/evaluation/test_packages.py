"""The programs of the report: pinned, licensed, and nothing but Python files taken from them."""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING

from tests.evaluation.packages import PINNED, cache, unpack
from tests.evaluation.reproduce import EXPERIMENTS, commands

from dovetail.commands.command_line import make_parser

if TYPE_CHECKING:
    from pathlib import Path

LINE = re.compile(r"[a-z]+==[0-9.]+ --hash=sha256:[0-9a-f]{64}  # (BSD-2-Clause|BSD-3-Clause|MIT)")


def test_every_package_is_pinned_and_free() -> None:
    """Each has a version, a digest and a permissive licence."""
    lines = [line for line in PINNED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]

    assert len(lines) >= 12
    assert [line for line in lines if LINE.fullmatch(line) is None] == []


def test_only_python_files_are_taken(tmp_path: Path) -> None:
    """A wheel's data and metadata stay in it."""
    with zipfile.ZipFile(tmp_path / "some.whl", "w") as wheel:
        wheel.writestr("package/module.py", "x = 1\n")
        wheel.writestr("package/data.txt", "text")
        wheel.writestr("package.dist-info/METADATA", "Name: package")

    unpack(tmp_path / "some.whl", tmp_path / "programs")

    files = [path.relative_to(tmp_path / "programs").as_posix() for path in (tmp_path / "programs").rglob("*")]
    assert sorted(files) == ["package", "package/module.py"]


def test_the_report_is_made_of_commands_that_exist(tmp_path: Path) -> None:
    """Every data set has its shards, the packages show no text, and the command line takes all of it."""
    groups = commands(tmp_path, ["--model", "some"], shards=2)

    assert [len(group) for group in groups] == [2] * len(EXPERIMENTS) + [1]
    for command in (command for group in groups for command in group):
        parsed = make_parser(["eval"]).parse_args(command[3:])
        assert (parsed.output, parsed.model) == (tmp_path, "some")
        assert (parsed.examples == 0) is (parsed.data == cache())
    assert min(EXPERIMENTS["boundary"], EXPERIMENTS["randspan"]) >= 2000
