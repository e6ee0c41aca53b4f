"""The download of a model: whole, resumed, damaged, cut off, refused, without room, offline and stopped."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.model.played_hub import COMMIT, CONTENT, NAME, PlayedHub, fetched, left_off, played_hub, silent_address

from dovetail.__main__ import main
from dovetail.model.catalogue import catalogue
from dovetail.model.download import unfinished
from dovetail.model.downloaded import Note, get, path_of, read_note, unfinished_bytes
from dovetail.model.error import ModelError
from dovetail.model.hosting import load_model
from dovetail.model.hub import HubError, describe, opened

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(name="cache", autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the fetched models, which is empty."""
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / name)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return path_of(NAME).parent


@pytest.fixture(name="hub")
def _hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[PlayedHub]:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with played_hub(CONTENT) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        yield hub


def test_a_model_is_fetched_whole(hub: PlayedHub, cache: Path) -> None:
    """The file has the hub's bytes, progress goes from nothing to all, and a note says where it came from."""
    told = fetched()

    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, len(CONTENT))
    assert read_note(NAME) == Note(catalogue()[NAME].repository, COMMIT, hub.sha256)
    assert {file.suffix for file in cache.iterdir()} <= {".gguf", ".json", ".lock"}


def test_a_model_that_is_there_is_not_asked_for(hub: PlayedHub) -> None:
    """Nothing goes over the network for it."""
    fetched()
    hub.asked.clear()

    get(NAME, lambda count, size: None, lambda file: None)

    assert hub.asked == []


def test_a_download_that_was_left_off_is_resumed(hub: PlayedHub) -> None:
    """Only the bytes that lack are fetched, of the same version of the repository."""
    left_off(hub, 2**20 + 5)

    told = fetched()

    assert told[0] == 2**20 + 5
    assert hub.ranges == [f"bytes={2**20 + 5}-"]
    assert all(COMMIT in path for method, path, _ in hub.asked if method == "GET" and path != "/storage")


def test_a_whole_part_is_only_checked(hub: PlayedHub) -> None:
    """No byte is fetched again if all have arrived and the end came before the check."""
    left_off(hub, len(CONTENT) - 1)
    [part] = unfinished(path_of(NAME))
    part.write_bytes(CONTENT)

    fetched()

    assert hub.ranges == []


@pytest.mark.parametrize("answer", [200, 416])
def test_a_hub_that_takes_no_ranges_is_asked_for_all(hub: PlayedHub, answer: int) -> None:
    """The part is given up, and the file is whole in the end."""
    left_off(hub, 2**20)
    hub.takes_ranges = False
    hub.answers_ranges = answer

    fetched()


def test_a_connection_that_breaks_is_opened_again(hub: PlayedHub) -> None:
    """As long as each gets further, one call fetches the file."""
    hub.breaks = [1, 2**20, 7]

    fetched()

    assert hub.ranges == ["", "bytes=1-", f"bytes={2**20 + 1}-", f"bytes={2**20 + 8}-"]


def test_a_download_that_is_cut_off_is_kept(hub: PlayedHub) -> None:
    """One sentence says how much there is if nothing more arrives, and that it goes on from there."""
    hub.breaks = [1000, 0]

    with pytest.raises(ModelError) as caught:
        get(NAME, lambda count, size: None, lambda file: None)

    assert str(caught.value) == (
        f"The connection was lost after 1,000 of {len(CONTENT):,} bytes of {catalogue()[NAME].file}, which are kept: "
        "the same command goes on from there."
    )


def test_a_hub_without_ranges_that_breaks_off_ends(hub: PlayedHub) -> None:
    """Beginning anew gets no further than before, so it is not tried for ever."""
    hub.takes_ranges = False
    hub.breaks = [1000] * 100

    with pytest.raises(ModelError, match="The connection was lost after 1,000 of"):
        get(NAME, lambda count, size: None, lambda file: None)
    assert len(hub.breaks) == 98


def test_a_wrong_digest_is_refused(hub: PlayedHub) -> None:
    """Neither the file nor a part stays, and the sentence names both digests."""
    named = hub.sha256 = hashlib.sha256(b"another").hexdigest()

    with pytest.raises(ModelError, match=f"{hashlib.sha256(CONTENT).hexdigest()} instead of {named}, so it was rem"):
        get(NAME, lambda count, size: None, lambda file: None)
    assert not path_of(NAME).exists()
    assert unfinished_bytes(NAME) == 0


def test_a_damaged_part_does_not_become_a_model(hub: PlayedHub) -> None:
    """A change on the disk meanwhile is found by the digest; the next attempt begins anew."""
    left_off(hub, 1000)
    [part] = unfinished(path_of(NAME))
    part.write_bytes(bytes(1000))

    with pytest.raises(ModelError, match="so it was removed: fetch it again"):
        get(NAME, lambda count, size: None, lambda file: None)
    fetched()


def test_a_part_of_another_version_is_dropped(hub: PlayedHub) -> None:
    """Bytes of an old file are not used if the hub has another one by now."""
    left_off(hub, 1000)
    [part] = unfinished(path_of(NAME))
    part.rename(part.with_name(f"{NAME}.gguf.{'0' * 16}.part"))

    assert fetched()[0] == 0


def test_a_disk_without_room_is_a_sentence(hub: PlayedHub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is fetched where the disk is too full, and what was written stays where it fills up meanwhile."""
    usage = shutil.disk_usage(Path.cwd())
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage._replace(free=2**20))
    with pytest.raises(ModelError, match=r"needs 0.0 GB and .+ has 0.0 GB free: make room there, or set XDG_CACHE"):
        get(NAME, lambda count, size: None, lambda file: None)
    assert hub.ranges == []
    monkeypatch.undo()


def test_a_disk_that_fills_up_is_a_sentence(hub: PlayedHub) -> None:
    """Bytes that were written stay, and the sentence names the place and the reason."""

    def fill_up(count: int, size: int) -> None:
        if count > 1000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(ModelError, match=r"\.part cannot be written \(No space left on device\): make room there"):
        get(NAME, fill_up, lambda file: None)
    assert unfinished_bytes(NAME) > 1000
    fetched()


def test_a_stopped_download_is_kept(hub: PlayedHub, capsys: pytest.CaptureFixture[str]) -> None:
    """The interrupt key leaves a part, the exit code is that of an interrupt, and the next command goes on."""
    with pytest.MonkeyPatch.context() as patch:

        def stop(self: object, *arguments: Any, completed: int = 0, **options: Any) -> None:
            if completed:
                raise KeyboardInterrupt

        patch.setattr("rich.progress.Progress.update", stop)
        assert main(["models", "get", NAME]) == 130
    kept = unfinished_bytes(NAME)
    assert 0 < kept < len(CONTENT)
    assert "are kept: the same command goes on from there." in capsys.readouterr().err

    assert fetched()[0] == kept


def test_two_do_not_fetch_one_model(hub: PlayedHub) -> None:
    """The second is told to wait, and does not disturb the first."""
    said: list[str] = []

    def second() -> None:
        try:
            get(NAME, lambda count, size: None, lambda file: None)
        except ModelError as error:
            said.append(str(error))

    def first(count: int, size: int) -> None:
        if not said:
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()

    get(NAME, first, lambda file: None)

    assert said == [f"Another process is fetching {catalogue()[NAME].file}: wait until it has ended."]
    assert path_of(NAME).read_bytes() == CONTENT


def test_offline_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The first attempt that fails is the last one."""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with silent_address() as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        assert main(["models", "get", NAME, "--json"]) == 2
    said = f"{address} cannot be reached (Connection refused): connect this machine, or name a model that is on it.\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("HF_HUB_OFFLINE", "1", "HF_HUB_OFFLINE is set, so nothing is fetched: unset it"),
        ("HF_ENDPOINT", "file:///etc", "HF_ENDPOINT is file:///etc, no address of a hub: let it begin with https://"),
    ],
)
def test_the_environment_is_obeyed(variable: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file of this machine nor the network is read against it."""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv(variable, value)

    with pytest.raises(HubError, match=said):
        describe("owner/name", "file.gguf")


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (404, r"has no file a b\.gguf in owner/name for everybody \(HTTP 404\): choose another model"),
        (503, r"refuses owner/name \(HTTP 503\): try again later"),
    ],
)
def test_a_hub_that_refuses_is_a_sentence(hub: PlayedHub, status: int, said: str) -> None:
    """A file that is not there, and one that is not there now, have different remedies."""
    hub.status = status

    with pytest.raises(HubError, match=said):
        describe("owner/name", "a b.gguf")
    assert hub.asked[0][1] == "/owner/name/resolve/main/a%20b.gguf"


def test_a_hub_that_names_no_digest_is_refused(hub: PlayedHub) -> None:
    """A file that cannot be checked is not fetched."""
    hub.sha256 = "0123"

    with pytest.raises(
        HubError, match=r"does not name the version, the size and the SHA-256 digest of file\.gguf, so n"
    ):
        describe("owner/name", "file.gguf")


def test_what_the_storage_refuses_is_a_sentence(hub: PlayedHub) -> None:
    """A file that vanished after it was described is no program error."""
    file = describe("owner/name", "file.gguf")
    hub.status = 404

    with pytest.raises(HubError, match="HTTP 404"), opened(file, 0):
        pytest.fail("it was opened")


def test_editors_read_lines(hub: PlayedHub, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line is an object: the size first, the path last."""
    assert main(["models", "get", NAME, "--json"]) == 0

    first, *_, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert first == {"received": 0, "size": len(CONTENT)}
    assert last == {"path": str(path_of(NAME))}


def test_people_read_what_they_get(hub: PlayedHub, capsys: pytest.CaptureFixture[str]) -> None:
    """The licence stands before the bar, the use after it; a second time there is nothing to do."""
    assert main(["models", "get", NAME]) == 0
    said = capsys.readouterr().err
    assert "Licence: Apache-2.0." in said
    assert f"--model {NAME}" in said

    assert main(["models", "get", NAME]) == 0
    assert capsys.readouterr().err == f"{NAME} is on this machine already.\n"


def test_a_removed_model_leaves_nothing(hub: PlayedHub, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """File, note, and the part of an unfinished download are gone; a second time that is a mistake."""
    left_off(hub, 1000)
    assert main(["models", "remove", NAME]) == 0
    assert list(cache.iterdir()) == []
    fetched()

    assert main(["models", "remove", NAME, "--json"]) == 0
    *_, printed = capsys.readouterr().out.splitlines()
    assert json.loads(printed) == {"removed": len(CONTENT)}
    assert list(cache.iterdir()) == []
    assert main(["models", "remove", NAME]) == 2
    assert capsys.readouterr().err == f"The model {NAME} is not on this machine: there is nothing to remove.\n"


def test_a_name_of_the_list_is_a_model(toy_gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting takes the name; without the file it says how to get it and fetches nothing."""
    monkeypatch.setenv("HF_ENDPOINT", "http://nowhere.invalid")
    with pytest.raises(ModelError, match=f"The model {NAME} is not on this machine: `dovetail models get {NAME}`"):
        load_model(NAME)

    path_of(NAME).parent.mkdir(parents=True)
    shutil.copy(toy_gguf, path_of(NAME))
    assert load_model(NAME).name == NAME


def test_an_ended_process_leaves_a_part(hub: PlayedHub, tmp_path: Path) -> None:
    """An editor stops a download by ending the process; the next one goes on from what had arrived."""
    hub.stalls_after = 2**20
    words = [sys.executable, "-m", "dovetail", "models", "get", NAME, "--json"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["received"]:
                break
        process.terminate()
    hub.go_on.set()
    kept = unfinished_bytes(NAME)
    assert 0 < kept < len(CONTENT)

    assert fetched()[0] == kept
