"""Members of a class and definitions of a file behind a dot, by the look of their lines, in several languages."""

from __future__ import annotations

import pytest

from dovetail.project.blocks import cut
from dovetail.project.outlines import MOST_MEMBERS, outline, receiver, types_of
from dovetail.project.search import Source

PYTHON = '''\
"""A shop."""

import money

RATE: float = 0.2


@final
class Cart(Base):
    """Things to buy.

    not_a_member = 1
    """

    # a comment
    items: list[str]
    _total = 0

    def __init__(self, owner: str) -> None:
        self.owner = owner

    @property
    def price(self) -> float:
        if self.items:
            return 1.0
        return 0.0

    def add(
        self,
        item: str,
        count: int = 1,
    ) -> None:
        self.items += [item] * count


def tax(cart: Cart) -> float:
    return cart.price * RATE
'''
TYPESCRIPT = """\
import { Base } from "./base";

export default class Cart extends Base {
  private items: string[] = [];
  /* words
  that are no member */
  constructor(private owner: string) {
    super();
  }

  async add(item: string, count = 1): Promise<void> {
    this.items.push(item);
  }
}

export function tax(cart: Cart): number {
  return 1;
}
export const RATE = 0.2;
"""
CART = """\
class Cart(Base):
    items: list[str]
    _total = 0
    def __init__(self, owner: str) -> None:
    def price(self) -> float:
    def add(self, item: str, count: int = 1,) -> None:
"""


def members(path: str, text: str, *names: str) -> str:
    """Return the outline of the first of some names in a file, empty if there is none."""
    source = Source(path, cut(text))
    found = outline(names, [source])
    assert found == outline(names, [source]), "the second time it is remembered"
    return "" if found is None else found.text


def test_the_members_of_a_class_are_its_first_level() -> None:
    """Documentation, comments, decorators and bodies are left out; a head over several lines is one."""
    assert members("shop/cart.py", PYTHON, "Cart") == CART
    assert members("shop/cart.ts", TYPESCRIPT, "Cart") == (
        "export default class Cart extends Base {\n"
        "  private items: string[] = [];\n"
        "  constructor(private owner: string) {\n"
        "  async add(item: string, count = 1): Promise<void> {\n"
    )


def test_a_file_shows_its_outermost_definitions() -> None:
    """A file is named by its stem, or by its folder."""
    expected = "RATE: float = 0.2\nclass Cart(Base):\ndef tax(cart: Cart) -> float:\n"

    assert members("shop/cart.py", PYTHON, "cart") == expected
    assert members("shop/cart/__init__.py", PYTHON, "cart") == expected
    assert members("cart.lua", "local M = {}\nfunction M.add(x)\n  return x\nend\nreturn M\n", "cart") == (
        "local M = {}\nfunction M.add(x)\n"
    )


def test_a_name_of_neither_has_no_outline() -> None:
    """A function, an unknown name, a class without members, and what may not be shown."""
    assert members("shop/cart.py", PYTHON, "tax", "Unknown") == ""
    assert members("a.py", "class Empty:\n    # nothing\n", "Empty") == ""
    assert members("a.py", "class Key:\n    token = 'ghp_" + "0123456789abcdef" * 2 + "0123'\n", "Key") == ""


def test_the_first_name_that_has_one_counts() -> None:
    """A variable's name comes before its types."""
    assert members("shop/cart.py", PYTHON, "basket", "Cart") == CART


def test_of_many_members_the_public_ones_are_shown() -> None:
    """In their order, as many as there is room for."""
    own = "".join(f"    def _hidden_{number}(self): ...\n" for number in range(30))
    seen = "".join(f"    def seen_{number}(self): ...\n" for number in range(20))
    lines = members("a.py", f"class Much:\n{own}{seen}", "Much").splitlines()

    assert len(lines) <= 1 + MOST_MEMBERS
    assert [line for line in lines if "seen" in line] == seen.splitlines()


@pytest.mark.parametrize(
    ("left", "name"),
    [
        ("x = cart.", "cart"),
        ("x = cart.pri", "cart"),
        ("x = cart?.pri", "cart"),
        ("if not_cart.", "not_cart"),
        ("x = cart.items.", None),
        ("x = cart().", None),
        ("x = carts[0].", None),
        ("x = 1.5 + cart", None),
        ("", None),
    ],
)
def test_the_receiver_is_the_word_before_the_dot(left: str, name: str | None) -> None:
    """A call, an index and a chain are no name."""
    assert receiver(left) == name


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("cart = Cart(owner)\n", ["Cart"]),
        ("cart = shop.Cart(owner)\n", ["Cart"]),
        ("const cart = new Cart(owner);\n", ["Cart"]),
        ("cart := &Cart{}\n", ["Cart"]),
        ("def buy(cart: Cart | None):\n", ["Cart"]),
        ("def buy(cart: 'shop.Cart'):\n", ["Cart"]),
        ("function buy(cart?: Cart) {\n", ["Cart"]),
        ("cart: Cart = make()\ncart = Basket()\n", ["Basket", "Cart"]),
        ("other_cart = Cart()\ncart.x = Cart()\n", []),
    ],
)
def test_types_are_what_was_assigned_or_annotated(text: str, types: list[str]) -> None:
    """The last one first; other variables and attributes do not count."""
    assert types_of("cart", text) == types
