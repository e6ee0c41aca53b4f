"""A replica's process without a process: a thread with the real child, over a model that a test has scripted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.decoding.scripted_proposer import ScriptedProposer
from tests.team.scripted_process import ScriptedProcess

from dovetail.team.replica_process import ReplicaChild

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.wire import Message
    from dovetail.decoding.proposer import Proposer
    from dovetail.team.replica import Begin


class ThreadedReplica(ScriptedProcess):
    """The connection to such a thread."""

    def __init__(
        self, lost: Callable[[], None], load: Callable[[], Proposer], cancelled: Callable[[], None] = lambda: None
    ) -> None:
        """Start it; `load` returns its model, `cancelled` is called when a request is taken back."""
        self._child = ReplicaChild(lambda _: load())
        self._cancelled = cancelled
        super().__init__(lost)

    def _result(self, message: Message, token: CancelToken) -> Message:
        if message["call"] == "load":
            message = {**message, "languages": ["json"]}  # others are not asked for in these tests
        token.tell(self._cancelled)
        return self._child.answer(message, token)


def over(load: Callable[[], Proposer], cancelled: Callable[[], None] = lambda: None) -> Begin:
    """Return what starts such a replica."""
    return lambda lost: ThreadedReplica(lost, load, cancelled)


def following(text: bytes, step: Callable[[bytes], None] = lambda _: None) -> ScriptedProposer:
    """Return a model that writes one text, whatever it is asked; `step` is called with what was written so far."""

    def rank(proposer: ScriptedProposer, written: bytes) -> list[int]:
        step(written)
        end = proposer.vocabulary.specials["<|endoftext|>"]
        return [text[len(written)] if len(written) < len(text) else end, end]

    return ScriptedProposer(rank=rank, window=4096)
