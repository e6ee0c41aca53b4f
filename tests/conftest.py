"""For all tests: languages that are loaded once, and the examples of Hypothesis, the same ones at every run."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from tests.oracles.cpython import TARGET

import dovetail
from dovetail.commands import dialect
from dovetail.completer.host.finder import HostFinder
from dovetail.completer.host.folder import FOLDER_VARIABLE

if TYPE_CHECKING:
    from dovetail import Language

# A change is judged by what it does, so two runs over the same tree try the same examples.
settings.register_profile("repeatable", derandomize=True, deadline=None)

# What no run has tried yet: `make explore`.
settings.register_profile("explore", deadline=None, print_blob=True)

settings.load_profile("repeatable")

_FOLDERS = pytest.StashKey[dict[str, str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Give the servers of the tests folders of their own: the user's counts and shared processes stay what they are."""
    folders = {
        "XDG_STATE_HOME": tempfile.mkdtemp(prefix="dovetail-state-"),
        FOLDER_VARIABLE: tempfile.mkdtemp(prefix="dt"),  # the path of a socket has to be short
    }
    os.environ |= folders
    dialect._SOON = 3600  # The tests compare what commands say, whose languages may be prepared only now.
    config.stash[_FOLDERS] = folders


def pytest_collection_finish() -> None:
    """Search for garbage more rarely, and not among the tests themselves: that took a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the processes that windows shared, and remove these folders."""
    for _ in HostFinder().stop():
        pass
    for folder in config.stash[_FOLDERS].values():
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session", name="python")
def _python() -> Language:
    """Return Python as the running interpreter reads it."""
    return dovetail.load_language("python", target=TARGET)


@pytest.fixture(scope="session", name="json")
def _json() -> Language:
    """Return JSON."""
    return dovetail.load_language("json")
