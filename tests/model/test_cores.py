"""The cores that llama.cpp computes with."""

from __future__ import annotations

import os

import pytest
import torch

from dovetail.model.device import use_one_thread
from dovetail.model.llama_context import usable_cores


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
