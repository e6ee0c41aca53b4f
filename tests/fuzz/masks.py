"""Masks and costs of a language: `python -m tests.fuzz.masks go --corpus FOLDER --masks 1000`.

Files are cut at random, and the state after the beginning of each middle gets a mask over the embedded model's
vocabulary. Tokens of the mask and tokens outside it are drawn, and each is asked for by itself. Times are the
processor's, of one thread.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

import dovetail
from dovetail.comparison.comparison import LARGEST, read
from dovetail.comparison.cuts import CUTS, styled
from dovetail.comparison.masks import drawn_tokens, mask_of, wrong_tokens
from dovetail.grammar.library import language_of, languages
from dovetail.masking.mask import Masker
from dovetail.model.hosting import embedded_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONSOLE = Console(highlight=False, markup=False, soft_wrap=True)


class Costs(NamedTuple):
    """Times in seconds."""

    quotients: list[tuple[float, int]]
    """Of a quotient and its first answer, with the characters of both contexts."""
    steps: list[float]
    """Of advances by one to six characters."""
    masks: list[float]


def places(language: dovetail.Language, corpus: Sequence[Path], random: Random) -> Iterator[tuple[str, str, str]]:
    """Yield programs of the corpus, cut into left, middle and right text, for ever."""
    while True:
        text = read(random.choice(corpus))
        if text is None or len(text) > LARGEST or not language.accepts(text):
            continue
        changed = styled(random, text)
        text = changed if language.accepts(changed) else text
        begin, end = CUTS[random.choice(list(CUTS))](random, text)
        yield text[:begin], text[begin:end], text[end:]


def compare(masker: Masker, corpus: Sequence[Path], count: int, seed: int) -> tuple[Counter[str], Costs]:
    """Compare masks with asking token by token; return the counts and the costs."""
    random, counts, costs = Random(seed), Counter[str](), Costs([], [], [])
    language, pieces = masker.language, masker.vocabulary.pieces
    for left, middle, right in islice(places(language, corpus, random), count):
        before = time.process_time()
        quotient = language.quotient(left, right, tolerant=False)
        assert quotient.viable
        costs.quotients.append((time.process_time() - before, len(left) + len(right)))
        state: dovetail.State | None = quotient.start
        at, until = 0, random.randint(0, len(middle))
        while state is not None and at < until:
            step = random.randint(1, 6)
            before = time.process_time()
            state = state.advance(middle[at : min(at + step, until)])
            costs.steps.append(time.process_time() - before)
            at += step
        assert state is not None, "true middles are followed"
        before = time.process_time()
        mask = mask_of(masker, state)
        costs.masks.append(time.process_time() - before)
        drawn = drawn_tokens(masker, state, mask, random)
        counts["tokens asked for by themselves"] += len(drawn)
        for token in wrong_tokens(masker, state, mask, drawn):
            counts["wrong tokens"] += 1
            said = f"{pieces[token]!r} is {'' if mask[token] else 'not '}in the mask"
            CONSOLE.print(f"{said}: {left[-99:]!r} {middle[:until]!r}")
        counts["masks"] += 1
    return counts, costs


def summary(counts: Counter[str], costs: Costs) -> list[str]:
    """Return the lines that say what was found."""
    over = sum(spent > 0.02 + 6e-6 * length for spent, length in costs.quotients)
    spent, length = sum(one for one, _ in costs.quotients), sum(many for _, many in costs.quotients)
    average = f"{1000 * spent / len(costs.quotients):.1f} ms on average, {1e6 * spent / length:.1f} µs a character"
    return [
        *(f"{name}: {counts[name]:,}" for name in ("masks", "tokens asked for by themselves", "wrong tokens")),
        f"cold quotient: {average}; {over} of {len(costs.quotients):,} took more than 20 ms and 6 µs a character",
        f"advance by one to six characters: {1000 * mean(costs.steps or [0.0]):.3f} ms on average",
        f"mask: {1000 * sorted(costs.masks)[len(costs.masks) // 2]:.1f} ms, the median",
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print; return 1 if a mask was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.masks", description=__doc__)
    parser.add_argument("language")
    parser.add_argument("--target", help="the version of the language; the newest by default")
    parser.add_argument("--corpus", type=Path, required=True, help="a folder with files of the language")
    parser.add_argument("--masks", type=int, default=1000, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same places")
    parser.add_argument("--summary", type=Path, help="write the counts and costs here")
    options = parser.parse_args(arguments)
    files = (path for path in sorted(options.corpus.rglob("*")) if path.is_file())
    corpus = [path for path in files if language_of(str(path)) == options.language]
    language = dovetail.load_language(options.language, target=options.target)
    before = time.process_time()
    dovetail.load_language(options.language, target=options.target)
    loading = time.process_time() - before
    counts, costs = compare(Masker(language, embedded_vocabulary()), corpus, options.masks, options.seed)
    lines = [*summary(counts, costs), f"loading the tables: {1000 * loading:.0f} ms"]
    CONSOLE.print("\n".join(lines))
    if options.summary:
        title = f"# Masks and costs: {languages()[options.language].title} {language.target or ''}".rstrip()
        options.summary.write_text("\n".join([title, "", *(f"- {line}" for line in lines), ""]), encoding="utf-8")
    return int(counts["wrong tokens"] > 0)


if __name__ == "__main__":
    sys.exit(main())
