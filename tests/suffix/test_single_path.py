"""The next position of a text that is read in one way is found without a choice, and is the same."""

from __future__ import annotations

from random import Random

import pytest
from tests.oracles.cpython import TARGET
from tests.suffix.contexts import JSON, PYTHON, contexts

import dovetail
from dovetail.suffix.lattice import CONTENT
from dovetail.suffix.seam import Seam
from dovetail.suffix.single_path import SinglePath


@pytest.mark.parametrize("name", ["python", "json"])
def test_every_position(name: str) -> None:
    """From every position of right contexts a stride leads to the only position after it, or says nothing."""
    language = dovetail.load_language(name, target=TARGET if name == "python" else None)
    found = 0
    for _, _, right in contexts(PYTHON if name == "python" else JSON, Random(name), 150):
        seam = Seam(language.machine.lexer, right)
        lattice, stride = seam.lattice, SinglePath(seam.lattice)
        work = list(seam.entries)
        seen = set(work)
        while work:
            at = work.pop()
            for move in lattice.moves(at):
                work += [target for target in move.targets if target not in seen]
                seen.update(move.targets)
            if at.kind == CONTENT:
                further = stride.after(at.stack, at.terminal, at.text_end, at.known, at.around)
                if further is not None:
                    found += 1
                    assert lattice.after_terminal(at) == [lattice.content(*further, at.known, at.around)]

    assert found
