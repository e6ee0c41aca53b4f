"""Half-written lines above whole ones: `python -m tests.fuzz.half_lines`.

A person who types sees the reports on a line that is begun above a program that was whole. Such a line should get one
report, at it or at the next line, and nothing should be reported of what was right. `halves/LANGUAGE.toml` lists the
beginnings of lines and the lines that may follow; each beginning is put above each follower, and so in each of the
`places` of a language, programs with lists of their own. `--show` prints the texts that get several reports, or one
that is elsewhere.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.broken_blocks import publish, title_of

import dovetail

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail import Language
    from dovetail.diagnostics.fault import Fault

FOLDER = Path(__file__).parent / "halves"
LANGUAGES = sorted(file.stem for file in FOLDER.glob("*.toml"))
_COMMAND = "python -m tests.fuzz.half_lines"
_PLACE = "‸"
_BAR = 20
"""Characters of a bar that stands for all texts of a language."""


@dataclass(frozen=True)
class HalfLine:
    """A program with the beginning of a line in it, above a line that may follow."""

    half: str
    below: str
    """May be empty: then the rest of the program follows."""
    text: str
    first: int
    """The line of the beginning, from 1."""
    last: int
    """The line on which the rest begins: the last one at which a report may stand."""


@dataclass(frozen=True)
class CheckedHalfLine:
    """A text with a half-written line, and what is reported of it."""

    case: HalfLine
    faults: tuple[Fault, ...]

    @property
    def single(self) -> bool:
        """Say whether there is one report only."""
        return len(self.faults) == 1

    @property
    def near(self) -> bool:
        """Say whether the first report stands at the half-written line or the next."""
        return self.case.first <= self.faults[0].reported.line <= self.case.last

    def __str__(self) -> str:
        """Return the half-written line, its follower and the reports, for people."""
        below = self.case.below.splitlines()[0] if self.case.below else ""
        return "\n".join([f"--- {self.case.half!r} above {below!r}", *(f"    {fault}" for fault in self.faults)])


def cases_of(language: str) -> Iterator[HalfLine]:
    """Yield each half-written line of a language above each line that may follow it, in each program of its own."""
    own = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    # A language that adds forms to another has that one's lines too.
    other = tomllib.loads((FOLDER / f"{own['with']}.toml").read_text("utf-8")) if "with" in own else {}
    yield from _cases_in(own["program"], other, own)
    for place in (*other.get("places", ()), *own.get("places", ())):
        yield from _cases_in(place["program"], place)


def _cases_in(program: str, *lists: dict[str, list[str]]) -> Iterator[HalfLine]:
    """Yield each half-written line of some lists above each follower, at the place that a program marks."""
    before, after = program.split(_PLACE)
    indentation = before.rpartition("\n")[2]
    first = before.count("\n") + 1
    followers = [below for each in lists for below in each.get("next", [])]
    for half in [half for each in lists for half in each.get("halves", [])]:
        for below in followers:
            lines = textwrap.indent(f"{half}\n{below.lstrip()}" if below else half, indentation)
            text = before.removesuffix(indentation) + lines + after
            begun = first + half.count("\n")
            rest = after if not below else "\nbelow"
            blank = re.match(r"\s*", rest)
            assert blank is not None
            yield HalfLine(half, below.lstrip(), text, begun, begun + blank.group().count("\n"))


def judged(language: Language, cases: Sequence[HalfLine]) -> list[CheckedHalfLine]:
    """Return what is reported of the texts; those that are programs are left out."""
    found = ((case, tuple(language.errors(case.text))) for case in track(cases, "checking"))
    return [CheckedHalfLine(case, faults) for case, faults in found if faults]


def row(title: str, texts: Sequence[CheckedHalfLine]) -> str:
    """Return a language's line of the table, with a bar as long as the share of texts with one report near by."""
    single, near = sum(text.single for text in texts), sum(text.near for text in texts)
    good = sum(text.single and text.near for text in texts)
    bar = "█" * round(_BAR * good / len(texts))
    return f"| {title} | {len(texts)} | {single / len(texts):.1%} | {near / len(texts):.1%} | `{bar:░<{_BAR}}` |"


def page(found: dict[str, list[CheckedHalfLine]], titles: dict[str, str]) -> str:
    """Return the counts of some languages as a Markdown document."""
    lines = [
        "# Half-written lines and their reports, the last run",
        "",
        f"`{_COMMAND} --summary …` writes this page. The texts are in `halves/`.",
        "",
        "| language | texts | one report | the first at the line or the next | both |",
        "| --- | --- | --- | --- | --- |",
        *(row(titles[language], texts) for language, texts in found.items()),
        "",
        "Beginnings that most often get several reports:",
        "",
    ]
    several = Counter(
        (titles[language], text.case.half.splitlines()[-1])
        for language, texts in found.items()
        for text in texts
        if not text.single
    )
    worst = (f"- {count}: ``{half}`` ({title})" for (title, half), count in several.most_common(15))
    return "\n".join([*lines, *worst]) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print; write the counts where asked."""
    parser = argparse.ArgumentParser(prog=_COMMAND, description=__doc__)
    parser.add_argument("languages", nargs="*", metavar="language", help=f"of {', '.join(LANGUAGES)}; all if none")
    parser.add_argument("--show", action="store_true", help="print the texts with several reports or one elsewhere")
    parser.add_argument("--summary", type=Path, help="write the counts here")
    options = parser.parse_args(arguments)
    console = Console(markup=False, highlight=False, soft_wrap=True)
    found: dict[str, list[CheckedHalfLine]] = {}
    titles: dict[str, str] = {}
    for name in options.languages or LANGUAGES:
        language = dovetail.load_language(name)
        titles[name] = title_of(name)
        found[name] = judged(language, list(cases_of(name)))
        if options.show:
            console.print(*(str(text) for text in found[name] if not (text.single and text.near)), sep="\n")
    written = page(found, titles)
    publish(written, console, options.summary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
