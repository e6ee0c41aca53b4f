"""The project around a document: which files are shown, when, and that nothing else is read or kept."""

from __future__ import annotations

import builtins
import pathlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from dovetail.project.reader import OFF, OPEN, WORKSPACE, OpenText, ProjectReader

if TYPE_CHECKING:
    from pathlib import Path

TAX = """\
def tax_of(amount, country):
    table = rates_by_country
    special = exceptions.get(country, {})
    if special.get("until", forever) > today:
        return special["rate"] * amount
    return table[country].rate * amount
"""
CART = "from shop.tax import tax_of\n\n\ndef total(prices):\n    "
LEFT, RIGHT = CART + "amount = sum(prices)\n    return amount + tax_of(", "\n"


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "shop").mkdir(parents=True)
    (root / "shop/tax.py").write_text(TAX)
    (root / "shop/cart.py").write_text(CART)
    (root / "shop/other.py").write_text("unrelated = 1\n")
    return root


def open_text(path: Path, text: str) -> OpenText:
    """Return an open document of Python."""
    return OpenText(path.as_uri(), "python", text)


def begun(root: Path, mode: str) -> ProjectReader:
    """Return the project of a folder."""
    project = ProjectReader()
    project.begin([str(root)], mode)
    project.scan()
    return project


def shown(project: ProjectReader, path: Path, left: str = LEFT) -> dict[str, str]:
    """Return the parts of other files that are shown for a document, by their paths."""
    around = project.around(path.as_uri(), left, RIGHT)
    assert around is not None
    return {file.path: file.text for file in around.files}


def test_imported_files_are_shown(root: Path) -> None:
    """With `workspace` the definition in an imported file is shown, with both paths and the comment sign."""
    project = begun(root, WORKSPACE)
    project.update(open_text(root / "shop/cart.py", LEFT + RIGHT))
    around = project.around((root / "shop/cart.py").as_uri(), LEFT, RIGHT)
    assert around is not None
    assert (around.path, around.repository, around.language, around.comment) == (
        "shop/cart.py",
        "project",
        "Python",
        "#",
    )
    assert [(file.path, file.text) for file in around.files] == [("shop/tax.py", TAX)]


def test_definitions_of_imported_names_come_first(root: Path) -> None:
    """The definition of a name that stands before the cursor is the best part, whatever else is like the text."""
    (root / "shop/money.py").write_text("import shop\n" * 30 + "class Euro:\n    cents: int\n    rate: float\n")
    (root / "shop/like.py").write_text("def total(prices):\n    amount = sum(prices)\n    return amount + other\n" * 3)
    project = begun(root, WORKSPACE)
    text = "from shop.money import Euro\nfrom shop.like import total\n" + LEFT.replace("return", "return Euro(1) +")
    project.update(open_text(root / "shop/cart.py", text))
    parts = list(shown(project, root / "shop/cart.py", text).items())
    assert parts[-2:] == [("shop/money.py", "class Euro:\n    cents: int\n    rate: float\n"), ("shop/tax.py", TAX)]
    around = project.around((root / "shop/cart.py").as_uri(), text, "")
    assert around is not None
    # What a prompt shows is not given to the n-grams of other files once more.
    assert "class Euro:\n    cents: int\n    rate: float\n" not in around.workspace_texts
    assert [(one.receiver, one.names) for one in around.members] == [
        ("Euro", ("cents", "rate")),
        ("", ("tax_of", "total")),
    ]


def test_definitions_that_no_prompt_has_room_for_are_for_n_grams(root: Path) -> None:
    """A cache of n-grams reads the parts that are found and not shown."""
    names = [f"name_{letter}" for letter in "abcdefghij"]  # more than are shown
    (root / "shop/money.py").write_text("".join(f"def {name}(cents):\n    return cents\n\n\n" for name in names))
    project = begun(root, WORKSPACE)
    text = f"from shop.money import {', '.join(names)}\n" + LEFT
    project.update(open_text(root / "shop/cart.py", text))
    around = project.around((root / "shop/cart.py").as_uri(), text, "")
    assert around is not None
    in_prompt = {file.text for file in around.files}
    assert around.workspace_texts
    assert not in_prompt & set(around.workspace_texts)


def test_parts_for_n_grams(root: Path) -> None:
    """Parts of open documents come apart from those of other files, and neither is there with `off`."""
    project = begun(root, WORKSPACE)
    project.update(open_text(root / "shop/other.py", "amount = tax_of(prices)\n"))
    project.update(open_text(root / "shop/cart.py", LEFT + RIGHT))
    around = project.around((root / "shop/cart.py").as_uri(), LEFT, RIGHT)
    assert around is not None
    assert around.open_texts == ("amount = tax_of(prices)\n",)
    assert around.workspace_texts == ()  # the prompt shows all of them
    assert around.alone == replace(around, files=(), uses=(), open_texts=(), workspace_texts=(), members=())


USES = "from shop.tax import tax_of\n\nfirst = tax_of(amount, 'de')\nprices.sort(key=len)\nunused = sum(amounts)\n"


def test_lines_that_use_the_same_names(root: Path) -> None:
    """With `workspace` lines of files that belong to it in no other way come too: where its names are used."""
    (root / "far").mkdir()
    (root / "far/away.py").write_text(USES)
    project = begun(root, WORKSPACE)
    uri = (root / "shop/cart.py").as_uri()
    project.update(open_text(root / "shop/cart.py", CART))
    around = project.around(uri, CART, "")
    assert around is not None
    assert around.uses == (
        "from shop.tax import tax_of",
        "first = tax_of(amount, 'de')",
        "def tax_of(amount, country):",
    )
    # A name that was not there before brings more of them, and behind its dot are the members that they have.
    text = CART + "prices.sort()\n    prices."
    project.update(open_text(root / "shop/cart.py", text))
    around = project.around(uri, text, "")
    assert around is not None
    assert "prices.sort(key=len)" in around.uses
    [prices] = [one for one in around.members if one.receiver == "prices"]
    assert (prices.names, prices.times, prices.is_whole) == (("sort",), (1,), False)
    # It stays while one types, and goes with its file.
    project.update(open_text(root / "shop/cart.py", CART))
    around = project.around(uri, CART, "")
    assert around is not None
    assert "prices.sort(key=len)" in around.uses
    (root / "far/away.py").unlink()
    project.look((root / "far/away.py").as_posix())
    project.update(open_text(root / "shop/cart.py", CART), anew=True)
    around = project.around(uri, CART, "")
    assert around is not None
    assert around.uses == ("def tax_of(amount, country):",)


def test_lines_are_read_again_when_the_document_is_looked_at_anew(root: Path) -> None:
    """A change by another program is seen; and a file that has come to be ignored gives nothing any more."""
    (root / "away.py").write_text("first = tax_of(1)\n")
    project = begun(root, WORKSPACE)
    cart = open_text(root / "shop/cart.py", CART)

    def lines() -> tuple[str, ...]:
        project.update(cart, anew=True)
        around = project.around(cart.uri, CART, "")
        assert around is not None
        return around.uses

    assert "first = tax_of(1)" in lines()
    (root / "away.py").write_text("second = tax_of(2)\n")
    assert "second = tax_of(2)" in lines()
    (root / ".gitignore").write_text("away.py\n")
    assert lines() == ("def tax_of(amount, country):",)


def test_importing_files_are_shown(root: Path) -> None:
    """With `workspace` a file that imports the document is shown."""
    (root / "shop/checkout.py").write_text("from shop.cart import total\n\nfinal = total(prices=[tax_of(9, 'de')])\n")
    project = begun(root, WORKSPACE)
    project.update(open_text(root / "shop/cart.py", "def total(prices): return tax_of(prices, "))
    left = "def total(prices): return tax_of(prices, "
    assert set(shown(project, root / "shop/cart.py", left)) == {"shop/checkout.py"}


def test_open_documents_are_shown_as_they_stand(root: Path) -> None:
    """With `open` the text in the editor is shown, no file is; and a closed document is shown no more."""
    project = begun(root, OPEN)
    project.update(open_text(root / "shop/cart.py", LEFT + RIGHT))
    assert shown(project, root / "shop/cart.py") == {}
    project.update(open_text(root / "shop/other.py", TAX.replace("country", "zone")))
    project.update(open_text(root / "shop/other.py", TAX.replace("country", "region")))
    assert shown(project, root / "shop/cart.py") == {"shop/other.py": TAX.replace("country", "region")}
    project.close((root / "shop/other.py").as_uri(), edited=True)
    assert shown(project, root / "shop/cart.py") == {}


def test_an_edited_file_is_shown_after_it_was_closed(root: Path) -> None:
    """With `workspace` a document that was edited and closed is still shown, as it is on disk."""
    project = begun(root, WORKSPACE)
    project.update(open_text(root / "shop/cart.py", LEFT + RIGHT))
    project.update(open_text(root / "shop/other.py", "x = 1\n"))
    (root / "shop/other.py").write_text("assert tax_of(1, 'fr') == expected_for_france\n")
    project.close((root / "shop/other.py").as_uri(), edited=True)
    assert "shop/other.py" in shown(project, root / "shop/cart.py")


def test_off_reads_nothing(root: Path) -> None:
    """With `off` nothing is told of the project."""
    project = begun(root, OFF)
    project.update(open_text(root / "shop/cart.py", LEFT + RIGHT))
    assert project.around((root / "shop/cart.py").as_uri(), LEFT, RIGHT) is None


def test_a_changed_file_is_read_again(root: Path) -> None:
    """A change by another program is seen when the document is looked at anew."""
    project = begun(root, WORKSPACE)
    text = open_text(root / "shop/cart.py", LEFT + RIGHT)
    project.update(text)
    (root / "shop/tax.py").write_text(TAX.replace("country", "place_of_delivery"))
    project.update(text, anew=True)
    assert "place_of_delivery" in shown(project, root / "shop/cart.py")["shop/tax.py"]
    (root / "shop/tax.py").unlink()
    project.update(text, anew=True)
    assert shown(project, root / "shop/cart.py") == {}


def test_the_parts_stay_while_one_types(root: Path) -> None:
    """Every key of a line gets the same parts in the same order."""
    (root / "shop/money.py").write_text("class Euro:\n    cents: int\n    country: str\n")
    project = begun(root, WORKSPACE)
    text = "from shop.money import Euro\n" + LEFT
    project.update(open_text(root / "shop/cart.py", text))
    first = list(shown(project, root / "shop/cart.py", text).items())
    assert [path for path, _ in first] == ["shop/money.py", "shop/tax.py"]
    for typed in ("a", "am", "amount", "amount,", "amount, country"):
        project.update(open_text(root / "shop/cart.py", text + typed))
        now = list(shown(project, root / "shop/cart.py", text + typed).items())
        assert now == first


@pytest.mark.parametrize("mode", [OPEN, WORKSPACE])
def test_what_may_not_be_read_is_not_shown(root: Path, mode: str) -> None:
    """Open documents that are ignored, secret or outside of the folders, and such files, are never shown to others."""
    (root / ".gitignore").write_text("shop/ignored.py\n")
    names = ("shop/ignored.py", "shop/credentials.py", "../outside.py")
    for name in names:
        (root / name).write_text(TAX + "tax_of(1)\nexceptions.get(2)\n")
    (root / "shop/tax.py").unlink()
    project = begun(root, mode)
    text = LEFT.replace("from shop.tax", "from shop.ignored import a\nfrom shop.credentials import b\nfrom outside")
    project.update(open_text(root / "shop/cart.py", text))
    for name in names:
        project.update(open_text((root / name).resolve(), TAX))
    assert shown(project, root / "shop/cart.py", text) == {}
    around = project.around((root / "shop/cart.py").as_uri(), text, RIGHT)
    assert around is not None
    assert around.uses == ()
    assert project.around((root.parent / "outside.py").as_uri(), LEFT, RIGHT) is None


@pytest.fixture(name="opened")
def _opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return the paths and modes of all files that are opened from here on."""
    found: list[tuple[str, str]] = []
    original, original_path = builtins.open, pathlib.Path.open

    def note(path: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        found.append((str(path), mode))
        return original(path, mode, *arguments, **options)

    def note_path(path: pathlib.Path, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        found.append((str(path), mode))
        return original_path(path, mode, *arguments, **options)

    monkeypatch.setattr(builtins, "open", note)
    monkeypatch.setattr(pathlib.Path, "open", note_path)
    return found


def test_nothing_else_is_opened_and_nothing_is_written(root: Path, opened: list[tuple[str, str]]) -> None:
    """A session opens no ignored, secret or outside file, only to read, and no file while it answers a request."""
    (root / ".gitignore").write_text("ignored/\n")
    (root / "ignored").mkdir()
    for name in ("ignored/a.py", "secrets.py", "../outside.py"):
        (root / name).write_text(TAX)
    (root / "link.py").symlink_to(root.parent / "outside.py")
    before = sorted(root.parent.rglob("*"))
    opened.clear()
    project = begun(root, WORKSPACE)
    text = "from ignored import a\nimport secrets, link, outside\n" + LEFT
    project.update(open_text(root / "shop/cart.py", text))
    allowed = {root / "shop" / name for name in ("tax.py", "cart.py", "other.py")}
    read = {pathlib.Path(path).resolve() for path, _ in opened if not path.endswith(".gitignore")}
    assert (root / "shop/tax.py").resolve() in read
    assert read <= {path.resolve() for path in allowed}
    assert {mode for _, mode in opened} <= {"r", "rb"}
    opened.clear()
    assert shown(project, root / "shop/cart.py", text)
    assert opened == []
    assert sorted(root.parent.rglob("*")) == before


def test_a_look_at_files_is_a_search_for_them(root: Path) -> None:
    """Files that come, change and go one after the other are known as if they had been found at once."""
    project = begun(root, WORKSPACE)
    document = open_text(root / "shop/cart.py", "from shop.money import Euro\n" + LEFT + RIGHT)
    project.update(document)
    steps = (
        ("shop/money.py", "class Euro:\n    country: str\n"),
        ("shop/checkout.py", "from shop.cart import total\namount = sum(prices)\n"),
        ("shop/tax.py", TAX.replace("country", "place")),
        ("shop/checkout.py", None),
        ("shop/money.py", None),
    )
    for name, text in steps:
        path = root / name
        path.unlink() if text is None else path.write_text(text)
        project.look(path.as_posix())
        project.update(document, anew=True)
        fresh = begun(root, WORKSPACE)
        fresh.update(document)
        uri = (root / "shop/cart.py").as_uri()
        assert project.related(uri) == fresh.related(uri)
        one, other = project.around(uri, LEFT, RIGHT), fresh.around(uri, LEFT, RIGHT)
        assert one is not None
        assert other is not None
        assert one.workspace_texts == other.workspace_texts
        assert one.uses == other.uses


def test_files_of_a_package_belong_together(tmp_path: Path) -> None:
    """In Go the files of the document's folder are searched without an import, and members are those of all files."""
    shop = tmp_path / "shop"
    (shop / "money").mkdir(parents=True)
    (shop / "go.mod").write_text("module example.com/shop\n")
    (shop / "rate.go").write_text("package shop\n\nfunc rateOf(country string) int {\n\treturn len(country)\n}\n")
    (shop / "money/euro.go").write_text("package money\n\ntype Euro struct {\n\tCents int\n}\n")
    (shop / "money/make.go").write_text("package money\n\nfunc Make(cents int) Euro {\n\treturn Euro{cents}\n}\n")
    text = 'package shop\n\nimport "example.com/shop/money"\n\nvar rate = rateOf("de")\nvar price = money.'
    (shop / "cart.go").write_text(text)
    project = begun(shop, WORKSPACE)
    document = OpenText((shop / "cart.go").as_uri(), "go", text)
    project.update(document)
    around = project.around(document.uri, text, "")
    assert around is not None
    assert {"rate.go", "money/euro.go"} & {file.path for file in around.files}
    assert [(one.receiver, one.names) for one in around.members] == [("money", ("Euro", "Make"))]
