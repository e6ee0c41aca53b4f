"""The lines that use a name of another file, of a small project that is written here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dovetail.evaluation.crossfile.cases import CrossCases, CrossKind
from dovetail.evaluation.error import EvaluationError
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from pathlib import Path

CART = """\
from shop import tax
from shop.money import Euro, unknown_name
import os

# Euro(1) in a comment
rate = tax.rate_of("de")
path = os.path.join("a", "b")


def total(prices):
    start = Euro(0, 0)  # Euro(2)
    return sum(prices, Euro)
"""
FILES = {
    "shop/cart.py": CART,
    "shop/tax.py": "def rate_of(country):\n    return 19\n",
    "shop/money.py": "class Euro:\n    pass\n",
    "alone/one.py": "import os\nprint(os.name)\n",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_lines(folder: Path) -> None:
    """Exactly the lines are asked for that use a name of another file: from the name on, or after a file's name."""
    cases = CrossCases(folder, languages()["python"], 0)
    found = [cases.case(number) for number in range(3)]
    assert {(case.name, case.wanted) for case in found} == {
        ("tax", 'rate_of("de")'),
        ("Euro", "Euro(0, 0)  # Euro(2)"),
        ("Euro", "Euro)"),
    }
    for case in found:
        assert case.file == "shop/cart.py"
        assert case.left + case.wanted + case.right == CART
    with pytest.raises(EvaluationError, match=r"another file \(3\)"):
        cases.case(3)


def test_the_members(tmp_path: Path) -> None:
    """Lines are cut at what another file defines of something imported, by its own name or by a variable's."""
    text = """\
from shop import tax
from shop.money import Euro
import os

rate = tax.rate_of("de")
none = tax.unknown_name("de")
path = os.path.join("a", "b")
price = Euro(1, 2)
text = price.written("de")  # price.cents
half = price.halved()
zero = Euro.nothing()
other = path.written("de")
"""
    money = "class Euro:\n    nothing: int\n    def written(self, land):\n        self.cents = 1\n"
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/cart.py").write_text(text)
    (tmp_path / "shop/tax.py").write_text(FILES["shop/tax.py"])
    (tmp_path / "shop/money.py").write_text(money)
    cases = CrossCases(tmp_path, languages()["python"], 0, CrossKind.MEMBERS)

    assert {(case.name, case.wanted) for case in map(cases.case, range(3))} == {
        ("rate_of", 'rate_of("de")'),
        ("written", 'written("de")  # price.cents'),
        ("nothing", "nothing()"),
    }
    with pytest.raises(EvaluationError, match=r"another file \(3\)"):
        cases.case(3)


def test_the_same_cases_again(folder: Path) -> None:
    """The cases depend on the files and the seed alone, not on the order in which they are asked for."""
    one, other = (CrossCases(folder, languages()["python"], 5) for _ in range(2))
    other.case(2)
    assert [one.case(number) for number in range(3)] == [other.case(number) for number in range(3)]


def test_a_language_without_imports_is_refused(folder: Path) -> None:
    """JSON has no imports, and a missing folder no files: both are said in one sentence."""
    with pytest.raises(EvaluationError, match="does not say what an import is"):
        CrossCases(folder, languages()["json"], 0)
    with pytest.raises(EvaluationError, match="There is no folder"):
        CrossCases(folder / "missing", languages()["python"], 0)


def test_members_that_the_file_does_not_tell(folder: Path) -> None:
    """Of all members those are asked for that stand nowhere else in the file, before the cursor or after it."""
    (folder / "shop/cart.py").write_text(
        "from shop import tax\n\nfirst = tax.rate_of(1)\nother = tax.only_here(2)\nlast = tax.rate_of(3)\n"
    )
    (folder / "shop/tax.py").write_text("def rate_of(country):\n    return 19\n\n\ndef only_here(year):\n    pass\n")
    cases = CrossCases(folder, languages()["python"], 0, CrossKind.FIRST)
    assert cases.case(0).wanted == "only_here(2)"
    with pytest.raises(EvaluationError, match=r"another file \(1\)"):
        cases.case(1)
