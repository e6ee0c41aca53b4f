"""`dovetail doctor`: what it finds, and what it says where something is missing."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import metadata
from typing import TYPE_CHECKING, Any

from tests.decoding.scripted_proposer import ScriptedProposer, writes

from dovetail.__main__ import main
from dovetail.grammar.library import languages
from dovetail.model import hosting

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return the exit code and what was found, by name."""
    code = main(["doctor", "--json", *arguments])
    printed = json.loads(capsys.readouterr().out)
    assert printed["well"] is (code == 0)
    return code, {finding["name"]: finding for finding in printed["findings"]}


def test_all_is_well_with_the_embedded_model(capsys: pytest.CaptureFixture[str]) -> None:
    """Packages, every grammar, the device, the model and a completion are found, each of them well."""
    code, found = findings(capsys)

    assert code == 0
    assert all(finding["well"] for finding in found.values())
    assert {f"grammar {name}" for name in languages()} < set(found)
    assert f"torch {metadata.version('torch')}" in found["packages for transformers"]["text"]
    assert "llama.cpp" in found["llama.cpp"]["text"]
    assert found["device"]["text"].partition(":")[0] in ("cpu", "cuda", "mps")
    assert found["model"]["text"].startswith("embedded, ")
    for name in ("grammar python", "model", "completion python", "completion json"):
        assert found[name]["seconds"] > 0


def test_people_read_one_line_for_each(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A mark, a name and what was found; the last line is the outcome."""
    code = main(["doctor", "--model", str(tmp_path)])
    *lines, outcome = capsys.readouterr().out.splitlines()

    assert code == 1
    assert all(line[0] in "✓✗" for line in lines)
    [wrong] = [line for line in lines if line[0] == "✗"]
    assert wrong.startswith("✗ model: ")
    assert str(tmp_path) in wrong
    assert outcome == "Something is missing; see above."


def test_a_package_that_is_missing_has_a_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the packages of models, that is said once, and the rest is looked at all the same."""
    present = metadata.version

    def version(name: str) -> str:
        if name == "tokenizers":
            raise metadata.PackageNotFoundError(name)
        return present(name)

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr("dovetail.model.error._LIGHT", ("a_package_that_is_not_there",))

    code, found = findings(capsys)

    assert code == 1
    assert [name for name, finding in found.items() if not finding["well"]] == ["packages for models"]
    remedy = f"run `{shlex.join([sys.executable, '-m', 'pip', 'install', 'tokenizers'])}`"
    assert found["packages for models"]["text"] == f"There is no tokenizers here: {remedy}."
    assert "model" not in found


def test_a_model_that_writes_nothing_that_fits_is_not_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model whose tokens never make a program is found out."""
    proposer = ScriptedProposer(extra=[b")))"], rank=writes(b")))"))
    proposer.window = 1
    monkeypatch.setattr(hosting, "load_model", lambda _: proposer)

    code, found = findings(capsys)

    assert code == 1
    assert not found["completion python"]["well"]
    assert "Nothing that fits was written: " in found["completion python"]["text"]
