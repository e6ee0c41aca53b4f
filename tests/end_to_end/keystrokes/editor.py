"""The editor of the typist: it asks at every key, drops what comes too late, and shows ghost text."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

if TYPE_CHECKING:
    from pytest_lsp import LanguageClient
    from tests.end_to_end.document import Document

LEAST = 2
"""Characters of the shortest ghost text, as the server has it by default."""


@dataclass
class Asked:
    """One request and its answer."""

    uri: str
    text: str
    """The document when it was sent."""
    offset: int
    sent: float
    """Seconds of the clock, as all times here."""
    answered: float | None = None
    outcome: str = "waiting"
    """Then `offered`, `nothing`, `cancelled`, or the name of an error."""
    insert: str = ""
    """The texts that were offered."""
    inside: float = 0.0
    """Milliseconds that the server spent on it, as its log says."""
    model: float = 0.0
    """The part of them that was the model's."""
    newest: bool = True
    """True if the document was still the same when the answer came."""


@dataclass
class Ghost:
    """The text that is shown after the cursor."""

    offset: int
    text: str
    command: types.Command


@dataclass
class Editor:
    """One document in an editor that asks by itself."""

    client: LanguageClient
    document: Document
    cancels: bool
    """True if it cancels the request before, as VS Code does and Neovim does not."""
    caret: int = 0
    ghost: Ghost | None = None
    asked: list[Asked] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """The things that must not happen and did."""
    _waiting: set[asyncio.Task[None]] = field(default_factory=set)
    _expected: str | None = None
    """The text that the next answer has to be, where the ghost text is typed into."""

    def begin(self, passage: str) -> None:
        """Remove a passage and put the cursor in its place, on an empty line."""
        self.ghost = None
        self.caret = self.document.text.index(passage)
        self._edit(self.caret, self.caret + len(passage), "")

    def type(self, text: str) -> None:
        """Type some characters; whoever types what the ghost text begins with goes on in it."""
        ghost, self.ghost = self.ghost, None
        if ghost is not None and ghost.offset == self.caret and ghost.text.startswith(text):
            self.ghost = Ghost(ghost.offset + len(text), ghost.text[len(text) :], ghost.command)
        self._edit(self.caret, self.caret, text)
        self.caret += len(text)
        self._ask()

    def erase(self, count: int = 1) -> None:
        """Take characters before the cursor back."""
        self.ghost = None
        self._edit(self.caret - count, self.caret, "")
        self.caret -= count
        self._ask()

    def type_into_ghost(self) -> str:
        """Type the first character of the ghost text; the answer has to be the rest."""
        assert self.ghost is not None
        first, rest = self.ghost.text[0], self.ghost.text[1:]
        self._expected = rest if len("".join(rest.split())) >= LEAST else None
        self.type(first)
        return first

    async def accept(self) -> str:
        """Take the ghost text with the key, and return it."""
        ghost, self.ghost = self.ghost, None
        assert ghost is not None
        self._edit(self.caret, self.caret, ghost.text)
        self.caret += len(ghost.text)
        params = types.ExecuteCommandParams(ghost.command.command, list(ghost.command.arguments or ()))
        await self.client.workspace_execute_command_async(params)
        return ghost.text

    def tell_part(self, length: int) -> None:
        """Tell the server that some characters of the ghost text, as it was shown first, were taken."""
        assert self.ghost is not None
        item = {"command": {"command": self.ghost.command.command, "arguments": self.ghost.command.arguments}}
        params = {"item": item, "acceptedLength": length}
        self.client.protocol.notify("textDocument/didPartiallyAcceptCompletion", params)

    async def settle(self) -> None:
        """Wait for the answers that are still to come."""
        while self._waiting:
            await asyncio.wait(self._waiting)

    def _edit(self, start: int, end: int, text: str) -> None:
        if self.asked and self.asked[-1].answered is None:
            self.asked[-1].newest = False  # what is answered now speaks of another text
        self.document.replace(start, end, text)

    def _ask(self) -> None:
        number = f"{self.document.uri} {len(self.asked)}"
        if self.asked and self.cancels and self.asked[-1].answered is None:
            self.client.cancel_request(types.CancelParams(f"{self.document.uri} {len(self.asked) - 1}"))
        asked = Asked(self.document.uri, self.document.text, self.caret, time.perf_counter())
        expected, self._expected = self._expected, None
        self.asked.append(asked)
        task = asyncio.create_task(self._answer(asked, self.document.ask(self.caret, number), expected))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _answer(
        self, asked: Asked, answer: asyncio.Future[types.InlineCompletionList], expected: str | None
    ) -> None:
        place = self.document.position(asked.offset)
        try:
            items = (await answer).items
        except JsonRpcRequestCancelled:
            items, asked.outcome = (), "cancelled"
        except Exception as error:
            items, asked.outcome = (), type(error).__name__
            self.faults.append(f"a request was answered with {error!r}")
        asked.answered = time.perf_counter()
        if asked.outcome != "waiting":
            return
        asked.outcome = "offered" if items else "nothing"
        if any(other.outcome == "waiting" for other in self.asked[: self.asked.index(asked)]):
            self.faults.append("a request was answered before an older one of its document")
        for item in items:
            assert isinstance(item.insert_text, str)
            assert item.command is not None
            if item.range != types.Range(place, place):
                self.faults.append(f"an item is for {item.range}, not for {place}")
            asked.insert = item.insert_text
            if asked.newest:
                self._show(asked, item.insert_text, item.command)
        if expected is not None and asked.newest and asked.insert != expected:
            self.faults.append(f"the rest of a ghost text is {asked.insert!r}, not {expected!r}")

    def _show(self, asked: Asked, text: str, command: types.Command) -> None:
        if self.document.text != asked.text:
            self.faults.append("the newest answer speaks of another text")
        self.ghost = Ghost(asked.offset, text, command)
        item = {"command": {"command": command.command, "arguments": command.arguments}}
        self.client.protocol.notify("textDocument/didShowCompletion", {"item": item})
