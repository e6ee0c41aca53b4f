"""The names of settings as a client's users write them, which take the place of the server's own.

A client names them among its experimental capabilities, as `settingNames`: an object from the server's name of a
setting to its own. Settings that it does not name keep the server's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTING_NAMES = "settingNames"
"""The name of the client's capability."""

_NAMED = re.compile(r"(\bsetting |\bdid you mean )`([^`]*)`")


def read_setting_names(experimental: Mapping[str, object]) -> Mapping[str, str]:
    """Return a client's names of settings, by the server's; none for a client that names none."""
    written = experimental.get(SETTING_NAMES)
    return {name: own for name, own in written.items() if isinstance(own, str)} if isinstance(written, dict) else {}


def in_names_of(names: Mapping[str, str], sentence: str) -> str:
    """Return a sentence with a client's names of settings.

    >>> in_names_of({"max_tokens": "dovetail.maxTokens"}, "The setting `max_tokens` is wrong, as is `max_tokens`.")
    'The setting `dovetail.maxTokens` is wrong, as is `max_tokens`.'
    """
    return _NAMED.sub(lambda match: f"{match[1]}`{names.get(match[2], match[2])}`", sentence)
