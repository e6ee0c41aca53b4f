"""One mistake and its reports in other languages: `python -m tests.fuzz.block_reports go --corpus FOLDER --ending .go`.

The comparison of `tests.fuzz.reports` for any language, with the mistakes that are made in elements besides where the
language has them. What is a program is judged by the engine itself, as in `tests.fuzz.broken_blocks`.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console
from tests.fuzz.breaks import KINDS
from tests.fuzz.broken_blocks import comparison_of, corpus_parser, publish, title_of
from tests.fuzz.one_mistake import BRACKET, WORD, Case, changed, draw_place, drawn, misspelt, page, shown, spelt, split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.fuzz.one_mistake import Break

    from dovetail.comparison.comparison import LanguageComparison

_COMMAND = "python -m tests.fuzz.block_reports"
_ENDING = re.compile(r"</[\w.]*>")
_TAG = re.compile(r"<[A-Za-z][\w.]*[^<>=]*>")
_EMPTY = re.compile("/>")
_LAST = re.compile(r">(?=\s*$)")

_SCRIPT = (
    "async await break case catch class const continue default delete else export extends finally for from function "
    "import instanceof let new return static super switch this throw try typeof var while yield"
)
_TYPES = f"{_SCRIPT} abstract declare enum implements interface keyof namespace private protected public readonly type"
_KEYWORDS = {
    "go": "break case chan const continue default defer else for func goto import interface map package range return "
    "select struct switch type var",
    "javascript": _SCRIPT,
    "javascriptreact": _SCRIPT,
    "lua": "and break else elseif end false for function goto local nil not repeat return then true until while",
    "typescript": _TYPES,
    "typescriptreact": _TYPES,
}

_EVERYWHERE: dict[str, Break] = {
    **{kind: KINDS[kind] for kind in ("a closing bracket lost", "an opening bracket lost", "a quote lost")},
    "half a line": KINDS["half a line"],
    "a bracket too many": changed(BRACKET, lambda _, bracket: 2 * bracket),
    "two words for one": changed(WORD, split),
}
_IN_ELEMENTS: dict[str, Break] = {
    "the end of an element lost": changed(_ENDING, lambda *_: ""),
    "the slash of an end lost": changed(_ENDING, lambda _, end: end.replace("/", "")),
    "the `<` of a tag lost": changed(_TAG, lambda _, tag: tag[1:]),
    "the `>` of a tag lost": changed(_LAST, lambda *_: ""),
    "the slash of a tag lost": changed(_EMPTY, lambda *_: ">"),
    "the `/>` of a tag lost": changed(_EMPTY, lambda *_: ""),
}


def mistakes(name: str) -> dict[str, Break]:
    """Return the kinds of mistakes of a language, by its name: those of elements where it has some."""
    found = dict(_EVERYWHERE)
    if name in _KEYWORDS:
        found["a keyword misspelt"] = changed(spelt(_KEYWORDS[name].split()), misspelt)
    return found | (_IN_ELEMENTS if name.endswith("react") else {})


def draw(comparison: LanguageComparison, kinds: dict[str, Break], number: int) -> Case | None:
    """Return a case, the same one for the same number and corpus; None if its program gives no occasion."""
    random = Random(f"{comparison.seed}/mistake/{number}")
    kind = list(kinds)[number % len(kinds)]
    text, _ = comparison.program(random)
    language = comparison.language
    found = draw_place(random, text, kinds[kind], language.accepts)
    if found is None:
        return None
    line, broken = found
    return Case(number, kind, line, broken, tuple(language.errors(broken)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print; write the counts where asked."""
    parser = corpus_parser(_COMMAND, __doc__)
    parser.add_argument("--cases", type=int, default=200, help="programs with a mistake")
    parser.add_argument("--show", type=int, default=0, help="print so many cases with several reports")
    options = parser.parse_args(arguments)
    console = Console(markup=False, highlight=False, soft_wrap=True)
    comparison = comparison_of(options)
    kinds = mistakes(options.language)
    cases, _ = drawn(options.cases, partial(draw, comparison, kinds), console)
    for case in [case for case in cases if len(case.faults) > 1][: options.show]:
        console.print(shown(case))
    asked = f"{options.language} --ending {options.ending} --cases {len(cases)} --seed {options.seed}"
    command = f"{_COMMAND} {asked} --corpus … --summary …"
    written = "\n".join(page(cases, kinds, command, f"seed {options.seed}, {title_of(options.language)}")) + "\n"
    publish(written, console, options.summary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
