"""A server never reaches a network, runs what others wrote, or tells anybody what stands in a document."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.test_process import EXIT, INITIALIZED, SHUTDOWN, next_message, written

from dovetail.completer.host.folder import FOLDER_VARIABLE
from dovetail.settings import declared

ROOT = Path(__file__).parents[2]

PATIENCE = 300

TEXT = '["confidential", '


def events(folder: Path, options: dict[str, Any], text: str = TEXT) -> tuple[list[str], list[dict[str, Any]], str]:
    """Hold a session with completions and return the noted events, what the server sent, and its stderr."""
    notes = folder / "notes"
    # Python imports this at the start of every process, before anything else can happen.
    (folder / "sitecustomize.py").write_text("import tests.faults.audited_server\n")
    path = os.pathsep.join([str(folder), str(ROOT), str(ROOT / "server")])
    # Nothing may depend on a setting of the libraries: those that keep them from the network are taken away.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "TRANSFORMERS_"))}
    environment |= {"PYTHONPATH": path, "DOVETAIL_TEST_NOTES": str(notes)}
    begin = {
        "id": 1,
        "method": "initialize",
        "params": {"capabilities": {}, "processId": None, "rootUri": None, "initializationOptions": options},
    }
    document = {"uri": "file:///x.json", "languageId": "json", "version": 1, "text": text}
    place = {"textDocument": {"uri": "file:///x.json"}, "position": {"line": 0, "character": len(text)}}
    messages: list[dict[str, Any]] = [
        begin,
        INITIALIZED,
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 3, "method": "textDocument/inlineCompletion", "params": {**place, "context": {"triggerKind": 1}}},
        {"id": 4, "method": "textDocument/inlineCompletion", "params": {**place, "context": {"triggerKind": 2}}},
        {"id": 5, "method": "workspace/executeCommand", "params": {"command": "dovetail.server.status"}},
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "dovetail", "serve"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=folder,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        sent = []
        for message in messages:
            process.stdin.write(written(message))
            process.stdin.flush()
            while "id" in message and (answer := next_message(process.stdout)) is not None:
                sent.append(answer)
                if answer.get("id") == message["id"]:
                    break
        process.stdin.write(written(SHUTDOWN, EXIT))
        process.stdin.flush()
        complaint = process.stderr.read().decode()
        assert process.wait(PATIENCE) == 0
    return notes.read_text().splitlines() if notes.exists() else [], sent, complaint


@pytest.mark.parametrize("shared", [False, True])
def test_a_session_reaches_no_network_and_runs_nothing_but_its_own_process(tmp_path: Path, *, shared: bool) -> None:
    """With the embedded model nothing is connected but the socket of a shared process, looked up, or unpickled."""
    options: dict[str, Any] = {"max_tokens": 4, "debounce": 0, "time_limit": 60, "trigger": "eager"}
    found, sent, complaint = events(tmp_path, {**options, "host": {"shared": shared, "idle": 0}})

    [answer] = [message for message in sent if message.get("id") == 3]
    assert answer["result"]["items"], "the session has completed something"
    kinds = [event.split(" ")[0] for event in found]
    begun = [event for event in found if event.startswith("subprocess.Popen")]
    # An address that is a path cannot be on another machine.
    ours = re.compile(rf"socket\.(bind|connect) .*, '{re.escape(os.environ[FOLDER_VARIABLE])}/\w+\.(new|socket)'\)")
    connected = [event for event in found if event.startswith(("socket", "http", "urllib"))]
    assert bool(connected) == shared
    assert [event for event in connected if ours.fullmatch(event) is None] == []
    assert "os.system" not in kinds
    assert "pickle.find_class" not in kinds
    # torch asks the system what it is; nothing else is run.
    process = "dovetail.completer.host.process" if shared else "dovetail.completer.child"
    strangers = [event for event in begun if process not in event]
    assert all(TEXT.strip() not in event for event in strangers)
    assert len(begun) - len(strangers) == 1
    assert "confidential" not in complaint


def test_the_watch_sees_what_it_watches_for(tmp_path: Path) -> None:
    """A process that connects and unpickles is found out, so silence means something."""
    (tmp_path / "sitecustomize.py").write_text("import tests.faults.audited_server\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT), str(ROOT / "server")])
    environment = {**os.environ, "PYTHONPATH": path, "DOVETAIL_TEST_NOTES": str(tmp_path / "notes")}
    script = (
        "import socket, pickle, subprocess, sys\n"
        "subprocess.run([sys.executable, '-c', 'import socket; socket.create_server((\"127.0.0.1\", 0))'])\n"
        "pickle.loads(b'cos\\ngetpid\\n.')\n"
        "socket.socket().connect_ex(('127.0.0.1', 9))\n"
    )

    subprocess.run([sys.executable, "-c", script], env=environment, check=True)

    kinds = {line.split(" ")[0] for line in (tmp_path / "notes").read_text().splitlines()}
    assert kinds >= {"socket.bind", "socket.connect", "pickle.find_class", "subprocess.Popen"}


def test_files_of_the_folder_in_which_it_runs_are_not_imported(tmp_path: Path) -> None:
    """An editor starts a server in the folder of a project, which may hold modules of any name."""
    for name in ("torch", "transformers", "lark", "pygls", "numpy", "cattrs"):
        (tmp_path / f"{name}.py").write_text(f"import sys; sys.stderr.write('{name} of the project was run')\n")
    begin = {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}}
    status = {"id": 3, "method": "workspace/executeCommand", "params": {"command": "dovetail.server.restart"}}

    with subprocess.Popen(
        [sys.executable, "-m", "dovetail", "serve"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(written(begin, INITIALIZED, status))
        process.stdin.flush()
        while (answer := next_message(process.stdout)) is not None and answer.get("id") != 3:
            pass
        process.stdin.write(written(SHUTDOWN, EXIT))
        process.stdin.flush()
        complaint = process.stderr.read().decode()

    assert complaint == ""
    assert answer is not None
    assert answer["result"]["model"] == "embedded"


@pytest.mark.parametrize("name", ["trust_remote_code", "command", "server.command", "grammar", "log_file", "path"])
def test_no_setting_names_a_program_or_a_file_but_the_model(name: str) -> None:
    """Settings may come from a project; whatever one could do harm with is not among them."""
    from dovetail.settings import Settings, SettingsError

    with pytest.raises(SettingsError, match="There is no setting"):
        Settings.from_mapping({name: "x"})


def test_no_code_of_a_model_is_ever_trusted() -> None:
    """In all of the package, what comes with a model is read as data: safetensors, and no code."""
    for path in (ROOT / "server" / "dovetail").rglob("*.py"):
        text = path.read_text("utf-8").replace('"trust_remote_code": False', "").replace("trust_remote_code=False", "")
        assert "trust_remote_code" not in text, path
        assert "use_safetensors=False" not in text, path


def test_the_extension_takes_nothing_of_weight_from_a_workspace_that_is_not_trusted() -> None:
    """In VS Code a project sets no command, Python, arguments of pip, model or `context` before it is trusted."""
    manifest = json.loads((ROOT / "client-vscode" / "package.json").read_text("utf-8"))

    restricted = set(manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"])

    assert restricted >= {
        "dovetail.server.command", "dovetail.server.python", "dovetail.server.pipArguments", "dovetail.model",
        "dovetail.context",
    }  # fmt: skip


def test_no_workspace_names_a_team_host() -> None:
    """Documents go to a team's host that the user has named for the machine, never to one that a project names."""
    manifest = json.loads((ROOT / "client-vscode" / "package.json").read_text("utf-8"))
    known = [part["properties"].get("dovetail.team.host") for part in manifest["contributes"]["configuration"]]

    assert [each["scope"] for each in known if each is not None] == ["machine"]
    assert declared()["team.host"].scope == "machine"
