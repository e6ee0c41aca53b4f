"""One case, completed with parts of other files and without; the rest is the same, the file's path included."""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request
from dovetail.evaluation.crossfile.record import WITH, WITHOUT, CrossOutcome, CrossRecord
from dovetail.masking.mask import Masker
from dovetail.project.reader import WORKSPACE, OpenText, ProjectReader

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from dovetail.decoding.proposer import Proposer
    from dovetail.decoding.repository import ProjectContext
    from dovetail.engine.language import Language
    from dovetail.evaluation.crossfile.cases import CrossCase

_IDENTIFIER = re.compile(r"[^\W\d]\w*")


class CrossTrial:
    """A model and the files of a folder."""

    def __init__(
        self, language: Language, proposer: Proposer, folder: Path, max_tokens: int, smaller: Proposer | None = None
    ) -> None:
        """Find out what the files import; cases that `smaller` solves from the file alone are not completed."""
        self._language = language
        self._folder = folder
        self._limits = Limits(max_tokens, shape=Shape.FREE, min_characters=0)
        self._writer = _LineWriter(language, proposer)
        self._smaller = None if smaller is None else _LineWriter(language, smaller)
        self._project = ProjectReader()
        self._project.begin([str(folder)], WORKSPACE)
        self._project.scan()

    def run(self, case: CrossCase) -> CrossRecord:
        """Return what comes of a case. The file is open without what is asked for; no other is."""
        uri = (self._folder / case.file).as_uri()
        self._project.update(OpenText(uri, self._language.name, case.left + case.right), anew=True)
        began = time.thread_time()
        project = self._project.around(uri, case.left, case.right)
        search = 1000 * (time.thread_time() - began)
        self._project.close(uri, edited=False)
        assert project is not None, "the file lies in the folder"
        is_solved = self._smaller is not None and self._complete(self._smaller, case, project.alone).exact
        outcomes = {}
        if not is_solved:
            for way, shown in ((WITHOUT, project.alone), (WITH, project)):
                outcomes[way] = self._complete(self._writer, case, shown)
        return CrossRecord(case.number, case.file, case.begin, case.name, case.wanted, search, outcomes, is_solved)

    def _complete(self, writer: _LineWriter, case: CrossCase, project: ProjectContext) -> CrossOutcome:
        document = str(case.number)
        request = Request(
            case.left,
            case.right,
            lambda: self._language.quotient(case.left, case.right),
            self._limits,
            document=document,
            open_masker=lambda: writer.masker,
            project=project,
        )
        [completion] = writer.decoder.candidates(request, 1)
        parts = writer.decoder.shown_parts(document)
        writer.decoder.forget(document)
        writer.masker.forget()
        # All that the model writes, not the part that is worth showing; a line was asked for.
        line = None if completion.text is None else completion.text.partition("\n")[0]
        return judged(line, case.wanted, len(parts), sum(part.tokens for part in parts))


class _LineWriter:
    """A model, and what decides which of its tokens fit."""

    def __init__(self, language: Language, proposer: Proposer) -> None:
        self.decoder = Decoder(proposer, clock=time.thread_time)
        self.masker = Masker(language, proposer.vocabulary)


def judged(text: str | None, wanted: str, parts: int = 0, tokens: int = 0) -> CrossOutcome:
    """Return what came of a case that was answered with a text.

    >>> judged("area(width, depth)", "area(width, height)").common
    0.6666666666666666
    """
    given = "" if text is None else text.strip()
    wanted = wanted.strip()
    mine, theirs = _IDENTIFIER.findall(given), _IDENTIFIER.findall(wanted)
    return CrossOutcome(
        text,
        given == wanted,
        0.0 if text is None else Levenshtein.normalized_similarity(given, wanted),
        text is not None and mine == theirs,
        _common(mine, theirs),
        parts,
        tokens,
    )


def _common(mine: Sequence[str], theirs: Sequence[str]) -> float:
    both = (Counter(mine) & Counter(theirs)).total()
    return 2 * both / (len(mine) + len(theirs)) if both else float(not mine and not theirs)
