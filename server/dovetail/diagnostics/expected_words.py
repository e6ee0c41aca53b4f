"""Expected words: what a message means by what is expected, read from the message.

Most mistakes are known in words alone. What such words expect has to be told to programs, too.
"""

from __future__ import annotations

import re

_ITEM = r"(?:`[^`]*`|\"[^\"]*\"|[^;`\"])"
_PLACE = r",? (?:at the end|before|after|below|here)\b|, as in\b|;|\Z"
_EXPECTED = re.compile(rf"(?:\A|; )expected ({_ITEM}+?)(?={_PLACE})")
_BETWEEN = re.compile(r"(?:, | or )(?=[`\"]|an? |the |name\b|more\b|\d)")
_NOTHING = "nothing more"
_REST = re.compile(r"\d+ more")
"""Words for those that a long list leaves out."""


def expected_in(message: str) -> tuple[str, ...]:
    """Return what a message means by what is expected, in its words; nothing where it expects nothing.

    >>> expected_in("expected `)` or `;` at the end of this line"), expected_in("`expected` does not fit here")
    (('`)`', '`;`'), ())
    >>> expected_in("expected a condition or value in parentheses before `{`")
    ('a condition or value in parentheses',)
    """
    found = _EXPECTED.search(message)
    if found is None or found[1] == _NOTHING:
        return ()
    return tuple(each for each in _BETWEEN.split(found[1]) if not _REST.fullmatch(each))
