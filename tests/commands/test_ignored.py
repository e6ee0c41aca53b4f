"""The files that a search passes over."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from dovetail.commands.error import CommandError
from dovetail.commands.files import find_files

if TYPE_CHECKING:
    from pathlib import Path

FILES = (
    "a.py",
    "build/b.py",
    "docs/c.py",
    "docs/kept.py",
    "docs/deep/d.py",
    "src/build/e.py",
    "src/generated_f.py",
    "src/inner/g.py",
    "src/inner/h.py",
)
RULES = {
    ".gitignore": "/build/\n*.tmp.py\ndocs/**\n!docs/\n!docs/kept.py\ngenerated_*\n",
    "src/.gitignore": "inner/*\n!inner/g.py\n# a comment\n",
}


@pytest.fixture(name="project")
def _project(tmp_path: Path) -> Path:
    """Return a folder with files that rules ignore, un-ignore and leave alone."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    for name, rules in RULES.items():
        (tmp_path / name).write_text(rules)
    return tmp_path


def found(folder: Path, *excluded: str, gitignore: bool = True) -> list[str]:
    """Return the files that a search finds, relative to the folder."""
    paths = find_files([str(folder)], excluded, gitignore=gitignore).paths
    return [path.relative_to(folder).as_posix() for path in paths]


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to compare with")
def test_as_git_ignores(project: Path) -> None:
    """A search passes over exactly the files that git ignores."""
    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True)
    shown = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "*.py"],
        cwd=project,
        check=True,
        capture_output=True,
        text=True,
    )

    assert found(project) == sorted(shown.stdout.split())


def test_rules_from_above(project: Path) -> None:
    """In a folder of a repository the rules of the folders above it hold too, up to the repository's top."""
    (project / ".git").mkdir()
    assert found(project / "src") == ["build/e.py", "inner/g.py"]

    (project / ".git").rmdir()
    assert found(project / "src") == ["build/e.py", "generated_f.py", "inner/g.py"]


def test_without_rules(project: Path) -> None:
    """On request, ignored files are found too."""
    assert found(project, gitignore=False) == sorted(FILES)


def test_excluded(project: Path) -> None:
    """Files that the user excludes are left out, by patterns like those of `.gitignore`."""
    assert found(project, "inner/", "/a.*", gitignore=False) == [
        name for name in sorted(FILES) if "inner/" not in name and name != "a.py"
    ]


def test_dependencies(tmp_path: Path) -> None:
    """Virtual environments, installed packages and hidden folders are no part of a project."""
    for folder in ("environment/lib", "node_modules/x", ".hidden", "own"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.py").write_text("x = 1\n")
    (tmp_path / "environment" / "pyvenv.cfg").write_text("")

    assert found(tmp_path) == ["own/a.py"]


def test_a_named_file_is_always_found(project: Path) -> None:
    """A file that is named is checked, whatever ignores it."""
    assert find_files([str(project / "build" / "b.py")]).paths == [project / "build" / "b.py"]


def test_a_pattern_that_means_nothing(project: Path) -> None:
    """A pattern that cannot be read is one sentence with the option's name."""
    with pytest.raises(CommandError, match=r"^--exclude: .*; write a pattern as in \.gitignore\.$"):
        found(project, "!")
