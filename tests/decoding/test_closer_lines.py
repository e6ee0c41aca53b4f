"""The lines of the closing brackets that a text ends with."""

from __future__ import annotations

import pytest

from dovetail.decoding.closer_lines import lay_out_closers

_CALL = 'describe("a", () => {\n\tit("b", () => {\n\t\tpost({\n\t\t\tlogin: '


@pytest.mark.parametrize(
    ("left", "text", "wanted"),
    [
        (_CALL, '"x",})});});', '"x",\n\t\t})\n\t});\n});'),
        (_CALL, '"x",\n\t\t})});});', '"x",\n\t\t})\n\t});\n});'),
        (_CALL, '"x",\n\t\t})\n\t});\n});', '"x",\n\t\t})\n\t});\n});'),
        (_CALL, '"x", // })});', '"x", // })});'),
        ("class A {\n  get(r) {\n    return ", "r;\n  }}", "r;\n  }\n}"),
        ("class A {\n  get(r) {\n    return ", "r;\n  } }", "r;\n  }\n}"),
        ("run(() => { send({\n  a: ", "1\n})});", "1\n})});"),
        ("f(a,\n  g(b,\n    ", "c))", "c))"),
        ("x = {\n  a: f(b,\n    ", "c)}", "c)\n}"),
        ("x = {\n  a: [\n    ", '{ b: "]" }]}', '{ b: "]" }\n  ]\n}'),
        ("x = {\n  a: `{(${", "b}` }", "b}` }"),
        ("", "x = { a: [1] }", "x = { a: [1] }"),
        ("", "f(() => {\n  g({\n    a: 1 })})", "f(() => {\n  g({\n    a: 1\n  })\n})"),
        ("x = 1; // it's (\nf({\n  a: {\n    b: ", "1}})", "1\n  }\n})"),
        ("", "}))", "}))"),
    ],
)
def test_closers_stand_as_their_openers_do(left: str, text: str, wanted: str) -> None:
    """Those of brackets that were opened on several lines have lines of their own; all others stay where they are."""
    assert lay_out_closers(left, text, "//", "\n") == wanted


def test_lines_end_as_the_file_has_them() -> None:
    """The line end of Windows counts as one, and is written where the file has it."""
    assert lay_out_closers("f({\r\n  a: {\r\n    b: ", "1}})", "//", "\r\n") == "1\r\n  }\r\n})"
