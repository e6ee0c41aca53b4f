"""The files around a document: told with each request, explained by `why`, and never read without leave."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

if TYPE_CHECKING:
    from pathlib import Path

    from tests.lsp.client import Client
    from tests.lsp.scripted_completer import ScriptedCompleter

TAX = """\
def tax_of(amount, country):
    table = rates_by_country
    special = exceptions.get(country, {})
    if special.get("until", forever) > today:
        return special["rate"] * amount
    return table[country].rate * amount
"""
CART = "from tax import tax_of\n\ntotal = tax_of("
PLACE = 2, len("total = tax_of(")


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "tax.py").write_text(TAX)
    (root / "cart.py").write_text(CART)
    return root


async def settled(client: Client) -> None:
    """Wait until no file is read any more."""
    while client.server.session.following_files:
        await asyncio.wait(client.server.session.following_files)


async def told(client: Client, completer: ScriptedCompleter, number: int, uri: str) -> dict[str, str]:
    """Ask by hand, and return the parts of other files that the completer was told of."""
    await settled(client)
    await client.complete(number, *PLACE, kind=types.InlineCompletionTriggerKind.Invoked, uri=uri)
    project = completer.projects[-1]
    return {} if project is None else {file.path: file.text for file in project.files}


async def test_an_imported_file_is_told_and_named(client: Client, completer: ScriptedCompleter, root: Path) -> None:
    """A request tells the model of an imported file, and `why` names it with its tokens."""
    uri = (root / "cart.py").as_uri()
    await client.begin(folders=(root.as_uri(),))
    client.open(CART, uri=uri)
    assert await told(client, completer, 1, uri) == {"tax.py": TAX}
    answer = await client.command(2, "why", uri)
    assert answer["context"] == [{"path": "tax.py", "tokens": len(TAX)}]
    assert answer["message"].endswith(f"The model has also read parts of tax.py ({len(TAX)} tokens).")


@pytest.mark.parametrize("options", [{"context": "off"}, {"context": "open"}])
async def test_the_setting_is_followed(
    client: Client, completer: ScriptedCompleter, root: Path, options: dict[str, str]
) -> None:
    """Without `workspace` no file is told that is not open; a change of the setting takes effect at once."""
    uri = (root / "cart.py").as_uri()
    await client.begin(options=options, folders=(root.as_uri(),))
    client.open(CART, uri=uri)
    assert await told(client, completer, 1, uri) == {}
    client.notify(types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"settings": {"dovetail": {"context": "workspace"}}})
    assert await told(client, completer, 2, uri) == {"tax.py": TAX}
    client.notify(types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"settings": {"dovetail": options}})
    assert await told(client, completer, 3, uri) == {}


async def test_an_open_document_is_told_as_it_stands(client: Client, completer: ScriptedCompleter, root: Path) -> None:
    """The text in the editor goes before that on disk, until the document is closed."""
    uri, other = (root / "cart.py").as_uri(), (root / "tax.py").as_uri()
    await client.begin(folders=(root.as_uri(),))
    client.open(CART, uri=uri)
    client.open(TAX.replace("country", "region"), uri=other)
    assert await told(client, completer, 1, uri) == {"tax.py": TAX.replace("country", "region")}
    client.notify(types.TEXT_DOCUMENT_DID_CLOSE, {"textDocument": {"uri": other}})
    assert await told(client, completer, 2, uri) == {"tax.py": TAX}


async def test_a_saved_document_looks_at_the_others(client: Client, completer: ScriptedCompleter, root: Path) -> None:
    """After a document was saved, files that changed on disk are told as they are."""
    uri = (root / "cart.py").as_uri()
    await client.begin(folders=(root.as_uri(),))
    client.open(CART, uri=uri)
    await settled(client)
    (root / "tax.py").write_text(TAX.replace("country", "the_region"))
    client.notify(types.TEXT_DOCUMENT_DID_SAVE, {"textDocument": {"uri": uri}})
    assert await told(client, completer, 1, uri) == {"tax.py": TAX.replace("country", "the_region")}


async def test_an_untrusted_folder_is_not_read(client: Client, completer: ScriptedCompleter, root: Path) -> None:
    """If the client says that its user does not trust the folders, nothing is told of them."""
    uri = (root / "cart.py").as_uri()
    await client.begin(folders=(root.as_uri(),), trusted=False)
    client.open(CART, uri=uri)
    client.open(TAX, uri=(root / "tax.py").as_uri())
    assert await told(client, completer, 1, uri) == {}


async def test_folders_come_and_go(client: Client, completer: ScriptedCompleter, root: Path) -> None:
    """A file is told as long as it lies in a folder of the workspace."""
    uri, folder = (root / "cart.py").as_uri(), {"uri": root.as_uri(), "name": "shop"}
    await client.begin()
    client.open(CART, uri=uri)
    assert await told(client, completer, 1, uri) == {}
    added = {"event": {"added": [folder], "removed": []}}
    client.notify(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, added)
    assert await told(client, completer, 2, uri) == {"tax.py": TAX}
    removed = {"event": {"added": [], "removed": [folder]}}
    client.notify(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, removed)
    assert await told(client, completer, 3, uri) == {}


def tell(client: Client, *changes: tuple[Path, types.FileChangeType]) -> None:
    """Tell the server of files that have changed."""
    events = [{"uri": path.as_uri(), "type": kind.value} for path, kind in changes]
    client.notify(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, {"changes": events})


async def test_files_that_other_programs_change_are_followed(
    client: Client, completer: ScriptedCompleter, root: Path
) -> None:
    """A file that comes, changes and goes is told as it stands, without a key in the document."""
    uri, tax = (root / "cart.py").as_uri(), root / "tax.py"
    tax.unlink()
    await client.begin(folders=(root.as_uri(),), watches=True)
    client.open(CART, uri=uri)
    assert await told(client, completer, 1, uri) == {}
    tax.write_text(TAX)
    tell(client, (tax, types.FileChangeType.Created))
    assert await told(client, completer, 2, uri) == {"tax.py": TAX}
    tax.write_text(TAX.replace("country", "the_region"))
    tell(client, (tax, types.FileChangeType.Changed))
    assert await told(client, completer, 3, uri) == {"tax.py": TAX.replace("country", "the_region")}
    tax.unlink()
    tell(client, (tax, types.FileChangeType.Deleted))
    assert await told(client, completer, 4, uri) == {}


async def test_files_that_may_not_be_read_are_not_followed(
    client: Client, completer: ScriptedCompleter, root: Path
) -> None:
    """A client that tells of ignored, secret, linked and outside files gets none of them read."""
    uri = (root / "cart.py").as_uri()
    (root / ".gitignore").write_text("ignored.py\n")
    (root / "tax.py").unlink()
    await client.begin(folders=(root.as_uri(),))
    text = "import ignored, credentials, outside, link\nfrom shop import ignored, outside\n" + CART
    client.open(text, uri=uri)
    await settled(client)
    paths = [root / "ignored.py", root / "credentials.py", root.parent / "outside.py", root / "link.py"]
    for path in paths[:3]:
        path.write_text(TAX)
    paths[3].symlink_to(paths[2])
    tell(client, *((path, types.FileChangeType.Created) for path in paths))
    await settled(client)
    await client.complete(1, 4, len("total = tax_of("), kind=types.InlineCompletionTriggerKind.Invoked, uri=uri)
    project = completer.projects[-1]
    assert project is not None
    assert (project.files, project.open_texts, project.workspace_texts) == ((), (), ())


@pytest.mark.parametrize("options", [{"context": "off"}, {"context": "open"}, None])
async def test_files_are_followed_only_with_leave(
    client: Client, completer: ScriptedCompleter, root: Path, options: dict[str, str] | None
) -> None:
    """Without `workspace`, and in folders that the user does not trust, no change of a file is looked at."""
    uri = (root / "cart.py").as_uri()
    await client.begin(options=options, folders=(root.as_uri(),), trusted=None if options else False)
    client.open(CART, uri=uri)
    tell(client, (root / "tax.py", types.FileChangeType.Changed))
    assert await told(client, completer, 1, uri) == {}


async def test_rules_that_change_are_followed(client: Client, completer: ScriptedCompleter, root: Path) -> None:
    """A file that a `.gitignore` names from now on is told no more, and one that it names no longer is."""
    uri, rules = (root / "cart.py").as_uri(), root / ".gitignore"
    await client.begin(folders=(root.as_uri(),))
    client.open(CART, uri=uri)
    assert await told(client, completer, 1, uri) == {"tax.py": TAX}
    rules.write_text("tax.py\n")
    tell(client, (rules, types.FileChangeType.Created))
    assert await told(client, completer, 2, uri) == {}
    rules.unlink()
    tell(client, (rules, types.FileChangeType.Deleted))
    assert await told(client, completer, 3, uri) == {"tax.py": TAX}


@pytest.mark.parametrize("watches", [True, False])
async def test_a_client_that_can_is_asked_to_watch(client: Client, root: Path, watches: bool) -> None:
    """The watchers are registered once, for the files of languages with imports and for rules, if the client can."""
    await client.begin(folders=(root.as_uri(),), watches=watches)
    watching = client.server.session.watching
    assert watching is not None
    await watching
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    asked = [one for request in client.requests for one in request["params"].get("registrations", ())]
    patterns = [
        watcher["globPattern"]
        for one in asked
        if one["method"] == method
        for watcher in one["registerOptions"]["watchers"]
    ]
    assert bool(patterns) == watches
    if watches:
        assert len(patterns) == 2
        assert all(ending in patterns[0] for ending in (".py", ".js", ".lua"))
        assert patterns[1] == "**/.gitignore"
