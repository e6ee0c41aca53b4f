"""Under which licence an installed package may be learnt from.

Only what the package's own metadata says counts, in the order in which it binds: the licence expression (PEP 639),
the classifiers, the free text. What is unknown is not permissive.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from email.message import Message
    from importlib.metadata import PackageMetadata
    from typing import Any

_PERMISSIVE = frozenset(
    {
        "0bsd",
        "apache-2.0",
        "blueoak-1.0.0",
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
    "apache-2": "Apache-2.0",
    "apache-2.0": "Apache-2.0",
    "apache2": "Apache-2.0",
    "asl-2.0": "Apache-2.0",
    "bsd-2": "BSD-2-Clause",
    "bsd-3": "BSD-3-Clause",
    "bsd-3-clause-google": "BSD-3-Clause",
    "cc0": "CC0-1.0",
    "expat": "MIT",
    "go": "BSD-3-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "the mit license": "MIT",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
    "zlib/libpng license": "Zlib",
}
"""Common spellings of licences, in lower case → their SPDX identifiers."""


def permissive_licence(metadata: PackageMetadata | Message) -> str | None:
    """Return the licence of a package as an SPDX expression if it is permissive, None if it is not or unknown."""
    for stated in metadata.get_all("License-Expression") or ():
        return stated if is_permissive(stated) else None
    classifiers = [line for line in metadata.get_all("Classifier") or () if line.startswith("License :: ")]
    names = [line.rpartition(" :: ")[2] for line in classifiers if not line.endswith(":: OSI Approved")]
    if not names:
        names = metadata.get_all("License") or [""]
    # Several classifiers may mean "and" or "or": the package is permissive only if it is so in both readings.
    stated = " AND ".join(dict.fromkeys(_SPELLINGS.get(name.strip().lower(), name.strip()) for name in names))
    return stated if is_permissive(stated) else None


def npm_licence(metadata: Mapping[str, Any]) -> str | None:
    """Return the licence that a package.json states if it is permissive, None if it is not or unknown."""
    stated = metadata.get("license") or metadata.get("licenses") or ""
    several = stated if isinstance(stated, list) else [stated]
    # The old forms do not say what several mean: the package is permissive only if it is so in both readings.
    names = [str(one.get("type", "") if isinstance(one, dict) else one).strip() for one in several]
    expression = " AND ".join(_SPELLINGS.get(name.lower(), name) for name in names)
    return expression if is_permissive(expression) else None


def debian_licence(text: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the licences of a machine-readable copyright file (DEP-5), and the patterns of files left out.

    The licences are those of files that may be learnt from, None if there are none or the format is another.
    What the packagers wrote themselves, below `debian/`, does not count.
    """
    permissive: dict[str, None] = {}
    left_out: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"^(Files|License):[ \t]*(.*(?:\n[ \t]+\S.*)*)", paragraph, re.MULTILINE))
        patterns = [name for name in fields.get("Files", "").split() if not name.startswith("debian/")]
        licence = _debian_expression(fields.get("License", "").partition("\n")[0].strip())
        if not patterns:
            continue
        if is_permissive(licence):
            permissive[licence] = None
        else:
            left_out += patterns
    readable = bool(permissive) and "*" not in left_out
    return (" AND ".join(permissive) if readable else None), tuple(left_out)


def _debian_expression(name: str) -> str:
    """Return a licence field's first line as an expression of SPDX."""
    words = re.split(r",?\s+(and|or)\s+", name)
    known = [
        word.upper() if word in ("and", "or") else _SPELLINGS.get(word.lower(), re.sub(r"\s+", "-", word))
        for word in words
    ]
    return f"({' '.join(known)})" if len(known) > 1 else known[0]


def is_permissive(expression: str) -> bool:
    """Return whether an SPDX expression lets its text be used under permissive terms alone.

    >>> is_permissive("MIT OR GPL-3.0-only"), is_permissive("MIT AND GPL-3.0-only")
    (True, False)
    """
    words = iter(re.findall(r"[()]|[^\s()]+", expression))
    verdict, rest = _alternatives(words)
    return verdict and rest is None


def _alternatives(words: Iterator[str]) -> tuple[bool, str | None]:
    """Read `a OR b …`; return its verdict and the word after it."""
    verdict, word = _conjunction(words)
    while word is not None and word.upper() == "OR":
        other, word = _conjunction(words)
        verdict = verdict or other
    return verdict, word


def _conjunction(words: Iterator[str]) -> tuple[bool, str | None]:
    """Read `a AND b …`; return its verdict and the word after it."""
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
        next(words, None)  # an exception to a licence only permits more
        word = next(words, None)
    return verdict, word
