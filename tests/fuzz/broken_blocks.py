"""Documents of other languages that are broken elsewhere: `python -m tests.fuzz.broken_blocks go --corpus FOLDER`.

The comparison of `tests.fuzz.broken` for any language: one to three mistakes in other lines than the cursor's. What
is a program is judged by the engine itself, which `dovetail grammar --oracle` compares with the language's real parser.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.broken import WHERE, broken_elsewhere, judge
from tests.fuzz.broken_counts import Case, Counts, summary

import dovetail
from dovetail.comparison.comparison import LanguageComparison
from dovetail.comparison.cuts import CUTS
from dovetail.grammar.facts import read_facts
from dovetail.grammar.layers import read_header
from dovetail.grammar.library import find_grammar
from dovetail.grammar.oracle import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail import Language

MOST = 3
"""Places at which a document is broken."""


_TRIES = 1000

BARS = (
    "The languages that are shipped, but for JSON, stand at 90 % and more for texts that fit, and at 60 to 90 % for "
    "what is accepted."
)
"""The sentence that tells a grammar's author what good numbers are."""


class EngineJudge:
    """A language's own engine as the judge of whole texts."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def judge(self, texts: Sequence[str]) -> list[Verdict]:
        """Return the verdict on each text."""
        return [Verdict(self.language.accepts(text)) for text in texts]


def draw(comparison: LanguageComparison, number: int, where: str = "anywhere") -> Case:
    """Return a case; the same one for the same number, language and corpus."""
    random = Random(f"{comparison.seed}/broken/{number}")
    for _ in range(_TRIES):
        text, _ = comparison.program(random)
        begin, end = CUTS[random.choice(list(CUTS))](random, text)
        left, right, mistakes = broken_elsewhere(random, text[:begin], text[end:], "persons", WHERE[where], MOST)
        if mistakes:
            return Case(left, text[begin:end], right, mistakes)
    raise ValueError("the corpus has no programs of several lines; give others.")


def title_of(name_or_path: str) -> str:
    """Return the title of a language, by its name or its grammar file."""
    beside = find_grammar(name_or_path).with_suffix(".toml")
    return read_facts(beside, read_header(beside)).title


def corpus_parser(command: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a command that draws programs of a language from folders and counts what it finds."""
    parser = argparse.ArgumentParser(prog=command, description=description)
    parser.add_argument("language", help="a name, or a grammar file")
    parser.add_argument("--corpus", type=Path, action="append", required=True, help="a folder of programs")
    parser.add_argument("--ending", required=True, help="the ending of their names, such as .go")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--summary", type=Path, help="write the counts here")
    return parser


def comparison_of(options: argparse.Namespace) -> LanguageComparison:
    """Return the comparison over the programs that the options of such a command name."""
    language = dovetail.load_language(options.language)
    files = sorted(file for folder in options.corpus for file in folder.rglob(f"*{options.ending}"))
    return LanguageComparison(language, EngineJudge(language), files, options.seed)


def publish(page: str, console: Console, path: Path | None) -> None:
    """Print a page of counts, and write it to a file where one is asked for."""
    console.print(page)
    if path:
        path.write_text(page, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if anything is wrong."""
    parser = corpus_parser("python -m tests.fuzz.broken_blocks", __doc__)
    parser.add_argument("--cases", type=int, default=200, help="for each choice of places")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--where", choices=[*WHERE, "both"], default="anywhere", help="the lines that are broken")
    parser.add_argument("--show", help="print the cases of this kind of verdict, or `refused`: not fitting")
    options = parser.parse_args(arguments)
    console = Console(markup=False, highlight=False)
    comparison = comparison_of(options)
    language = comparison.language
    found = {where: Counts() for where in WHERE if options.where in (where, "both")}
    for where, counts in found.items():
        for number in track(range(options.first, options.first + options.cases), f"broken {where}"):
            case = draw(comparison, number, where)
            verdict = judge(case, language, language.accepts)
            counts.add(number, case, verdict)
            if options.show and (verdict.kind == options.show or (options.show == "refused" and not verdict.fits)):
                console.print(f"\n=== {number} {verdict} {case.mistakes}\n{case.left}‸{case.middle!r}‸{case.right}")
    conditions = f"{title_of(options.language)}: {options.cases} cases each, seed {options.seed}, broken by persons"
    report = summary(found, conditions, BARS)
    console.print(report)
    wrong = [text for counts in found.values() for text in counts.wrong]
    console.print(*wrong[:5], sep="\n")
    if options.summary:
        options.summary.write_text(report, encoding="utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
