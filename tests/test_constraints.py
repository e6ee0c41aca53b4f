"""The installers of the editors take the versions that these tests ran with."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CONSTRAINTS = Path(__file__).parents[1] / "server" / "constraints.txt"


def pins() -> dict[str, str]:
    """Return package → version."""
    lines = [line for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def add_needs(name: str, found: set[str]) -> None:
    """Add the packages that one without extras needs on this system, and what those need."""
    for line in metadata.requires(name) or ():
        requirement = Requirement(line)
        needed = canonicalize_name(requirement.name)
        if needed not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            found.add(needed)
            add_needs(needed, found)


def test_all_that_an_installation_brings_is_pinned_as_tested() -> None:
    """A new release of a package reaches no user before it has reached these tests."""
    found: set[str] = set()
    add_needs("dovetail", found)
    versions = {name: metadata.version(name) for name in found}

    assert "numpy" in versions
    assert {name: pins().get(name) for name in versions} == versions
