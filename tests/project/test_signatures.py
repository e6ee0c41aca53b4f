"""Signatures are read from the lines of definitions as languages write them, and come back from their text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.decoding.signature import PROPERTY, UNKNOWN, Signature, read_signature
from dovetail.project.signatures import properties_of, signature_in

LINES = [
    ("def add(self, item, count=1):", "(item, count=)"),
    ("async def add(item: dict[str, int], *items, sure=False) -> None:", "(item, *)"),
    ("def add(self, item, /, count: int, *, sure=False):", "(item, count, *)"),
    ("def add(cls, **rest):", "(*)"),
    ("def add(self, sign='),(', *, x): ...", "(sign=, *)"),
    ("def add[T](self, item: Callable[[T, int], T] = print) -> T: ...", "(item=)"),
    ("def add(self): return other(1, 2)", "()"),
    ("def add(", "(*)"),
    ("add(item: string, count?: number): void;", "(item, count=)"),
    ("public static async add<T>(item: Map<string, T>, done: (a: T, b: T) => void) {", "(item, done)"),
    ("export function add({ item, count }: Props, last = 1, ...rest) {", "(, last=, *)"),
    ("function add(test = a === b, next) {", "(test=, next=)"),
    ("get add() {", PROPERTY),
    ("func (c *Cart) add(item Item, counts ...int) (int, error) {", "(item, *)"),
    ("func add(a, b int) int {", "(a, b)"),
    ("function M.add(item, ...)", "(item, *)"),
    ("local function add(item)", "(item)"),
    ("add = 1", UNKNOWN),
    ("add: list[str] = field(default_factory=list)", UNKNOWN),
    ("class adding(Base):", UNKNOWN),
]


@pytest.mark.parametrize(("line", "wanted"), LINES)
def test_a_line_tells_what_a_call_gives(line: str, wanted: str) -> None:
    """Names, those that may be left out, and whether more may come, whatever types and values stand beside them."""
    assert signature_in(line, "add") == wanted


def test_properties_have_a_decorator() -> None:
    """Other decorators between it and the name change nothing, and a setter alone is none."""
    text = "@functools.cached_property\n@other(1)\ndef a():\n@b.setter\ndef b(to):\n@reify\n    async def c():\n"
    assert properties_of(text) == {"a", "c"}


@given(st.lists(st.sampled_from(["item", "count", "", "x1"])), st.integers(0, 4), st.booleans())
def test_a_signature_comes_back_from_its_text(names: list[str], required: int, is_open: bool) -> None:
    """The text goes from process to process, and loses nothing."""
    signature = Signature(tuple(names), min(required, len(names)), is_open)
    if signature.text == "()":
        signature = Signature((), 0, is_open=False)  # a single parameter without a name is written as none
    assert read_signature(signature.text) == signature
