"""Fuzzing with an eye on the code that is reached: the seeds, every crash ever found, and a few hundred inputs more."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fuzz.coverage import CRASHES, NAMES, SEEDS
from tests.fuzz.targets import TARGETS

INPUTS = [path for folder in (SEEDS, CRASHES) for path in sorted(folder.glob("*/*")) if path.is_file()]
RUNS = {"grammar": 50, "lexer": 1_500, "quotient": 12, "documents": 8, "protocol": 25}
"""Some seconds of each."""


def test_each_target_has_seeds() -> None:
    """A target that begins with nothing finds little."""
    assert {path.parent.name for path in INPUTS if path.is_relative_to(SEEDS)} == set(NAMES) == set(TARGETS)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_is_found_no_more(path: Path) -> None:
    """Each input leaves what its target asserts as it is."""
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="Atheris has no wheel for this Python")
@pytest.mark.parametrize("name", NAMES)
def test_a_few_inputs_more(name: str, tmp_path: Path) -> None:
    """The fuzzer runs, and a bounded number of inputs, the same ones each time, breaks nothing."""
    command = [sys.executable, "-m", "tests.fuzz.coverage", name, f"--runs={RUNS[name]}", f"--corpus={tmp_path}"]
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}  # the same inputs at every run
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=900, check=False)

    assert run.returncode == 0, run.stderr[-3_000:]
    assert "stat::number_of_executed_units" in run.stderr
