"""The part of CPython's compiler that judges texts, for the description of Python.

Its parser (`ast.parse`) accepts more than a program may hold: `return` outside of functions, `await` in one that is not
`async`, `break` outside of loops, two parameters of one name. All of that is a SyntaxError where a file is run.
"""

from __future__ import annotations

import ast


def compile_text(text: str, *, cell: bool = False) -> None:
    """Compile a text and keep nothing; raise what CPython raises: SyntaxError for a text that is no program.

    `cell`: the text is a cell of a notebook, where `await` may stand outside of functions.
    """
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if cell else 0
    compile(text, "<text>", "exec", flags=flags, dont_inherit=True)
