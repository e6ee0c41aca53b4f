"""The few of many expected things that a message names."""

from __future__ import annotations

import pytest

from dovetail import load_language
from dovetail.diagnostics.shortlist import MOST

CASES = [
    ("javascript", "f(options., x);\n", "`,` does not fit here; expected a name"),
    ("javascript", "const a = [b c];\n", "`c` does not fit here; perhaps a `,` is missing before it"),
    ("javascript", "if (a b) { f(); }\n", "`b` does not fit here; expected `)`, an operator or `,`"),
    ("javascript", "thing { a };\n", "`{` does not fit here; expected an operator, the end of the line, `,` or `;`"),
    ("javascript", "for (var key obj) { }\n", "`obj` does not fit here; expected `;`, `in`, `of` or `=`"),
    ("javascript", "export a = [];\n", "`a` does not fit here; expected `{`, a declaration, `default` or `*`"),
    ("typescript", "export a = [];\n", "`a` does not fit here; expected a declaration, `default`, `*` or `{`"),
    ("typescript", "x.?.();\n", "`?.` does not fit here; expected a name"),
    ("lua", "key else\n", "`else` does not fit here; expected `=`, `(`, `,` or `:`"),
    ("python", "x = f(= 1)\n", "`=` does not fit here; expected `)` or an expression"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "message"), CASES)
def test_a_message_names_what_a_person_would(name: str, text: str, message: str) -> None:
    """The end of what is open, what separates, and kinds of things stand there, and no words of rare forms."""
    fault = load_language(name).errors(text)[0]

    assert fault.reported.message == message


def test_programs_are_told_all_that_is_expected() -> None:
    """The report holds all names, also those that its message leaves out."""
    fault = load_language("javascript").errors("f(options., x);\n")[0]

    assert "`meta`" in fault.reported.expected
    assert len(fault.reported.expected) > MOST
