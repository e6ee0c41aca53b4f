"""Languages of these tests' own: they count work, and what other tests have read would be remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.oracles.cpython import TARGET

import dovetail

if TYPE_CHECKING:
    from dovetail import Language


@pytest.fixture(scope="session", name="python")
def _python() -> Language:
    """Return Python as the running interpreter reads it."""
    return dovetail.load_language("python", target=TARGET)


@pytest.fixture(scope="session", name="json")
def _json() -> Language:
    """Return JSON."""
    return dovetail.load_language("json")
