"""A replica's process that says that it fits, whatever it sends: a host that is wrong, or hostile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.decoding.scripted_proposer import ScriptedProposer
from tests.team.threaded_replica import ThreadedReplica

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.wire import Message


class LyingProcess(ThreadedReplica):
    """The connection to such a process."""

    def __init__(self, texts: Sequence[str], lost: Callable[[], None]) -> None:
        """Start it; it sends these texts, as if they were checked."""
        self._texts = texts
        super().__init__(lost, ScriptedProposer)

    def _result(self, message: Message, token: CancelToken) -> Message:
        answer = super()._result(message, token)
        if message["call"] == "converse" and message["request"]["operation"] == "complete":
            answer["result"]["result"].update(texts=list(self._texts), unchecked=True)
        return answer
