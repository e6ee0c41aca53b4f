"""Imports, and the files that they name."""

from __future__ import annotations

import pytest

from dovetail.grammar.library import languages
from dovetail.project.imports import Import, read_imports
from dovetail.project.modules import Modules

# An import of Python → the files of the project that it names, from `/p/shop/cart.py`.
PYTHON = {
    "import shop.tax": ["/p/shop/tax.py"],
    "import shop.tax as t, shop.money.euro": ["/p/shop/tax.py", "/p/shop/money/euro.py"],
    "from shop.tax import rate": ["/p/shop/tax.py"],
    "from shop import tax, unknown": ["/p/shop/tax.py"],
    "from . import tax": ["/p/shop/tax.py"],
    "from .money import euro as e": ["/p/shop/money/euro.py"],
    "from .money import (\n    euro,\n    dollar,\n)": ["/p/shop/money/euro.py", "/p/shop/money/dollar.py"],
    "from .money.euro import Euro": ["/p/shop/money/euro.py"],
    "from ..tests.test_cart import case": ["/p/tests/test_cart.py"],
    "from .money import Money": ["/p/shop/money/__init__.py", "/p/shop/money/dollar.py", "/p/shop/money/euro.py"],
    "    from .tax import rate": ["/p/shop/tax.py"],
    "import os, sys": [],
    "from .cart import Cart": [],  # the file itself
    "important = 1": [],
}
FILES = [
    "/p/shop/cart.py", "/p/shop/tax.py", "/p/shop/money/__init__.py", "/p/shop/money/dollar.py",
    "/p/shop/money/euro.py", "/p/tests/test_cart.py", "/p/old/shop/tax.py",
]  # fmt: skip


@pytest.mark.parametrize("text", PYTHON)
def test_python(text: str) -> None:
    """An import of Python names the modules of the project that CPython would load, the nearest of two."""
    pattern = languages()["python"].imports
    assert pattern is not None
    assert Modules(FILES).imported("/p/shop/cart.py", read_imports(text, pattern)) == PYTHON[text]


JAVASCRIPT = {
    "import tax from './tax';": [Import(("tax",), ("tax",), 0)],
    "import {rate, cart as c} from '../shop/tax'": [Import(("shop", "tax"), ("rate", "cart"), 1)],
    "import{rate}from'./tax'": [Import(("tax",), ("rate",), 0)],
    "import {\n  rate,\n  tax,\n} from './tax';": [Import(("tax",), ("rate", "tax"), 0)],
    "const tax = require('./tax');": [Import(("tax",), ("tax",), 0)],
    "const { rate, cart } = require('./tax')": [Import(("tax",), ("rate", "cart"), 0)],
    "var a = 1;\nlet tax = require( './tax' ).rate;": [Import(("tax",), ("tax",), 0)],
    "import type { Rate } from './tax';": [Import(("tax",), ("Rate",), 0)],
    "import type Rate from './tax';": [Import(("tax",), ("Rate",), 0)],
    "import { type Rate, type, type as kind } from './tax';": [Import(("tax",), ("Rate", "type", "type"), 0)],
    "import { rate } from '../shop/tax.js';": [Import(("shop", "tax"), ("rate",), 1)],
    "import { Cart } from './cart.service'": [Import(("cart.service",), ("Cart",), 0)],
    "import { Cart } from './cart.service.ts'": [Import(("cart.service",), ("Cart",), 0)],
    "import all from '../'": [Import((), ("all",), 1)],
    "import { a } from '@shop/tax'": [Import(("@shop", "tax"), ("a",), is_path=True)],
    "const rate = 1\nconst from = './tax'": [],
    "constant = require('./tax')": [],
}


@pytest.mark.parametrize("text", JAVASCRIPT)
def test_javascript(text: str) -> None:
    """Imports of both kinds of modules are read, with the names that they bring."""
    pattern = languages()["javascript"].imports
    assert pattern is not None
    assert read_imports(text, pattern) == JAVASCRIPT[text]


def test_the_name_of_a_file_may_have_dots() -> None:
    """An import without the file's ending, or with that of the file that a compiler makes, names the same file."""
    pattern = languages()["typescript"].imports
    assert pattern is not None
    modules = Modules(["/p/src/cart.service.ts", "/p/src/tax.ts", "/p/src/app.ts"])
    text = "import { Cart } from './cart.service';\nimport { rate } from './tax.js';\n"
    assert modules.imported("/p/src/app.ts", read_imports(text, pattern)) == [
        "/p/src/cart.service.ts",
        "/p/src/tax.ts",
    ]


def test_go() -> None:
    """The path of a package is found without the module's name before it, and all files of its folder are meant."""
    pattern = languages()["go"].imports
    assert pattern is not None
    text = 'package main\n\nimport (\n\t"fmt"\n\tm "example.com/shop/money" // Euro\n)\n\nimport "shop/tax"\n'
    text += 'var words = []string{\n\t"money",\n}\n'
    imports = read_imports(text, pattern)
    assert imports == [
        Import(("fmt",), ("fmt",)),
        Import(("example.com", "shop", "money"), ("money",), is_path=True),
        Import(("shop", "tax"), ("tax",), is_path=True),
    ]
    files = ["/p/main.go", "/p/money/euro.go", "/p/money/rate.go", "/p/shop/money/old.go", "/p/tax/tax.go"]
    found = Modules(files).imported("/p/main.go", imports)
    assert found == ["/p/shop/money/old.go", "/p/tax/tax.go"]
    found = Modules([*files[:3], *files[4:]]).imported("/p/main.go", imports)
    assert found == ["/p/money/euro.go", "/p/money/rate.go", "/p/tax/tax.go"]


def test_aliases() -> None:
    """A path that begins with an alias names the file whose path ends with the rest."""
    pattern = languages()["typescript"].imports
    assert pattern is not None
    imports = read_imports("import { Cart } from '@/shop/cart';\n", pattern)
    files = ["/p/src/shop/cart.ts", "/p/src/app.ts"]
    assert Modules(files).imported("/p/src/app.ts", imports) == ["/p/src/shop/cart.ts"]


def test_lua() -> None:
    """`require` names the file by its path with dots."""
    pattern = languages()["lua"].imports
    assert pattern is not None
    imports = read_imports('local tax = require("shop.tax")\nlocal x = 1\n', pattern)
    assert imports == [Import(("shop", "tax"), ("tax",))]
    assert Modules(["/p/lua/shop/tax.lua"]).imported("/p/main.lua", imports) == ["/p/lua/shop/tax.lua"]


def test_the_others_way() -> None:
    """The files that import a file are found by its name, the nearest first, until they import it no more."""
    modules = Modules(FILES)
    modules.note("/p/tests/test_cart.py", [Import(("shop", "cart"), ("Cart",))])
    modules.note("/p/shop/tax.py", [Import((), ("cart",), 0)])
    assert modules.importers("/p/shop/cart.py") == ["/p/shop/tax.py", "/p/tests/test_cart.py"]
    modules.note("/p/shop/tax.py", [])
    assert modules.importers("/p/shop/cart.py") == ["/p/tests/test_cart.py"]
    assert modules.importers("/p/shop/money/euro.py") == []
