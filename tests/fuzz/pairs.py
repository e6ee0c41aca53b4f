"""Two mistakes near each other: `python -m tests.fuzz.pairs javascript --corpus FOLDER --ending .js`.

A program gets two slips on lines that are near each other. Each alone gets one report, so the two together should get
two, on the same lines. What is counted beside is a third report, a slip that no report names, and reports elsewhere.
A language with elements has the programs in `components/` besides those of the corpus. `--show` prints all but the good
ones.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track
from tests.fuzz.block_reports import mistakes
from tests.fuzz.broken_blocks import comparison_of, corpus_parser, publish, title_of
from tests.fuzz.one_mistake import draw_place, without_quotes
from tests.fuzz.slips import slips

from dovetail.comparison.comparison import LanguageComparison

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from tests.fuzz.one_mistake import Break

    from dovetail.diagnostics.fault import Fault

COMPONENTS = Path(__file__).parent / "components"
_ENDINGS = {"javascriptreact": (".jsx",), "typescriptreact": (".jsx", ".tsx")}
"""Language → the endings of the programs in `components/` that are programs of it."""
_COMMAND = "python -m tests.fuzz.pairs"
_NEAR = 8
"""The most lines between two slips."""
_LARGEST = 150
"""The most lines of a program."""
_TRIES = 8
"""The most second slips that are drawn for a first one."""
OUTCOMES = ("both", "a third", "one unnamed", "elsewhere")


@dataclass(frozen=True)
class Slip:
    """A slip that alone gets one report."""

    kind: str
    line: int
    """From 1."""
    text: str
    """The program with this slip alone."""
    reported: int
    """The line of its report."""
    message: str


@dataclass(frozen=True)
class Pair:
    """A program with two slips, and what is reported of it."""

    number: int
    slips: tuple[Slip, Slip]
    text: str
    faults: tuple[Fault, ...]

    @property
    def outcome(self) -> str:
        """Return one of `OUTCOMES`."""
        lines = [fault.reported.line for fault in self.faults]
        first, second = ([at for at, line in enumerate(lines) if line in (s.line, s.reported)] for s in self.slips)
        if any(one != other for one in first for other in second):
            return OUTCOMES[0] if len(lines) == 2 else OUTCOMES[1]
        return OUTCOMES[2] if len(lines) == 1 and (first or second) else OUTCOMES[3]

    def kinds(self) -> str:
        """Return the kinds of both slips, those of alike pairs in the same order."""
        return " and ".join(sorted(slip.kind for slip in self.slips))

    def further(self) -> list[str]:
        """Return the messages of the reports that neither slip gets alone, without what the program gives them."""
        lines = {line for slip in self.slips for line in (slip.line, slip.reported)}
        others = [fault for fault in self.faults if fault.reported.line not in lines]
        return [without_quotes(fault.reported.message).split("; ")[0] for fault in others]


def draw(comparison: LanguageComparison, kinds: Sequence[dict[str, Break]], number: int) -> Pair | None:
    """Return a case, the same one for the same number and corpus; None if its program gives no occasion.

    `kinds`: groups of mistakes, each drawn as often as the others.
    """
    random = Random(f"{comparison.seed}/pair/{number}")
    program, _ = comparison.program(random)
    count = len(program.splitlines())
    if count > _LARGEST:
        return None
    first = _slip(comparison, random, kinds, program, range(1, count + 1))
    if first is None:
        return None
    near = range(max(1, first.line - _NEAR), min(count, first.line + _NEAR) + 1)
    for _ in range(_TRIES):
        second = _slip(comparison, random, kinds, program, near)
        if second is None or second.line == first.line:
            continue
        lines = first.text.splitlines(keepends=True)
        lines[second.line - 1] = second.text.splitlines(keepends=True)[second.line - 1]
        text = "".join(lines)
        faults = tuple(comparison.language.errors(text))
        # A bracket lost above and its partner lost below may leave a program.
        if faults:
            above, below = sorted((first, second), key=lambda slip: slip.line)
            return Pair(number, (above, below), text, faults)
    return None


def _slip(
    comparison: LanguageComparison, random: Random, kinds: Sequence[dict[str, Break]], program: str, among: range
) -> Slip | None:
    group = random.choice(kinds)
    kind = random.choice(list(group))
    found = draw_place(random, program, group[kind], comparison.language.accepts, among)
    if found is None or len(found[1].splitlines()) != len(program.splitlines()):
        return None
    line, text = found
    faults = comparison.language.errors(text)
    if len(faults) != 1:
        return None
    return Slip(kind, line, text, faults[0].reported.line, str(faults[0]))


def comparisons(options: argparse.Namespace) -> list[LanguageComparison]:
    """Return the comparison over the corpus of some options, and one over the components that the language has."""
    over_corpus = comparison_of(options)
    endings = _ENDINGS.get(options.language, ())
    components = sorted(file for file in COMPONENTS.iterdir() if file.suffix in endings)
    others = [LanguageComparison(over_corpus.language, over_corpus.judge, components, options.seed)]
    return [over_corpus, *(others if components else [])]


def shown(pair: Pair) -> str:
    """Return a case for people: the lines around the slips, and the reports of both together and of each alone."""
    lines = pair.text.splitlines()
    marked = [slip.line for slip in pair.slips]
    last = max(*marked, *(fault.reported.line for fault in pair.faults))
    first, last = max(1, marked[0] - 4), min(len(lines), last + 2, marked[1] + 12)
    source = [f"{'>' if at in marked else ' '}{at:4} {lines[at - 1]}" for at in range(first, last + 1)]
    alone = [f"  alone  {slip.message}" for slip in pair.slips]
    return "\n".join(
        [f"--- {pair.number}: {pair.kinds()}: {pair.outcome}", *source, *map(str, pair.faults), *alone, ""]
    )


def section(title: str, pairs: Sequence[Pair], command: str) -> str:
    """Return a language's part of the page; `command` is what writes it again."""
    outcomes = Counter(pair.outcome for pair in pairs)
    lines = [
        f"## {title}",
        "",
        f"`{command}` writes this part. {len(pairs):,} programs with two slips each.",
        "",
        "| reports | programs | of 1,000 |",
        "| --- | --- | --- |",
        *(f"| {each} | {outcomes[each]} | {outcomes[each] * 1000 / len(pairs):.0f} |" for each in OUTCOMES),
        "",
        "Reports elsewhere, most frequent first:",
        "",
    ]
    messages = Counter(message for pair in pairs for message in pair.further())
    return "\n".join([*lines, *(f"- {count}: {words}" for words, count in messages.most_common(10))]) + "\n"


def with_section(page: str, title: str, written: str) -> str:
    """Return a page with the part of a language in the place of an older one, or behind all others."""
    head, *parts = page.split("\n## ")
    others = [part for part in parts if not part.startswith(f"{title}\n")]
    parts = sorted([*others, written.removeprefix("## ")])
    return "\n## ".join([head.rstrip("\n") + "\n", *(part.rstrip("\n") + "\n" for part in parts)])


HEAD = """# Two mistakes near each other and their reports, the last long runs

Each program has two slips on lines near each other, each of which alone gets one report. \
"Both": two reports, on the lines of the two.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print; write the counts where asked."""
    parser = corpus_parser(_COMMAND, __doc__)
    parser.add_argument("--cases", type=int, default=300, help="programs with two slips")
    parser.add_argument("--show", action="store_true", help="print the cases whose reports are others than the two")
    options = parser.parse_args(arguments)
    console = Console(markup=False, highlight=False, soft_wrap=True)
    over, kinds = comparisons(options), [slips(), mistakes(options.language)]
    pairs: list[Pair] = []
    number = 0
    for _ in track(range(options.cases), "counting", console=console):
        pair = None
        while pair is None:
            number += 1
            pair = draw(over[number % len(over)], kinds, number)
        pairs.append(pair)
        if options.show and pair.outcome != OUTCOMES[0]:
            console.print(shown(pair))
    asked = f"{options.language} --ending {options.ending} --cases {options.cases} --seed {options.seed}"
    title = title_of(options.language)
    written = section(title, pairs, f"{_COMMAND} {asked} --corpus … --summary …")
    summary = options.summary
    publish(written, console, None)
    if summary:
        before = summary.read_text("utf-8") if summary.exists() else HEAD
        summary.write_text(with_section(before, title, written), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
