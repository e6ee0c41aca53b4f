"""The definitions of imported names: found by the look of their lines, cut where the next one begins."""

from __future__ import annotations

import pytest

from dovetail.grammar.library import languages
from dovetail.project.blocks import cut
from dovetail.project.definitions import MOST_LINES, definitions
from dovetail.project.search import Source

PYTHON = '''\
from shop.base import area, Place
import area

def scale(value):
    area(value)
    return area(value) * area

async def area(
    width,
    height: int = 3,
) -> float:
    """Return it."""
    return width * height
class Place(Base):
    name: str
    city: str


limits: dict[str, int] = {}
    '''
JAVASCRIPT = """\
import { area } from "./base.js";
export { Place };
export default async function area(width, height) {
  return width * height;
}
export class Place extends Base {
  name = "";
}
export const limits = { low: 1 };
"""
LUA = """\
local area = require("base.area")
local M = {}
function M.area(width, height)
  return width * height
end
M.limits = { low = 1 }
return M
"""
EXPECTED = {
    ("python", "area"): "async def area(\n    width,\n    height: int = 3,\n) -> float:\n"
    '    """Return it."""\n    return width * height\n',
    ("python", "Place"): "class Place(Base):\n    name: str\n    city: str\n",
    ("python", "limits"): "limits: dict[str, int] = {}\n",
    ("javascript", "area"): "export default async function area(width, height) {\n  return width * height;\n}\n",
    ("javascript", "Place"): 'export class Place extends Base {\n  name = "";\n}\n',
    ("javascript", "limits"): "export const limits = { low: 1 };\n",
    ("lua", "area"): "function M.area(width, height)\n  return width * height\n",
    ("lua", "limits"): "M.limits = { low = 1 }\n",
}
TEXTS = {"python": PYTHON, "javascript": JAVASCRIPT, "lua": LUA}


def found(name: str, text: str, language: str) -> list[str]:
    """Return the definitions of a name in a file."""
    pattern = languages()[language].imports
    assert pattern is not None
    source = Source("a", cut(text))
    parts = definitions([name], [source], pattern)
    assert definitions([name], [source], pattern) == parts, "the second time it is remembered"
    return [part.text for part in parts.values()]


@pytest.mark.parametrize(("language", "name"), EXPECTED)
@pytest.mark.parametrize("above", range(6))
def test_definitions_of_languages(language: str, name: str, above: int) -> None:
    """The outermost definition is found wherever it lies in the blocks, neither an import nor a use of the name."""
    [text] = found(name, "\n" * above + TEXTS[language], language)
    assert text == EXPECTED[language, name]


def test_names_without_a_definition() -> None:
    """A name that a file only imports, uses or does not have has no definition in it."""
    for text in ("from shop import area\n", "print(1, area)\n", "x = area\n", "__all__ = ['area']\n", "areas = 1\n"):
        assert found("area", text, "python") == []


def test_the_first_file_with_a_definition_counts() -> None:
    """Each name has one definition, in the order of the names; that of a long one is cut."""
    pattern = languages()["python"].imports
    assert pattern is not None
    sources = [
        Source("empty.py", cut("from b import area, total\n")),
        Source("one.py", cut("def area(x):\n" + "    x += 1\n" * 30)),
        Source("two.py", cut("def area(y): pass\ndef total(z): pass\n")),
    ]
    parts = list(definitions(["total", "area"], sources, pattern).values())
    assert [part.path for part in parts] == ["two.py", "one.py"]
    assert parts[0].text == "def total(z): pass\n"
    assert parts[1].text.count("\n") == MOST_LINES


def test_no_secret_is_a_definition() -> None:
    """A definition with a key in it is not shown."""
    assert found("token", "token = 'AKIAABCDEFGHIJKLMNOP'\n", "python") == []
    assert found("token", "token = 'aaaaABCDEFGHIJKLMNOP'\n", "python")
