"""A team that writes what a test wants, in the process of the test."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dovetail.team.team import Sender, TeamState
from dovetail.team.written_texts import WrittenTexts

if TYPE_CHECKING:
    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.team.messages import SessionRequest
    from dovetail.completer.wire import Message
    from dovetail.team.doors.window_request import WindowRequest


class ScriptedTeam:
    """Answers with what was asked, so that a test sees it; or raises."""

    def __init__(self, error: Exception | None = None, *, slow: bool = False, ready: int = 1) -> None:
        """`error`: raised for each request. `slow`: nothing is answered before `released` is set or the client goes."""
        self.released = asyncio.Event()
        self.asked: list[WindowRequest] = []
        self.senders: list[Sender] = []
        self._error = error
        self._slow = slow
        self._ready = ready

    async def write(self, asked: WindowRequest, sender: Sender, cancellation: CancelToken) -> WrittenTexts:
        """Return both texts of the window."""
        self.asked.append(asked)
        self.senders.append(sender)
        if self._slow:
            cancellation.tell(self.released.set)
            await self.released.wait()
        if self._error is not None:
            raise self._error
        return WrittenTexts((f"{asked.left}|{asked.right}",), limited=False, tokens=3)

    async def converse(self, asked: SessionRequest, sender: Sender, cancellation: CancelToken) -> Message:
        """Return the name of the session, and by whom it was found."""
        self.senders.append(sender)
        if self._error is not None:
            raise self._error
        return {"result": [asked.session, sender.key]}

    def state(self) -> TeamState:
        """Return a state."""
        return TeamState(self._ready, 1, 0, 0)
