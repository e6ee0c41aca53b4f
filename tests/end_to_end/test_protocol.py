"""All of the protocol, over a real process, in each unit of columns, with the characters that others count wrongly.

Two servers talk over their streams, the third over a port of this machine.
"""

from __future__ import annotations

import ast
import asyncio
import random
import re
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types
from tests.end_to_end.document import Document
from tests.lsp import reference

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pytest_lsp import LanguageClient

pytestmark = pytest.mark.asyncio(loop_scope="module")  # one server serves all tests of a unit

SERVE = [sys.executable, "-m", "dovetail", "serve"]

INVOKED = types.InlineCompletionTriggerKind.Invoked

ODD = '#\f😀\u2028\x85\rMARK = "😀\u2028é€\u2029"; RATES = [0.1]\r\n"""\f\x0b\x1c\r😀\r\n\n€"""\n'
"""Characters beyond the BMP, and all at which some notion of a line ends, in comments and strings of a program."""

LEFT = ODD + '\n\ndef total(prices, rate):\n    """Return the sum 😀."""\n    subtotal = "😀" and sum('
RIGHT = "\n    return subtotal * (1 + rate)\n"

_PATIENCE = 300.0


def plain(position: types.Position) -> dict[str, int]:
    """Return a position as JSON has it."""
    return {"line": position.line, "character": position.character}


class Session(NamedTuple):
    """A client whose server counts columns in a unit."""

    client: LanguageClient
    encoding: str
    statuses: list[Any]
    """The server's reports of its state."""
    capabilities: types.ServerCapabilities

    def open(self, text: str, name: str, language: str = "python") -> Document:
        """Open a document."""
        return Document(self.client, text, name=name, language=language, encoding=self.encoding)

    async def command(self, name: str, *arguments: Any) -> Any:
        """Give the server a command and return its answer."""
        params = types.ExecuteCommandParams(f"dovetail.server.{name}", list(arguments))
        return await self.client.workspace_execute_command_async(params)

    async def explain(self, document: Document, offset: int) -> Any:
        """Ask for an explanation of a place."""
        place = {"textDocument": {"uri": document.uri}, "position": plain(document.position(offset))}
        return await self.command("explain", place)

    def notify(self, method: str, params: object) -> None:
        """Send a notification that the protocol does not know."""
        self.client.protocol.notify(method, params)

    async def heard(self, kind: str) -> None:
        """Wait until the last status that was told is of a kind."""
        async with asyncio.timeout(_PATIENCE):
            while not self.statuses or self.statuses[-1].kind != kind:
                await asyncio.sleep(0.01)


@pytest_asyncio.fixture(
    name="session",
    params=[("utf-8", False), ("utf-16", False), ("utf-32", True)],
    ids=["utf-8", "utf-16", "utf-32, tcp"],
    scope="module",
    loop_scope="module",
)
async def _session(request: pytest.FixtureRequest) -> AsyncIterator[Session]:
    encoding, over_tcp = request.param
    client = pytest_lsp.make_test_lsp_client()
    statuses: list[Any] = []

    @client.feature("didChangeStatus")
    def hear(status: Any) -> None:
        statuses.append(status)

    process = None
    if over_tcp:
        process = await asyncio.create_subprocess_exec(*SERVE, "--tcp", "0", stderr=asyncio.subprocess.PIPE)
        assert process.stderr is not None
        found = re.search(rb"127\.0\.0\.1:(\d+)", await process.stderr.readline())
        assert found is not None
        await client.start_tcp("127.0.0.1", int(found[1]))
    else:
        await client.start_io(SERVE[0], *SERVE[1:])
    capabilities = types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=[encoding, "utf-16"]),
        text_document=types.TextDocumentClientCapabilities(
            inline_completion=types.InlineCompletionClientCapabilities()
        ),
        window=types.WindowClientCapabilities(work_done_progress=True),
        experimental={"didChangeStatus": True},
    )
    options: dict[str, Any] = {"max_tokens": 16, "min_characters": 1, "time_limit": 60, "trigger": "eager"}
    options |= {"completion_items": True, "completion_time_limit": 30}
    options["python"] = {"target_version": f"3.{sys.version_info.minor}"}
    answer = await client.initialize_session(
        types.InitializeParams(capabilities=capabilities, initialization_options=options)
    )
    assert answer.capabilities.position_encoding == encoding
    session = Session(client, encoding, statuses, answer.capabilities)
    await session.heard("Normal")
    yield session
    await client.shutdown_session()
    assert client.messages == []  # nothing of all this was a mistake that a user has to be shown
    if process is not None:
        assert await asyncio.wait_for(process.wait(), _PATIENCE) == 0
    else:
        assert client._server is not None
        assert client._server.returncode == 0
    await client.stop()


async def test_the_capabilities_are_all_there(session: Session) -> None:
    """Both kinds of completion, changes by ranges, and the commands are offered."""
    capabilities = session.capabilities

    assert capabilities.inline_completion_provider is not None
    assert capabilities.completion_provider is not None
    assert isinstance(capabilities.text_document_sync, types.TextDocumentSyncOptions)
    assert capabilities.text_document_sync.change == types.TextDocumentSyncKind.Incremental
    assert capabilities.execute_command_provider is not None
    assert len(capabilities.execute_command_provider.commands) == 7


async def test_a_completion_behind_odd_characters_fits(session: Session) -> None:
    """The item is for the very place that was asked about, and with it the document is a program."""
    document = session.open(LEFT + RIGHT, "odd.py")

    [item] = (await document.ask(len(LEFT))).items

    ast.parse(document.with_item(len(LEFT), item))


async def test_the_server_has_the_text_of_the_client_after_any_edits(session: Session) -> None:
    """Edits of all kinds in a string, several to a message, and then what is after it stands where it stood."""
    chance = random.Random(session.encoding)
    inside = '"""'
    document = session.open(f"{inside}{inside}\nx = [1, 2]\ny = = 3\n", "edited.py")
    for _ in range(30):
        text, edits = document.text, []
        for _ in range(chance.randint(1, 3)):
            places = range(3, text.index(inside, 3) + 1)
            start, end = sorted(at - reference.splits_line_end(text, at) for at in chance.choices(places, k=2))
            new = "".join(chance.choices(["\r", "\n", "\r\n", "\f", "\u2028", "\x85", "é", "€", "😀", "a"], k=3))
            edits.append((start, end, new))
            text = text[:start] + new + text[end:]
        document.replace_all(edits)

    found = await session.explain(document, len(document.text))

    # Of the broken line nothing is kept; that it is this one, and where it begins, only the right text tells.
    broken = document.position(document.text.index("y = ="))
    assert [part["range"]["start"] for part in found["ignored"]] == [plain(broken)]
    assert found["position"] == plain(document.position(len(document.text)))
    gap = document.text.index("1, 2") + 3
    document.replace(gap, len(document.text), "")
    [item] = (await document.ask(gap)).items
    ast.parse(document.with_item(gap, item))


async def test_a_whole_new_text_takes_the_place_of_the_old_one(session: Session) -> None:
    """A change without a range, and then one with a range of the new text."""
    document = session.open("(", "whole.py")
    document.replace_whole(LEFT + "oops" + RIGHT)
    document.replace(len(LEFT), len(LEFT) + 4, "")

    [item] = (await document.ask(len(LEFT))).items

    ast.parse(document.with_item(len(LEFT), item))


async def test_who_asks_gets_several_and_each_fits(session: Session) -> None:
    """Invoked requests are answered at once, with texts that differ."""
    document = session.open(LEFT + RIGHT, "several.py")

    items = (await document.ask(len(LEFT), kind=INVOKED)).items

    assert len({item.insert_text for item in items}) == len(items) > 1
    for item in items:
        ast.parse(document.with_item(len(LEFT), item))


async def test_what_is_selected_elsewhere_is_gone_on_from(session: Session) -> None:
    """The item takes the place of the word and begins with the selected one."""
    document = session.open(LEFT + "pri" + RIGHT, "selected.py")
    span = types.Range(document.position(len(LEFT)), document.position(len(LEFT) + 3))
    selected = types.SelectedCompletionInfo(span, "prices")

    [item] = (await document.ask(len(LEFT) + 3, selected=selected)).items

    assert item.range == span
    assert isinstance(item.insert_text, str)
    assert item.insert_text.startswith("prices")
    ast.parse(document.with_edit(item.range, item.insert_text))


async def test_items_of_the_other_kind_fit(session: Session) -> None:
    """An edit of `textDocument/completion` makes the document a program too."""
    document = session.open(LEFT + "pri" + RIGHT, "items.py")
    place = document.position(len(LEFT) + 3)

    found = await session.client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(document.uri), place)
    )

    assert isinstance(found, types.CompletionList)
    assert found.is_incomplete
    [item] = found.items
    assert isinstance(item.text_edit, types.TextEdit)
    assert item.text_edit.range == types.Range(document.position(len(LEFT)), place)
    assert item.text_edit.new_text.startswith("pri")
    ast.parse(document.with_edit(item.text_edit.range, item.text_edit.new_text))


async def test_what_becomes_of_an_item_is_heard(session: Session) -> None:
    """An item is shown, taken in part and accepted; what was typed of it is gone on with from memory."""
    document = session.open(LEFT + RIGHT, "accepted.py")
    items = (await document.ask(len(LEFT), kind=INVOKED)).items
    texts = [item.insert_text for item in items if isinstance(item.insert_text, str)]
    longest = max(texts, key=len)
    item = items[texts.index(longest)]
    assert item.command is not None
    name = {"command": {"command": item.command.command, "arguments": item.command.arguments}}

    session.notify("textDocument/didShowCompletion", {"item": name})
    session.notify("textDocument/didPartiallyAcceptCompletion", {"item": name, "acceptedLength": 1})
    document.replace(len(LEFT), len(LEFT), longest[0])
    [rest] = (await document.ask(len(LEFT) + 1)).items
    done = await session.command("accepted", *item.command.arguments or ())

    assert done is None
    assert len(longest) > 1
    assert rest.insert_text in [text[1:] for text in texts if text.startswith(longest[0])]


async def test_places_are_explained_in_the_units_of_the_client(session: Session) -> None:
    """The place comes back as it was given, and a fault stands where the reader finds it."""
    document = session.open(LEFT + RIGHT, "explained.py")
    fault = session.open('{"😀é": 1 2', "fault.json", "json")

    found = await session.explain(document, len(LEFT))
    broken = await session.explain(fault, len(fault.text))

    assert (found["viable"], found["position"]) == (True, plain(document.position(len(LEFT))))
    ast.parse(LEFT + found["closing"] + RIGHT)
    place = fault.position(fault.text.index("2"))
    assert (broken["viable"], broken["fault"]["position"]) == (False, plain(place))


async def test_reasons_and_switches(session: Session) -> None:
    """Switched off there is nothing, and status and reason say so; switched on again there is something."""
    document = session.open(LEFT + RIGHT, "switched.py")
    for scope in ("document", "language", "all"):
        off = await session.command("toggle", {"scope": scope, "uri": document.uri, "enabled": False})
        silent = (await document.ask(len(LEFT))).items
        why = await session.command("why", document.uri)
        if scope == "all":
            await session.heard("Inactive")
        on = await session.command("toggle", {"scope": scope, "uri": document.uri, "enabled": True})

        assert (off["enabled"], off["kind"], silent, on["enabled"]) == (False, "Inactive", (), True)
        assert "switched off" in why["message"]

    await session.heard("Normal")
    assert len((await document.ask(len(LEFT))).items) == 1
    assert (await session.command("why", document.uri))["offered"] == 1


async def test_settings_change_while_it_runs(session: Session) -> None:
    """Settings that the client sends hold from the next request on."""
    document = session.open(LEFT + RIGHT, "settings.py")
    options: dict[str, Any] = {"max_tokens": 16, "min_characters": 1, "time_limit": 60, "trigger": "eager"}
    options["disabled_languages"] = ["python"]
    change = session.client.workspace_did_change_configuration
    change(types.DidChangeConfigurationParams({"dovetail": options}))
    silent = (await document.ask(len(LEFT))).items

    change(types.DidChangeConfigurationParams({"dovetail": {**options, "disabled_languages": []}}))

    assert not silent
    assert len((await document.ask(len(LEFT))).items) == 1


async def test_a_model_that_is_not_there_is_said_and_the_one_before_goes_on(session: Session) -> None:
    """The command answers with the reason; it can be taken back."""
    document = session.open(LEFT + RIGHT, "model.py")

    missing = await session.command("model", "/nowhere")
    items = (await document.ask(len(LEFT))).items
    own = await session.command("model", None)

    assert (missing["kind"], "/nowhere" in missing["message"]) == ("Warning", True)
    assert len(items) == 1
    assert (own["kind"], own["model"]) == ("Normal", "embedded")


async def test_a_closed_document_is_known_no_more(session: Session) -> None:
    """A request about it is answered with nothing; opened again it is a new one."""
    document = session.open(LEFT, "closed.py")
    session.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(document.uri)))
    closed = (await document.ask(len(LEFT))).items

    again = session.open(LEFT + RIGHT, "closed.py")

    assert not closed
    assert len((await again.ask(len(LEFT))).items) == 1
