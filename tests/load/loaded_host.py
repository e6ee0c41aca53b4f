"""The host that a load is put on: its configuration, the files that editors have open, and the times that it tells."""

from __future__ import annotations

import hashlib
import re
import string
import sysconfig
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

_PART = re.compile(r'^dovetail_(?:part_seconds|(tokens))_total(?:\{part="(\w+)"\})? ([\d.e+-]+)$', re.MULTILINE)


def configuration(replicas: int, keys: Sequence[str], more: str = "") -> str:
    """Return the text of a team's file with some keys, each under its own name; `more` goes before them."""
    return f"replicas = {replicas}\n{more}" + "".join(map(_table, keys))


def files_of(chance: random.Random, count: int) -> Iterator[str]:
    """Yield files of the standard library."""
    paths = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    texts = [text for path in paths if 2_000 < len(text := path.read_text("utf-8", errors="replace")) < 100_000]
    for _ in range(count):
        yield chance.choice(texts)


def key_names(count: int) -> list[str]:
    """Return the names of keys, at most 26: none is the beginning of another.

    >>> key_names(2)
    ['keya', 'keyb']
    """
    return [f"key{letter}" for letter in string.ascii_lowercase[:count]]


def marked(text: str, key: str) -> str:
    """Return a Python file in which a name that stands everywhere tells whose file it is (`foreign`).

    >>> marked("self.size", "keya")
    'self_keya.size'
    """
    return re.sub(r"\bself\b", f"self_{key}", text)


def foreign(text: str, key: str) -> bool:
    """Return whether a text names the file of another key; a name may be cut off, or go on with more letters.

    >>> foreign("self_keya.size", "keya"), foreign("self_keya.size", "keyb"), foreign("self_key(", "keyb")
    (False, True, False)
    """
    return any(name != key for name in re.findall(r"self_(key[a-z])", text))


def parts_at(address: str, key: str) -> dict[str, float]:
    """Return the host's own seconds of writing until now, by part, and the tokens that it wrote as `tokens`."""
    request = urllib.request.Request(f"{address}/metrics", headers={"x-api-key": key})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return {tokens or part: float(count) for tokens, part, count in _PART.findall(answer.read().decode())}


def _table(name: str) -> str:
    digest = hashlib.sha256(name.encode()).hexdigest()
    return f'[[keys]]\nname = "{name}"\nsha256 = "{digest}"\nmost_at_once = 64\nper_minute = 100000\n'
