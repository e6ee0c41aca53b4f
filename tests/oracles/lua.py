"""Lua's own parsers, from 5.1 to 5.5 and LuaJIT's, each in this process; `python -m tests.oracles.lua 5.4` is a worker.

Lua compiles while it parses, so some of its errors speak of names or of its limits. Those are told apart by their
messages, which stand here as Lua writes them.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from dovetail.grammar.oracle import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

MODULES = {
    "5.1": "lupa.lua51",
    "luajit": "lupa.luajit21",
    "5.2": "lupa.lua52",
    "5.3": "lupa.lua53",
    "5.4": "lupa.lua54",
    "5.5": "lupa.lua55",
}
"""Version of the language → the module that holds its parser."""

NAMES = (
    "no visible label",
    "undefined label",
    "already defined",  # a label
    "duplicate label",
    "jumps into the scope of",
    "attempt to assign to const variable",
    "not declared",  # 5.5: a global
)
"""Words of errors that depend on how things are called."""

LIMITS = (
    "too many",  # C levels, syntax levels, local variables, upvalues, registers
    "too complex",
    "too long",
    "has more than",
    "C stack overflow",
    "overflow",
    "not enough memory",
)
"""Words of errors that speak of the parser's limits."""

_BINARY = "\x1b"
_MARK = b"\xef\xbb\xbf"


class LuaParser:
    """The parser of one version."""

    def __init__(self, version: str) -> None:
        lua: Any = importlib.import_module(MODULES[version])
        runtime = lua.LuaRuntime(encoding=None, register_eval=False, register_builtins=False)
        self._version = version
        self._load = runtime.globals()[b"loadstring" if version in ("5.1", "luajit") else b"load"]

    def judge(self, texts: Sequence[str]) -> list[Verdict]:
        """Return the verdict on each text."""
        return [self.verdict(text) for text in texts]

    def verdict(self, text: str) -> Verdict:
        """Return the verdict on a text as it stands in a file: its first line means nothing if it begins with `#`."""
        if text.startswith(_BINARY):
            return Verdict(False, "a compiled program")  # which 5.1 would take for one, whatever follows
        source = text.encode("utf-8", "surrogatepass")
        if self._version not in ("5.1", "luajit"):
            source = source.removeprefix(_MARK)
        if source.startswith(b"#") and self._version != "luajit":
            source = source[len(source.partition(b"\n")[0]) :]
        answer = self._load(source, b"=text")
        if not isinstance(answer, tuple):
            return Verdict(True)
        message = answer[1].decode("utf-8", "replace").removeprefix("text:")
        given_up = any(words in message for words in (*NAMES, *LIMITS))
        return Verdict(None if given_up else False, message)

    def parses(self, text: str) -> bool | None:
        """Return whether a text is accepted; None where it is refused for another reason than its form."""
        return self.verdict(text).accepted


def main(version: str) -> None:
    """Answer texts, each after its length in bytes and a line feed, with `1`, `0 message` or `? message`."""
    parser = LuaParser(version)
    words = {True: "1", False: "0", None: "?"}
    while line := sys.stdin.buffer.readline():
        verdict = parser.verdict(sys.stdin.buffer.read(int(line)).decode("utf-8", "surrogatepass"))
        answer = f"{words[verdict.accepted]} {' '.join(verdict.error.split())}"
        sys.stdout.buffer.write(answer.rstrip().encode() + b"\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
