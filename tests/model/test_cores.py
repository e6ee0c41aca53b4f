"""The cores that llama.cpp computes with: no more than may be used, and than nothing else uses."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
import torch

from dovetail.model import free_cores as counted
from dovetail.model import llama_context
from dovetail.model.device import use_one_thread
from dovetail.model.free_cores import busy_threads, free_cores, usable_cores
from dovetail.model.llama_context import LlamaContext
from dovetail.model.runtimes.llama_cpp import host_gguf

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("wanted", "most"), [("1", 1), ("4096", 4096), ("0", 4096), ("all", 4096), ("", 4096)])
def test_the_variable_of_other_libraries_bounds_the_cores(
    monkeypatch: pytest.MonkeyPatch, wanted: str, most: int
) -> None:
    """`OMP_NUM_THREADS` takes cores away and gives none; what is no number of cores changes nothing."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    all_cores = usable_cores()

    monkeypatch.setenv("OMP_NUM_THREADS", wanted)

    assert usable_cores() == min(all_cores, most)


def test_an_experiment_computes_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread is asked for once, of torch and of llama.cpp."""
    before = torch.get_num_threads()
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    try:
        use_one_thread()
        assert (torch.get_num_threads(), os.environ["OMP_NUM_THREADS"], usable_cores()) == (1, "1", 1)
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("usable", "all_cores", "running", "free"),
    [
        (2, 2, 1, 2),  # this thread alone
        (2, 2, 2, 1),
        (2, 2, 9, 1),
        (8, 8, 3, 6),
        (4, 16, 9, 2),  # others run anywhere, so half of them on a fourth of the cores
        (1, 16, 9, 1),
    ],
)
def test_cores_that_others_use_are_not_free(
    usable: int, all_cores: int, running: int, free: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the usable cores those are left that nothing wants, and always one."""
    (tmp_path / "loadavg").write_text(f"0.20 0.18 0.12 {running}/80 11206\n")
    monkeypatch.setattr(counted, "_LOAD", tmp_path / "loadavg")
    monkeypatch.setattr(counted, "usable_cores", lambda: usable)
    monkeypatch.setattr(os, "cpu_count", lambda: all_cores)

    assert free_cores() == free
    (tmp_path / "loadavg").write_text(f"0.20 0.18 0.12 {running + 2}/80 11206\n")
    assert free_cores(helping=2) == free


def test_without_that_file_the_last_minute_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other systems tell an average, or nothing."""
    monkeypatch.setattr(counted, "_LOAD", tmp_path / "none")
    monkeypatch.setattr(os, "getloadavg", lambda: (3.2, 0.0, 0.0), raising=False)
    assert busy_threads() == 3.2

    monkeypatch.delattr(os, "getloadavg")
    assert busy_threads() == 0


@pytest.mark.parametrize("free", [1, 2])
def test_a_prompt_is_read_by_free_cores_only(free: int, toy_gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each longer pass the library is told how many threads to use; the numbers are the same."""
    monkeypatch.setattr(llama_context, "usable_cores", lambda: 2)
    model = host_gguf(toy_gguf, "toy", cpu=True)
    told: list[tuple[int, int]] = []
    context = model.context
    assert isinstance(context, LlamaContext)
    tell = context._library.llama_set_n_threads
    monkeypatch.setattr(llama_context, "free_cores", lambda: free)
    prompt = [7, 5] * 20

    class Library:
        """The library, which notes what it is told."""

        def __getattr__(self, name: str) -> Any:
            return getattr(library, name)

        def llama_set_n_threads(self, context: object, steps: int, prompts: int) -> None:
            told.append((steps, prompts))
            tell(context, steps, prompts)

    library, context._library = context._library, Library()  # type: ignore[assignment]
    best = model.begin(prompt).ranked(3)
    assert told == [(1, free)]
    model.begin(prompt[:3]).ranked(3)
    assert told == [(1, free)]
    assert best == host_gguf(toy_gguf, "toy", cpu=True).begin(prompt).ranked(3)
