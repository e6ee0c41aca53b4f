"""Under which licence an installed package may be learnt from.

Only what the package's own metadata says counts, in the order in which it binds: the licence expression (PEP 639),
the classifiers, the free text. What is unknown is not permissive.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import PackageMetadata

_PERMISSIVE = frozenset(
    {
        "0bsd",
        "apache-2.0",
        "bsd-2-clause",
        "bsd-3-clause",
        "bsl-1.0",
        "cc0-1.0",
        "cnri-python",
        "isc",
        "mit",
        "mit-0",
        "mit-cmu",
        "psf-2.0",
        "python-2.0",
        "unlicense",
        "zlib",
    }
)
"""Identifiers of SPDX in small letters."""

_SPELLINGS = {
    "apache": "Apache-2.0",
    "apache 2": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "apache software license 2.0": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "new bsd": "BSD-3-Clause",
    "new bsd license": "BSD-3-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "the mit license": "MIT",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
    "zlib/libpng license": "Zlib",
}
"""What people write for an identifier, in small letters."""


def permissive_licence(metadata: PackageMetadata) -> str | None:
    """Return the licence of a package as an SPDX expression if it is permissive, None if it is not or unknown."""
    for stated in metadata.get_all("License-Expression") or ():
        return stated if is_permissive(stated) else None
    classifiers = [line for line in metadata.get_all("Classifier") or () if line.startswith("License :: ")]
    names = [line.rpartition(" :: ")[2] for line in classifiers if not line.endswith(":: OSI Approved")]
    if not names:
        names = metadata.get_all("License") or [""]
    # Several classifiers may mean "and" or "or": permissive is what is so either way.
    stated = " AND ".join(dict.fromkeys(_SPELLINGS.get(name.strip().lower(), name.strip()) for name in names))
    return stated if is_permissive(stated) else None


def is_permissive(expression: str) -> bool:
    """Return whether an SPDX expression lets its text be used under permissive terms alone.

    >>> is_permissive("MIT OR GPL-3.0-only"), is_permissive("MIT AND GPL-3.0-only")
    (True, False)
    """
    words = iter(re.findall(r"[()]|[^\s()]+", expression))
    verdict, rest = _alternatives(words)
    return verdict and rest is None


def _alternatives(words: Iterator[str]) -> tuple[bool, str | None]:
    """Read `a OR b …`; return its verdict and the word behind it."""
    verdict, word = _conjunction(words)
    while word is not None and word.upper() == "OR":
        other, word = _conjunction(words)
        verdict = verdict or other
    return verdict, word


def _conjunction(words: Iterator[str]) -> tuple[bool, str | None]:
    """Read `a AND b …`; return its verdict and the word behind it."""
    verdict, word = _licence(words)
    while word is not None and word.upper() == "AND":
        other, word = _licence(words)
        verdict = verdict and other
    return verdict, word


def _licence(words: Iterator[str]) -> tuple[bool, str | None]:
    """Read a licence with its exception, or an expression in parentheses; return its verdict and the next word."""
    word = next(words, None)
    if word == "(":
        verdict, word = _alternatives(words)
        if word != ")":
            return False, word
    else:
        verdict = word is not None and word.lower() in _PERMISSIVE
    word = next(words, None)
    if word is not None and word.upper() == "WITH":
        next(words, None)  # an exception only ever permits more
        word = next(words, None)
    return verdict, word
