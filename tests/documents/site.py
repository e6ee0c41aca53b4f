"""The site: its pages, made of `docs` and of documents that lie elsewhere, and what MkDocs makes of them.

`python -m tests.documents.site` builds it, as `make docs` does.

- Documents that lie elsewhere in the repository become pages (`TAKEN`).
- Links between documents, written for a reader of the repository, become links between pages. A link to a file that is
  no page keeps its text only.
- The comment `<!-- help -->` is replaced by what the code knows (`PARTS`).
"""

from __future__ import annotations

import contextlib
import io
import os
import posixpath
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.documents.generated import ROOT

from dovetail.commands.command_line import COMMANDS, make_parser

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAGES = ROOT / "docs"

TAKEN = {
    "client-vscode/README.md": "editors/vscode.md",
    "client-neovim/README.md": "editors/neovim.md",
    "EDITORS.md": "editors/others.md",
    "grammars/README.md": "languages/grammars.md",
    "server/dovetail/model/embedded/README.md": "models/embedded.md",
    "server/dovetail/model/README.md": "models/training.md",
    "server/ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "CHANGELOG.md": "project/changelog.md",
    "client-vscode/media/icon.svg": "assets/icon.svg",
    "client-vscode/media/icon.png": "assets/icon.png",
    "client-vscode/media/ghost-text.png": "assets/ghost-text.png",
    "server/dovetail/model/embedded/losses.svg": "assets/losses.svg",
    "tests/benchmarks/growth.svg": "assets/growth.svg",
    "tests/evaluation/report/report.html": "assets/report.html",
}
"""File of the repository → its place in the site."""

_LINK = re.compile(
    r"^```.*?^```|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|(?P<image>!?)\[(?P<text>[^\[\]]*)\]\((?P<to>[^()\s]+)\)",
    re.MULTILINE | re.DOTALL,
)
"""Code, in which nothing is a link; or a link."""

_WIDTH = 100
"""The columns of a terminal in which the help is printed."""


def site_links(markdown: str, file: str, place: str) -> str:
    """Return a text with links between places of the site; `file` is where it lies in the repository."""

    def changed(found: re.Match[str]) -> str:
        to = found["to"]
        if to is None or to.startswith("#") or re.match(r"\w+:", to):
            return found[0]
        path, mark, anchor = to.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
        if target.startswith("docs/"):
            target = target.removeprefix("docs/")
        elif target in TAKEN:
            target = TAKEN[target]
        else:
            return found["text"]
        return f"{found['image']}[{found['text']}]({_relative(target, place)}{mark}{anchor})"

    return _LINK.sub(changed, markdown)


def _relative(target: str, place: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(place) or ".")


def _help() -> str:
    """Return the help of every command."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(_WIDTH)  # argparse has no other way to be told
    try:
        return "\n".join(f"## dovetail {name}\n\n```text\n{_help_of(name)}```\n" for name in COMMANDS)
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def _help_of(command: str) -> str:
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.suppress(SystemExit):
        make_parser([command]).parse_args([command, "--help"])
    return written.getvalue()


PARTS: dict[str, Callable[[], str]] = {"help": _help}
"""Comment → what stands in its place."""


def write_pages(folder: Path) -> None:
    """Write the texts and pictures of the site to a folder, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    own = {f"docs/{path.relative_to(PAGES).as_posix()}": path for path in PAGES.rglob("*") if path.is_file()}
    places = {**{file: file.removeprefix("docs/") for file in own}, **TAKEN}
    for file, place in places.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        if not place.endswith(".md"):
            shutil.copy(ROOT / file, folder / place)
            continue
        text = (ROOT / file).read_text("utf-8")
        for name, part in PARTS.items():
            text = text.replace(f"<!-- {name} -->", part())
        (folder / place).write_text(site_links(text, file, place), "utf-8")


def build() -> int:
    """Build the site in `build/site`; return MkDocs' exit code, or 1 if a page loads something from elsewhere."""
    write_pages(ROOT / "build" / "pages")
    # MkDocs warns of its own next version, which `pyproject.toml` rules out.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"]
    code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    loaded = foreign_files(ROOT / "build" / "site") if code == 0 else []
    for name, address in loaded:
        sys.stderr.write(f"{name} loads {address}: a page may load nothing from another place.\n")
    return 1 if loaded else code


def foreign_files(site: Path) -> list[tuple[str, str]]:
    """Return what pages load from other places, such as fonts and scripts, as pairs of page and address."""
    loading = re.compile(
        r"<(?:script|img|iframe|link (?![^>]*rel=.?canonical))[^>]*(?:src|href)=.?(https?://[^\s>\"']+)"
    )
    return [
        (page.relative_to(site).as_posix(), address)
        for page in sorted(site.rglob("*.html"))
        for address in loading.findall(page.read_text("utf-8"))
    ]


if __name__ == "__main__":
    sys.exit(build())
