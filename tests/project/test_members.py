"""The names that a dot can open: of classes with their bases, of files, of variables, in several languages."""

from __future__ import annotations

import pytest

from dovetail.grammar.library import languages
from dovetail.project.blocks import cut
from dovetail.project.members import members_around, members_of
from dovetail.project.search import Source

BASE = "class Base(Root):\n    def save(self):\n        self.saved = True\n"
CART = '''\
from shop.base import Base
import money

RATE = 1


class Cart(Base):
    """Things."""

    items: list[str]

    def __init__(self, owner):
        self.owner: str = owner
        if self.other == owner:
            return

    async def total(
        self,
        tax,
    ):
        local = 1
        return local


def tax_of(cart):
    inner = 1
'''
TYPESCRIPT = """\
export class Cart {
  readonly items: string[] = [];
  #key = 1;
  total(tax: number): number {
    const inner = 1;
    this.sum = inner;
    return 0;
  }
}
"""
GO = """\
type Cart struct {
\tName string
\tItems []Item
}

func (c *Cart) Total() int {
\tinner := 0
\treturn inner
}
"""
LUA = """\
local Cart = {}
function Cart.new(x)
  local inner = x
end
function Cart:total()
end
"""
LANGUAGES = {
    "typescript": (TYPESCRIPT, {"items", "total", "sum"}, {"total": "(tax)", "items": ""}),
    "go": (GO, {"Name", "Items", "Total"}, {"Total": "()", "Name": ""}),
    "lua": (LUA, {"new", "total"}, {"new": "(x)", "total": "()"}),
}


def source(path: str, text: str) -> Source:
    return Source(path, cut(text))


def imports(language: str) -> str:
    return languages()[language].imports or r"(?!)"


def test_a_class_has_its_own_names_and_those_of_its_bases() -> None:
    """Fields, methods and what is assigned to `self` are members, of bases too; names inside of methods are none."""
    sources = [source("shop/cart.py", CART), source("shop/base.py", BASE)]
    found = members_of("Cart", sources, imports("python"))
    assert set(found) == {"items", "__init__", "total", "owner", "save", "saved"}


def test_a_file_has_what_it_defines_and_imports() -> None:
    """Behind the name of a file come its outermost names, and what it imports itself."""
    found = members_of("cart", [source("shop/cart.py", CART)], imports("python"))
    assert set(found) == {"RATE", "Cart", "tax_of", "Base"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_languages(language: str) -> None:
    """Members that are declared in other ways are found, those outside of their class too."""
    text, wanted, signatures = LANGUAGES[language]
    found = members_of("Cart", [source("shop/Cart.x", text)], imports(language))
    assert wanted <= set(found)
    assert "inner" not in found
    assert {name: found[name] for name in signatures} == signatures


def test_nothing_is_known_of_other_names() -> None:
    """A name that no file defines has no members."""
    assert members_of("Basket", [source("shop/cart.py", CART)], imports("python")) == {}


def test_variables_have_the_members_of_their_classes() -> None:
    """A variable that is made from an imported class, or has its type, opens its members, and what the file uses."""
    sources = [source("shop/cart.py", CART), source("shop/base.py", BASE)]
    left = "def buy(cart: Cart):\n    other = Cart(1)\n    cart.added()\n    third = make()\n    "
    around = members_around(left, "cart.later", ["Cart"], sources, imports("python"), {})
    found = {one.receiver: one.names for one in around}
    assert set(found) == {"cart", "other", "Cart", ""}
    assert {"total", "save", "added", "later"} <= set(found["cart"])
    assert "added" not in found["other"]


def test_functions_have_signatures() -> None:
    """Methods, of bases too, and the functions of a file have their parameters; properties, classes and fields none."""
    sources = [source("shop/cart.py", CART), source("shop/base.py", BASE)]
    found = members_of("Cart", sources, imports("python"))
    wanted = {"items": "", "__init__": "(owner)", "total": "(tax)", "owner": "", "save": "()", "saved": ""}
    assert found == wanted
    text = "class Rate:\n    @property\n    def total(self): ...\n    @total.setter\n    def total(self, to): ...\n"
    assert members_of("Rate", [source("rate.py", text)], imports("python")) == {"total": "-"}
    of_file = {"RATE": "", "Cart": "new(owner)", "tax_of": "(cart)", "Base": ""}
    assert members_of("cart", sources, imports("python")) == of_file


def test_imported_functions_belong_to_no_receiver() -> None:
    """Functions and classes that are called without a dot have their signatures behind an empty name."""
    sources = [source("shop/cart.py", CART)]
    around = members_around("tax_of(", "", ["tax_of", "Cart", "RATE"], sources, imports("python"), {})
    [functions] = [one for one in around if not one.receiver]
    assert dict(zip(functions.names, functions.signatures, strict=True)) == {"tax_of": "(cart)", "Cart": "new(owner)"}
    assert not functions.is_whole


def test_uses_elsewhere_are_members_and_are_counted() -> None:
    """Names that other files have behind a name are its members; one that nothing else is known of has these alone."""
    elsewhere = {"Cart": {"total": 3, "made": 1}, "request": {"user": 2}, "other": {"x": 1}}
    left = "request.get()\nCart.total\n"
    around = members_around(left, "", ["Cart"], [source("cart.py", CART)], imports("python"), elsewhere)
    cart, request, _ = around
    assert (cart.receiver, cart.is_whole) == ("Cart", True)
    times = dict(zip(cart.names, cart.times, strict=True))
    assert (times["total"], times["made"], times["items"]) == (3, 1, 0)
    assert (request.receiver, request.names, request.times, request.is_whole) == (
        "request",
        ("get", "user"),
        (0, 2),
        False,
    )
