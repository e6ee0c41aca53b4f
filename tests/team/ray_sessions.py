"""Sessions of Dovetail's own client on Ray: they stay at their replica, and go on after its end or with a new model."""

from __future__ import annotations

import ast
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from tests.team.demo import say

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.team.address import TeamAddress
from dovetail.completer.team.session import TeamSession
from dovetail.completer.team.text_check import TextCheck
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.team.ray_cluster import RayCluster

    from dovetail.completer.answer import Answer

_LEFT, _RIGHT = "def area(width, height):\n    return ", "\n\n\nprint(area(2, 3))\n"
_KEYS = "(width"

_EDITORS = 4
_REQUESTS = 14
"""Requests that an editor makes at least; it goes on until what happens to the host is over."""

_PATIENCE = 600
"""Seconds in which all editors are half done."""


class RayEditor:
    """A document that is edited, and completed over a session."""

    def __init__(self, address: str, name: str) -> None:
        """Begin a session."""
        settings = Settings(trigger="eager", min_characters=1, time_limit=60)
        self._session = TeamSession(TeamAddress(address, None), settings)
        self._check = TextCheck()
        loaded = self._session.open(CancelToken())
        self._check.aim(settings, loaded.targets)
        self._document = Snapshot(f"file:///home/alice/{name}.py", "python", 1, _LEFT + _RIGHT)
        self._offset = len(_LEFT)

    def type_and_ask(self, number: int) -> Answer:
        """Type a key, or take all back, and complete there; raises SyntaxError for a text that makes no program."""
        typed = self._offset - len(_LEFT)
        if typed < len(_KEYS):
            edit = (self._offset, self._offset, _KEYS[typed])
        else:
            edit = (len(_LEFT), self._offset, "")
        before, after = self._document.text[: edit[0]], self._document.text[edit[1] :]
        self._document = replace(self._document.edited(before + edit[2] + after, [edit]), version=number)
        self._offset = edit[0] + len(edit[2])
        answer: Answer = self._session.call("complete", self._document, CancelToken(), offset=self._offset)
        kept = self._check.kept(self._document, self._offset, answer)
        if len(kept.texts) < len(answer.texts):
            raise SyntaxError(answer.texts)
        for text in kept.texts:
            ast.parse(self._document.text[: self._offset] + text + self._document.text[self._offset :])
        return kept

    def close(self) -> None:
        """End the session."""
        self._session.close()


def try_sessions(cluster: RayCluster, change: str) -> int:
    """Edit four documents at once, while a replica is killed and a configuration deployed; return what went wrong."""
    wrong = _edit(cluster, "Sessions", lambda: None)
    wrong += _edit(cluster, "Sessions around the end of a replica", cluster.kill_replica)
    return wrong + _edit(cluster, "Sessions around a change of the deployment", lambda: cluster.deploy(change))


def _edit(cluster: RayCluster, what: str, meanwhile: Callable[[], None]) -> int:
    """Edit, and do something in the middle; return how many editors met a failure or a wrong text."""
    editors = [RayEditor(cluster.address, f"area{number}") for number in range(_EDITORS)]
    half = threading.Barrier(_EDITORS + 1)
    over = threading.Event()

    def work(editor: RayEditor) -> int:
        """Return how many texts came; all of the editors are half done when something happens to the host."""
        texts = 0
        try:
            for number in count(2):
                texts += len(editor.type_and_ask(number).texts)
                if number == _REQUESTS // 2:
                    half.wait(_PATIENCE)
                if number > _REQUESTS and over.is_set():
                    return texts
        except BaseException:
            half.abort()
            raise
        finally:
            editor.close()
        raise AssertionError

    failures: list[str] = []
    texts = 0
    with ThreadPoolExecutor(_EDITORS) as threads:
        running = [threads.submit(work, editor) for editor in editors]
        try:
            half.wait(_PATIENCE)
            meanwhile()
        except threading.BrokenBarrierError:
            pass  # an editor failed, which is told below
        finally:
            over.set()
        for each in running:
            try:
                texts += each.result()
            except threading.BrokenBarrierError:
                continue
            except Exception as failure:
                failures.append(f" {type(failure).__name__}: {failure}.")
    say(f"{what}: {texts} texts, each a program; {len(failures)} failures.{''.join(failures)}")
    return len(failures) + (texts == 0)
