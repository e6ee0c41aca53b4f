"""A client in the same process: messages go to the server as JSON, answers come back as JSON."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from dovetail.lsp.server import Server

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.lsp.scripted_completer import ScriptedCompleter

    from dovetail.lsp.meter import Meter

URI = "file:///example.py"

AUTOMATIC = types.InlineCompletionTriggerKind.Automatic


class Client:
    """Speaks to a server by its protocol, without a transport."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.notifications: list[dict[str, Any]] = []
        self.lost: list[dict[str, Any]] = []  # the errors that answer no request
        self.requests: list[dict[str, Any]] = []  # what the server asked
        self.results: dict[str, object] = {}  # method of a request of the server → our answer, null without
        self.silent: set[str] = set()  # methods of requests of the server that are never answered
        self._answers: dict[int | str, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Event()
        server.protocol.set_writer(self)

    def close(self) -> None:
        """Take the end of the connection; there is nothing to end."""

    def write(self, data: bytes) -> None:
        """Take what the server sends."""
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" not in message and message["id"] is None:
            self.lost.append(message)
        elif "method" not in message:
            self._answers[message["id"]].set_result(message)
        elif "id" in message:
            self.requests.append(message)
            if message["method"] not in self.silent:
                self._receive({"id": message["id"], "result": self.results.get(message["method"])})
        else:
            self.notifications.append(message)
        self._news.set()

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._receive({"method": method, "params": params})

    def ask(self, number: int, method: str, params: object) -> asyncio.Future[dict[str, Any]]:
        """Send a request and return what will be its whole answer, error or result."""
        answer = self.expect(number)
        self._receive({"id": number, "method": method, "params": params})
        return answer

    def expect(self, number: int | str) -> asyncio.Future[dict[str, Any]]:
        """Return what will be the answer to a request with a number."""
        self._answers[number] = asyncio.get_running_loop().create_future()
        return self._answers[number]

    def complete(
        self,
        number: int,
        line: int,
        column: int,
        kind: types.InlineCompletionTriggerKind = AUTOMATIC,
        selected: dict[str, Any] | None = None,
        uri: str = URI,
    ) -> asyncio.Future[dict[str, Any]]:
        """Ask for a completion in the one document, as an editor does by itself or as a user does."""
        place = {"line": line, "character": column}
        context = {"triggerKind": kind.value, "selectedCompletionInfo": selected}
        params = {"textDocument": {"uri": uri}, "position": place, "context": context}
        return self.ask(number, types.TEXT_DOCUMENT_INLINE_COMPLETION, params)

    async def command(self, number: int, name: str, *arguments: object) -> dict[str, Any]:
        """Give the server a command and return what it answers."""
        params = {"command": f"dovetail.server.{name}", "arguments": arguments}
        answer = await self.ask(number, types.WORKSPACE_EXECUTE_COMMAND, params)
        result: dict[str, Any] = answer["result"]
        return result

    def accept(self, number: int, item: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
        """Run the command of an item, as an editor does when the user accepts all of it."""
        command = {key: item["command"][key] for key in ("command", "arguments")}
        return self.ask(number, types.WORKSPACE_EXECUTE_COMMAND, command)

    async def loaded(self) -> None:
        """Wait until the loading of the model has ended."""
        if self.server.session.loading is not None:
            await self.server.session.loading

    def open(self, text: str, language: str = "python", uri: str = URI) -> None:
        """Open a document, the one if it has no other address."""
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify(types.TEXT_DOCUMENT_DID_OPEN, {"textDocument": document})

    def change(self, version: int, *changes: dict[str, Any]) -> None:
        """Change the one document."""
        document = {"uri": URI, "version": version}
        self.notify(types.TEXT_DOCUMENT_DID_CHANGE, {"textDocument": document, "contentChanges": list(changes)})

    async def begin(
        self,
        *,
        encodings: tuple[str, ...] = ("utf-16",),
        progress: bool = False,
        status: bool = False,
        configuration: bool = False,
        pulled: bool = False,
        asks_again: bool = False,
        options: object = None,
        folders: tuple[str, ...] = (),
        trusted: bool | None = None,
        ways: dict[str, str] | None = None,
        setting_names: dict[str, object] | None = None,
        watches: bool = False,
    ) -> dict[str, Any]:
        """Begin the session and return the server's capabilities; `pulled` settings are not given but asked for.

        `folders` are the addresses of the workspace's; `trusted`, `ways` and `setting_names` are told if they are not
        None. With `watches` the client watches the files that it is asked to watch.
        """
        capabilities = {
            "general": {"positionEncodings": encodings},
            "textDocument": {"completion": {"dynamicRegistration": configuration}},
            "window": {"workDoneProgress": progress},
            "workspace": {
                "configuration": configuration,
                "didChangeConfiguration": {"dynamicRegistration": configuration},
                "didChangeWatchedFiles": {"dynamicRegistration": watches},
            },
            "experimental": {
                "didChangeStatus": status,
                "asksAgain": asks_again,
                "trustedWorkspace": trusted,
                "ways": ways,
                "settingNames": setting_names,
            },
        }
        named = [{"uri": uri, "name": uri} for uri in folders]
        params = {"capabilities": capabilities, "processId": None, "rootUri": None, "workspaceFolders": named}
        given = None if pulled else options or {}
        answer = await self.ask(0, types.INITIALIZE, {**params, "initializationOptions": given})
        self.notify(types.INITIALIZED, {})
        result: dict[str, Any] = answer["result"]["capabilities"]
        return result

    async def hear(self, method: str, count: int = 1) -> list[Any]:
        """Wait for notifications of a method and return the parameters of all so far."""
        while True:
            heard = [message["params"] for message in self.notifications if message["method"] == method]
            if len(heard) >= count:
                return heard
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 10)

    def _receive(self, message: dict[str, Any]) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message})
        protocol = self.server.protocol
        protocol.receive(text.encode())


def session(
    completer: ScriptedCompleter, overrides: Mapping[str, object] | None = None, meter: Meter | None = None
) -> Client:
    """Return the client of a new server with a completer."""
    return Client(Server(completer, overrides or {}, meter))


def items(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items of the answer to a request for completions."""
    found: list[dict[str, Any]] = answer["result"]["items"]
    return found


def replacing(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, Any]:
    """Return the change that replaces a range."""
    places = [{"line": line, "character": column} for line, column in (start, end)]
    return {"range": {"start": places[0], "end": places[1]}, "text": text}
