"""The packages that may be learnt from."""

from __future__ import annotations

from importlib.metadata import PathDistribution
from typing import TYPE_CHECKING

import pytest

from dovetail.model.licences import debian_licence, is_permissive, npm_licence, permissive_licence

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("expression", "verdict"),
    [
        ("MIT", True),
        ("mit", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("Apache-2.0 OR BSD-2-Clause", True),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("MIT AND (GPL-2.0-only OR ISC)", True),
        ("(MIT AND GPL-2.0-only) OR MPL-2.0", False),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
        ("MPL-2.0", False),
        ("LicenseRef-Proprietary", False),
        ("Whatever you like", False),
        ("MIT)", False),
        ("(MIT", False),
        ("MIT AND", False),
        ("", False),
    ],
)
def test_expressions(expression: str, verdict: bool) -> None:
    """An expression is permissive if its text may be used under permissive terms alone; nonsense is not."""
    assert is_permissive(expression) == verdict


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        (["License-Expression: BSD-3-Clause", "License: GPL"], "BSD-3-Clause"),
        (["License-Expression: MPL-2.0 AND MIT", "License: MIT"], None),
        (["Classifier: License :: OSI Approved :: MIT License"], "MIT"),
        (["Classifier: License :: OSI Approved", "License: Apache 2.0 License"], "Apache-2.0"),
        (
            [
                "Classifier: License :: OSI Approved :: MIT License",
                "Classifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)",
            ],
            None,
        ),
        (["License: BSD"], "BSD-3-Clause"),
        (["License: see the file"], None),
        ([], None),
    ],
)
def test_what_a_package_states(lines: list[str], licence: str | None, tmp_path: Path) -> None:
    """The expression binds before the classifiers, those before the free text; what is unknown is left out."""
    folder = tmp_path / "thing-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", "Name: thing", "Version: 1", *lines]) + "\n")

    assert permissive_licence(PathDistribution(folder).metadata) == licence


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        ({"license": "MIT"}, "MIT"),
        ({"license": "(MIT OR GPL-3.0)"}, "(MIT OR GPL-3.0)"),
        ({"license": {"type": "BSD"}}, "BSD-3-Clause"),
        ({"licenses": [{"type": "MIT"}, {"type": "Apache-2.0"}]}, "MIT AND Apache-2.0"),
        ({"licenses": [{"type": "MIT"}, {"type": "GPL-2.0"}]}, None),
        ({"license": "SEE LICENSE IN LICENSE.md"}, None),
        ({}, None),
    ],
)
def test_licences_of_npm(metadata: dict[str, object], licence: str | None) -> None:
    """A package.json is believed in each of its forms."""
    assert npm_licence(metadata) == licence


DEBIAN = """\
Files: *
Copyright: 2020 Somebody
License: Expat

Files: contrib/*.lua
 extra/thing.go
Copyright: 2021 Somebody Else
License: GPL-2+
 This is free software.

Files: debian/*
License: GPL-3+

License: Expat
 Permission is hereby granted.
"""


def test_licences_of_debian() -> None:
    """Files under other licences are named, those of the packagers do not count, and nothing is believed untold."""
    assert debian_licence(DEBIAN) == ("MIT", ("contrib/*.lua", "extra/thing.go"))
    assert debian_licence(DEBIAN.replace("Expat", "Apache-2.0 or GPL-2+"))[0] == "(Apache-2.0 OR GPL-2+)"
    assert debian_licence(DEBIAN.replace("Expat", "GPL-3"))[0] is None
    assert debian_licence("The package is free as in beer.\n") == (None, ())
