"""Hostile texts of two windows at once over one host: each has the answers that it would have alone."""

from __future__ import annotations

import hashlib
import re
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.completer.host.served import MINE, PATIENCE, Served
from tests.decoding.scripted_proposer import ScriptedGeneration, ScriptedProposer
from tests.hostile.test_characters import BIDIRECTIONAL, CONTROL, SEPARATORS, SURROGATES
from tests.hostile.texts import DEEP, JSON, PYTHON

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.local import LocalCompleter
from dovetail.completer.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.hostile.texts import Text

    from dovetail.completer.answer import Answer

SETTINGS = replace(MINE, max_tokens=5, time_limit=600)

PIECES = 8

_NAME = re.compile(r"\b[axyfg]+\b")

ODD = ("".join(CONTROL), BIDIRECTIONAL, SEPARATORS, *SURROGATES)


class DigestGeneration(ScriptedGeneration):
    """A text whose tokens follow from the prompt."""

    def __init__(self, proposer: ScriptedProposer, prompt: Sequence[int]) -> None:
        super().__init__(proposer)
        self._prompt = repr(list(prompt)).encode()

    def _pairs(self) -> list[tuple[int, float]]:
        def rank(token: int) -> bytes:
            return hashlib.blake2b(b"%b %b %d" % (self._prompt, self.text, token), digest_size=8).digest()

        tokens = sorted(range(len(self._proposer.vocabulary.pieces)), key=rank)
        return [(token, -float(place) / 8) for place, token in enumerate(tokens)]


class DigestProposer(ScriptedProposer):
    """Another prompt gives another text, so an answer says for what prompt it was made; no prompt is of two windows."""

    def begin(self, prompt: Sequence[int], document: str | None = None) -> DigestGeneration:
        """Return the text of a prompt."""
        super().begin(prompt, document)
        written = b"".join(self.vocabulary.pieces[token] or b"" for token in prompt)
        assert not (b"one_" in written and b"two_" in written)
        return DigestGeneration(self, prompt)


def documents(window: str) -> list[tuple[Snapshot, int]]:
    """Return the hostile texts of a window, in names of its own, and the places of their cursors."""
    size = PIECES + len(window)
    texts: list[tuple[str, Text]] = [("python", make(size)) for make in (*PYTHON.values(), *DEEP.values())]
    texts += [("json", make(size)) for make in JSON.values()]
    texts += [("python", (f"x = ['{odd}", f"{odd}', ]\n")) for odd in ODD]
    texts += [("json", (f'["x{odd}", ', f' "{odd}"]')) for odd in ODD]
    found = []
    for number, (language, sides) in enumerate(texts):
        left, right = (_NAME.sub(lambda name: f"{window}_{name[0]}", side) for side in sides)
        found.append((Snapshot(f"file:///{number}.{language}", language, 1, left + right), len(left)))
    return found


@pytest.fixture(name="model", scope="module")
def _model() -> DigestProposer:
    pieces = (b" ", b"\n", b"x", b"(", b")", b"[]", b"1", b", ", b"'", b'"', b"one_", b"two_", b"pass", b"    ")
    return DigestProposer(pieces, window=4096)


def test_no_hostile_text_of_a_window_is_in_the_answer_of_another(model: DigestProposer) -> None:
    """Two windows send them in files of the same names, in opposite orders; every answer is that of a process alone."""
    names = ("one", "two")
    expected: dict[str, list[Answer]] = {}
    for name in names:
        alone = LocalCompleter(lambda *_: model)
        assert alone.load(SETTINGS).complaint is None
        expected[name] = [alone.complete(*document, CancelToken()) for document in documents(name)]
    served = Served(lambda *_: model)
    windows = {name: served.window(SETTINGS) for name in names}
    found: dict[str, dict[int, Answer]] = {name: {} for name in names}

    def send(name: str) -> None:
        numbered = list(enumerate(documents(name)))
        for number, document in numbered if name == names[0] else reversed(numbered):
            found[name][number] = windows[name].complete(*document, CancelToken())

    threads = [threading.Thread(target=send, args=(name,), daemon=True) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(4 * PATIENCE)
    served.close()

    for name in names:
        answers = [found[name][number] for number in range(len(expected[name]))]
        assert [(one.texts, one.reason) for one in answers] == [(one.texts, one.reason) for one in expected[name]]
        assert sum(bool(one.texts) for one in answers) > len(answers) // 4
    differ = sum(one.texts != two.texts for one, two in zip(*expected.values(), strict=True))
    assert differ > len(expected["one"]) // 4
