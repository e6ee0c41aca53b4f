"""LanguageComparison: texts of four kinds, drawn at random and judged by the engine and by the language's real parser.

The same seed and number give the same text. Kinds are the files of a corpus, random derivations of the grammar, such
derivations with changes, and cuts of programs, each with its true middle and mutated ones. Masks over a vocabulary are
judged at the beginnings of true middles, by the engine itself.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from dovetail.closing.derivation import Derivations
from dovetail.comparison.cuts import CUTS, styled
from dovetail.comparison.masks import judge_mask
from dovetail.comparison.middles import Cutting, judge_middles, judge_text
from dovetail.comparison.mutation import Mutation, fragments_of
from dovetail.comparison.shrinking import shrink
from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from dovetail import Language
    from dovetail.comparison.disagreement import Disagreement
    from dovetail.comparison.oracle_process import Judge
    from dovetail.vocabulary.vocabulary import Vocabulary

MUTATED = 5
"""Mutated middles for each cut, and mutated texts for each derivation that is mutated."""
LARGEST = 12_000
"""Characters of a program that is cut."""
_SIZES = [10, 30, 30, 60, 100]  # terminals of a derivation
_TRIES = 20  # for one derivation, or one passage of a file


class LanguageComparison:
    """Compares one language with one judge."""

    def __init__(
        self,
        language: Language,
        judge: Judge,
        corpus: Sequence[Path],
        seed: int,
        vocabulary: Callable[[], Vocabulary] | None = None,
        reading: Callable[[str], Language] | None = None,
    ) -> None:
        """Compare over the files of a corpus; `vocabulary` returns the tokens that masks are of.

        `reading` returns the language that judges a text, where a narrower one reads some texts.
        """
        self.language = language
        self._reading = (lambda _: language) if reading is None else reading
        self.judge = judge
        self.corpus = corpus
        self.seed = seed
        self._vocabulary = vocabulary
        self._maskers: dict[str, Masker] = {}
        machine = language.machine
        self._derivations = Derivations(machine.compiled, machine.spelling, machine.yields, Random(seed))

    def file(self, number: int) -> list[Disagreement]:
        """Judge a whole file of the corpus."""
        path = self.corpus[number % len(self.corpus)]
        text = read(path)
        return [] if text is None else judge_text(self._reading(text), self.judge, text, path.name)

    def derivation(self, number: int) -> list[Disagreement]:
        """Judge a random text of the grammar."""
        text = self._derive(Random(f"{self.seed}/derivation/{number}"))
        return judge_text(self._reading(text), self.judge, text, f"derivation {number}")

    def mutated(self, number: int) -> list[Disagreement]:
        """Judge a random text of the grammar, changed in several ways."""
        random = Random(f"{self.seed}/mutated/{number}")
        text, found = self._derive(random), []
        for _ in range(MUTATED):
            changed = self._mutation.mutated(random, text)
            found += judge_text(self._reading(changed), self.judge, changed, f"mutated derivation {number}")
        return found

    def cut(self, number: int) -> list[Disagreement]:
        """Judge the true middle of a cut program and mutated ones."""
        random = Random(f"{self.seed}/cut/{number}")
        text, source = self.program(random)
        kind = random.choice(list(CUTS))
        begin, end = CUTS[kind](random, text)
        middle = text[begin:end]
        middles = [middle, *(self._mutation.mutated(random, middle) for _ in range(MUTATED))]
        cutting = Cutting(text[:begin], text[end:], middles, random.choice([1, 2, 5, 20]))
        found = judge_middles(self._reading(cutting.left + cutting.right), self.judge, cutting)
        return [replace(finding, source=f"{source}, cut {number}, {kind}") for finding in found]

    def mask(self, number: int) -> list[Disagreement]:
        """Judge the mask after a beginning of the true middle of a cut program."""
        random = Random(f"{self.seed}/mask/{number}")
        text, source = self.program(random)
        begin, end = CUTS[random.choice(list(CUTS))](random, text)
        until = random.randint(begin, end)
        found = judge_mask(self._masker(text), text[:begin], text[begin:until], text[end:], random)
        return [replace(finding, source=f"{source}, mask {number}") for finding in found]

    def program(self, random: Random) -> tuple[str, str]:
        """Return a program to cut and the place it comes from: a file, a passage of one, or a derivation."""
        for _ in range(_TRIES if self.corpus else 0):
            path = random.choice(self.corpus)
            whole = read(path)
            text = None if whole is None else self._passage(random, whole)
            if text is not None:
                restyled = styled(random, text)
                return (restyled if self._accepted(restyled) else text), path.name
        return self._derive(random), "derivation"

    def shrunk(self, finding: Disagreement) -> Disagreement:
        """Return the smallest finding of the same kind that leaving out lines and characters leads to."""
        best = finding

        def fails(texts: tuple[str, ...]) -> bool:
            nonlocal best
            left, middle, right = texts
            for again in self.again(replace(finding, left=left, middle=middle, right=right)):
                if again.kind == finding.kind:
                    best = again
                    return True
            return False

        shrink((finding.left, finding.middle, finding.right), fails)
        return best

    def again(self, finding: Disagreement) -> list[Disagreement]:
        """Judge the text of a finding anew, in the same way."""
        if finding.check == "mask":
            texts = finding.left, finding.middle, finding.right
            return judge_mask(self._masker("".join(texts)), *texts, Random(self.seed), only=finding.message)
        if not finding.grain:
            return judge_text(self._reading(finding.text), self.judge, finding.text, finding.source)
        cutting = Cutting(finding.left, finding.right, [finding.middle], finding.grain)
        return judge_middles(self._reading(finding.left + finding.right), self.judge, cutting)

    def _masker(self, text: str) -> Masker:
        assert self._vocabulary is not None, "masks are of a vocabulary"
        language = self._reading(text)
        if language.name not in self._maskers:
            self._maskers[language.name] = Masker(language, self._vocabulary())
        return self._maskers[language.name]

    @cached_property
    def _mutation(self) -> Mutation:
        machine, words = self.language.machine, []
        random = self._derivations.random = Random(self.seed)  # not that of the text which is changed first
        for terminal in range(machine.compiled.productions.terminal_count - 1):
            if machine.compiled.literals[terminal] is None:
                words += [text for _ in range(3) if (text := self._derivations.spell([terminal], plain=False))]
        for _ in range(100):
            words += self._derive(random).split()
        return Mutation(fragments_of(machine.compiled, words))

    def _derive(self, random: Random) -> str:
        self._derivations.random = random
        for _ in range(_TRIES):
            text = self._derivations.text(random.choice(_SIZES))
            if text is not None:
                return text
        return ""

    def _passage(self, random: Random, whole: str) -> str | None:
        """Return a program of limited length: a file, or some lines from one in column zero to another.

        The head of the file stands before them where a language needs one. None if none was found.
        """
        if len(whole) <= LARGEST:
            return whole if self._accepted(whole) else None
        starts = [0, *(at + 1 for at, c in enumerate(whole[:-1]) if c == "\n" and whole[at + 1] not in " \t\n#)]}\r")]
        for _ in range(_TRIES):
            low = random.choice(starts)
            ends = [end for end in (*starts, len(whole)) if low < end <= low + LARGEST // 2]
            if not ends:
                continue
            chunk = whole[low : random.choice(ends[-6:])]
            head = whole[: random.choice([start for start in starts if start <= LARGEST // 2])]
            for text in (chunk, head + chunk):
                if self._accepted(text):
                    return text
        return None

    def _accepted(self, text: str) -> bool:
        return self.judge.judge([text])[0].accepted is True


def read(path: Path) -> str | None:
    """Return the text of a file, or None if it is not UTF-8 or cannot be read."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
