r"""Unicode properties, as `\p{...}` names them in the pattern of a terminal, to sets of characters.

The `regex` library knows the properties. Only `XID_Start` and `XID_Continue` are those of the Python that runs: the
names of Python programs are made of them, and its parser has to be followed to the character, whereas `regex` may be
of a newer version of Unicode.
"""

from __future__ import annotations

import re
import sys
from array import array
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.automata import characters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dovetail.automata.characters import Ranges

# `regex` reads a name that it cannot read at all as a literal p and what follows, so it is never given one.
_NAME = re.compile(r"\^?[A-Za-z][\w &-]*(?:[=:][\w .&/+-]+)?", re.ASCII)

_SURROGATES = range(0xD800, 0xE000)


@cache
def unicode_property(name: str) -> Ranges | None:
    """Return the characters of a Unicode property, or None for a name that is not known.

    Names are read as Unicode's own rules say: case, blanks, `_` and `-` make no difference. A `^` before the name
    stands for all other characters.

    >>> unicode_property("Sc")[:2]  # currency symbols: $ and the signs from ¢ to ¥
    ((36, 36), (162, 165))
    >>> unicode_property("Script=Nonsense") is None
    True
    """
    plain = re.sub(r"[\s_-]", "", name).lower()
    if plain in ("xidstart", "xids"):
        # `str.isidentifier` counts `_` as a start; the property does not have it.
        return characters.intersection(_where(str.isidentifier), characters.complement(characters.literal("_")))
    if plain in ("xidcontinue", "xidc"):
        return _where(lambda character: ("a" + character).isidentifier())
    if _NAME.fullmatch(name) is None:
        return None
    import regex  # Imported only here: languages are nearly always read from the cache.

    try:
        runs = regex.compile(rf"\p{{{name}}}+")
    except regex.error:
        return None
    found = characters.union((_code(run.start()), _code(run.end() - 1)) for run in runs.finditer(_every_character()))
    return characters.intersection(found, characters.EVERY)  # a run may reach over the surrogates


def library_version() -> str:
    """Return the version of the library that knows the properties; their characters change with it."""
    # The name of the folder with its facts tells it. To read them, or to import the library, takes many times as long.
    found = find_spec("regex")
    installed = Path(found.origin).parents[1] if found is not None and found.origin is not None else None
    folders = [] if installed is None else list(installed.glob("regex-*.dist-info"))
    if len(folders) == 1:
        return folders[0].name.removeprefix("regex-").removesuffix(".dist-info")
    from importlib.metadata import version

    return version("regex")


@lru_cache(maxsize=1)
def _every_character() -> str:
    """Return one text of all characters, in order, without the surrogates."""
    codes = [code for code in range(sys.maxunicode + 1) if code not in _SURROGATES]
    return array("I", codes).tobytes().decode("utf-32-le" if sys.byteorder == "little" else "utf-32-be")


def _code(place: int) -> int:
    """Return the code point at a place of `_every_character`."""
    return place if place < _SURROGATES.start else place + len(_SURROGATES)


def _where(holds: Callable[[str], bool]) -> Ranges:
    """Return the characters for which something holds."""
    codes: Iterable[int] = (code for code in range(sys.maxunicode + 1) if holds(chr(code)))
    return characters.union((code, code) for code in codes)
