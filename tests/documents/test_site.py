"""The site's pages, before MkDocs reads them, and the links of all documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from tests.documents.generated import ROOT
from tests.documents.site import PAGES, TAKEN, foreign_files, site_links, write_pages

from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = [
    ROOT / "README.md",
    *sorted(PAGES.rglob("*.md")),
    *(ROOT / file for file in TAKEN if file.endswith(".md")),
]

_CODE = re.compile(r"^```.*?^```|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^()\s]+)\)")

_SCREEN = 60
"""The most lines of the README."""


def links(text: str) -> list[str]:
    """Return where the links of a document lead that stay in the repository, without the places in the files."""
    found = [unquote(to.partition("#")[0]) for to in _LINK.findall(_CODE.sub("", text))]
    return [to for to in found if to and not re.match(r"\w+:", to)]


def test_pictures_are_small() -> None:
    """No picture of the site has more than 60,000 bytes."""
    pictures = [*PAGES.rglob("*.png"), *PAGES.rglob("*.svg"), ROOT / "client-vscode" / "media" / "ghost-text.png"]

    assert {path.name for path in pictures} >= {"play.png", "neovim.svg", "ghost-text.png"}
    assert [path.name for path in pictures if path.stat().st_size > 60_000] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_link_leads_somewhere(path: Path) -> None:
    """Every link of a document to a file leads to one that is there."""
    missing = [to for to in links(path.read_text("utf-8")) if not (path.parent / to).exists()]

    assert missing == []


def test_every_page_of_the_site_leads_to_pages(tmp_path: Path) -> None:
    """In the site, pages link pages and pictures only, and each comment is replaced by its part."""
    write_pages(tmp_path / "pages")

    pages = sorted((tmp_path / "pages").rglob("*.md"))
    assert {page.relative_to(tmp_path / "pages").as_posix() for page in pages} >= {"index.md", "project/security.md"}
    for page in pages:
        text = page.read_text("utf-8")
        assert [to for to in links(text) if not (page.parent / to).is_file()] == [], page
        assert "<!-- " not in text, page
    assert "## dovetail shell-completion" in (tmp_path / "pages" / "command-line.md").read_text("utf-8")
    table = (tmp_path / "pages" / "languages.md").read_text("utf-8")
    assert all(f"| {facts.title} |" in table for facts in languages().values())


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[a](SECURITY.md)", "[a](../project/security.md)"),
        ("[a](SECURITY.md#logs)", "[a](../project/security.md#logs)"),
        ("[a](docs/faq.md)", "[a](../faq.md)"),
        ("[`a`](Makefile)", "`a`"),
        ("![a](client-vscode/media/ghost-text.png)", "![a](../assets/ghost-text.png)"),
        ("[a](https://example.org/a)", "[a](https://example.org/a)"),
        ("[a](#b)", "[a](#b)"),
        ("`[a](Makefile)`", "`[a](Makefile)`"),
        ("``a ` [a](Makefile)``", "``a ` [a](Makefile)``"),
        ("```\n[a](Makefile)\n```", "```\n[a](Makefile)\n```"),
    ],
)
def test_links_are_those_of_the_site(written: str, shown: str) -> None:
    """A link of the repository becomes one of the site; to a file that is no page it is text; code stays as it is."""
    assert site_links(written, "EDITORS.md", "editors/others.md") == shown


def test_the_readme_fits_on_a_screen() -> None:
    """The README is short; the rest stands in the pages that it links."""
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= _SCREEN


@pytest.mark.parametrize(
    ("page", "addresses"),
    [
        ('<script src="https://example.org/a.js"></script>', ["https://example.org/a.js"]),
        ('<link href="https://example.org/a.css" rel="stylesheet">', ["https://example.org/a.css"]),
        ("<img alt=a src=https://example.org/a.png>", ["https://example.org/a.png"]),
        ('<script src="a.js"></script><a href="https://example.org">a</a>', []),
    ],
)
def test_what_is_loaded_from_elsewhere_is_found(page: str, addresses: list[str], tmp_path: Path) -> None:
    """Scripts, styles and pictures of other places are found; links that a reader follows are not meant."""
    (tmp_path / "a.html").write_text(page)

    assert foreign_files(tmp_path) == [("a.html", address) for address in addresses]
