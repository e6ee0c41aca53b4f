"""A vocabulary that has everything which vocabularies have, and texts to stand in."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from dovetail.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

WORDS = [
    "if", " if", "i", "f", "elif", "else", " else:", "for", " in", "def", " def", "return", " return", "class",
    "lambda", " lambda", "not", "is", "async", "match", "case", "type", "_", "print", "self", "x", " x", "rb", "fr",
    "None", "True", "import", "from", "1", "0", "0x", "1e", "e5", "1.", ".5", "1_0", "j", "..", "...", "000",
]  # fmt: skip
MARKS = [
    "(", ")", "()", "))", ")))", "):", "):\n", ")\n", "),", ").", ")[", "[", "]", "]]", "])", "][", "{", "}", "}}",
    "{}", "{{", "})", "(((", "([{", "}])", ":", ":\n", ":=", "::", "=", " = ", "==", "!=", "!r}", "!", "->", ",",
    ", ", ".", "*", "**", "**=", "//", "@", ";", ";;", "\\", "\\\n", "\\\r\n", "\\\n  x", "?", "$", "`", "~", "<>",
]  # fmt: skip
QUOTES = [
    "'", '"', "''", '""', '"""', "'''", "'x'", "'x", 'x"', "f'", 'f"', "f'{", "{x}'", "}'", "}\"", "f'''", "b'",
    "rb'", "'a' 'b'", "\\'", "\\x", "\\x4", "\\N{", "'\n", '"""\n', "'''\n    x", "f'{x}' + ", "{x!r:>{y}}", ":>10}'",
]  # fmt: skip
BLANKS = [
    " ", "  ", "    ", "        ", "\t", " \t", "\t ", "\f", " \f ", "\n", "\n\n", "\r", "\r\n", "\n ", "\n    ",
    "\n        ", "\n\t", "\n    x", "\n    x = 1\n", "\n  if x:\n    y\n  z", "\n)", "  # x", "    x", "\tx",
    "#", "# x", "#\n", " # x\n", " # x\n    y", "x\n  y\n z\n", "\n#\n  x", "\n \\\n  x", " \\\n",
]  # fmt: skip
LONG = [" " * 128, "-" * 64, "x" * 200, "=" * 80 + "\n", "(" * 20, ")" * 20, "\n" * 30, "# " + "-" * 90, "1" * 99]
BEYOND = ["é", " é", "ß = ", "東京", "🙂", "'☃'", "\u00a0", "\u2028", "\ufeff", "a\u0301", "\0", "½", "²"]

BYTES = [bytes([byte]) for byte in range(256)]
HALVES = [
    "é".encode()[:1], "é".encode()[1:], "東".encode()[:2], "東".encode()[2:] + b" = 1", "🙂".encode()[:3],
    "🙂".encode()[1:], b"x" + "é".encode()[:1], b"'" + "東".encode()[:1], b"# " + "🙂".encode()[:2],
    b"\n    " + "é".encode()[:1], b") + " + "é".encode()[:1], b"\xa9 = ", b"\x82\xac'", b"\xe2\x82\xac\xe2\x82",
    b"\xed\xa0\x80", b"\xc0\x80", b"\xff\xfe", b"x\xff", b"\xf4\x90", b"\x80\x80\x80",
]  # fmt: skip


def vocabulary(pieces: Iterable[bytes | None]) -> Vocabulary:
    """Return a vocabulary of these tokens; None are special tokens, holes and padding."""
    return Vocabulary(tuple(pieces), MappingProxyType({"<|endoftext|>": 0}), frozenset({0}))


def hostile() -> Vocabulary:
    """Return the whole of it: words, marks, quotes, blanks, long tokens, halves of characters, holes, padding."""
    texts = [text.encode() for text in (*WORDS, *MARKS, *QUOTES, *BLANKS, *LONG, *BEYOND)]
    return vocabulary([None, *BYTES, None, None, *texts, b"", *HALVES, *texts[:5], *[None] * 37])


STANDS = [
    ("", ""),
    ("x = ", "\n"),
    ("x", " = 1\n"),
    ("if x", ":\n    y\n"),
    ("if x:\n", "    y\n"),
    ("if x:\n    ", "\n"),
    ("if x:\n    y\n", "else:\n    z\n"),
    ("if x:\n    y\n  ", "z\n"),
    ("if x:\n\ty\n", "\tz\n"),
    ("def f(", "):\n    pass\n"),
    ("def f(x):\n    return [", "]\n"),
    ("x = (1,\n", ")\n"),
    ("x = " + "(" * 199, ")" * 199 + "\n"),
    ("x = " + "[" * 200, "]" * 200 + "\n"),
    ("x = ((", ")"),
    ("x = {'a': [(", ")]}\n"),
    ("x = ((1)", ")\n"),
    ("x = (1)", "\n"),
    ("def f(x)", ":\n    pass\n"),
    ("def f(x)", "\n    pass\n"),
    ("x = [[y]", "]\n"),
    ("x = f'{y}", "'\n"),
    ("x = f'{y}'", "\n"),
    ("x = f'''{f(y)}''", "'\n"),
    ('x = f\'{f"{y}"', "}'\n"),
    ("x = (y.", "z)\n"),
    ("x = (1e", ")\n"),
    ("x = (y,\n", ")\n"),
    ("x = (y # a", "\n)\n"),
    ("x = 'a", "b'\n"),
    ("x = '", "\n"),
    ("x = '\\", "'\n"),
    ("x = b'a", "'\n"),
    ('x = """a\n', 'b"""\n'),
    ('x = ""', "\n"),
    ("x = '''a''", "'\n"),
    ("x = f'", "'\n"),
    ("x = f'a{", "}b'\n"),
    ("x = f'a{b", "!r}'\n"),
    ("x = f'a{b:", "}'\n"),
    ("x = f'a{b:{", "}}'\n"),
    ("x = f'a{(", ")}'\n"),
    ('x = f"""{\n', '\n}"""\n'),
    ("x = f'{f\"{", "}\"}'\n"),
    ("x = 1  # a", "b\ny = 2\n"),
    ("# a", ""),
    ("x = 1 \\\n", "\n"),
    ("x = 1 + \\", "\n  2\n"),
    ("    \\\n", "x\n"),
    ("x = 1e", "\n"),
    ("x = 1e", "lse 2\n"),
    ("x = 1 if y else 0x", "\n"),
    ("x..", "\n"),
    ("x = .", "5\n"),
    ("x = y.", "z\n"),
    ("@", "\ndef f(): pass\n"),
    ("match x:\n    case ", ":\n        y\n"),
    ("match ", "\n"),
    ("with (a as b", "): pass\n"),
    ("lambda", ": x\n"),
    ("class A:\n    def f(self):\n        ", "\n\n    def g(self): pass\n"),
    ("try:\n    x\n", "except E:\n    y\n"),
    ("for x in y:\n    z\n", "z\n"),
    ("x = 1\r", "\ny\n"),
    ("\x0c", "x\n"),
    ("é", " = 1\n"),
    ("x = '東", "'\n"),
    ("async def f():\n    async ", " x in y: pass\n"),
    ("print(x", ", end='')\n"),
    ("x: int", " = 1\n"),
    ("del x", "\n"),
    (") + ", ""),
    ("x = 'a\n", ""),
    ("x $", " y"),
    ("x = 1\n", "  y = 2\n"),
    ("x = [", "}\n"),
]
"""Left and right texts, most of them awkward; the last fit nothing."""
