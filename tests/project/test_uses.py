"""The lines of other files that use the names of a document: which of them, in which order, and how many."""

from __future__ import annotations

from dovetail.project.uses import MOST_LINES, Uses, UsingLine, members_in, using_lines, wanted_names

TEXTS = {
    "/a/rare.py": "cart.pay(euros)\n",
    "/a/common.py": "log.debug(1)\n",
    "/b/common.py": "log.debug(2)\nlog.info(3)\n",
}


def known(texts: dict[str, str]) -> Uses:
    """Return what some files use."""
    found = Uses()
    for path, text in texts.items():
        found.note(path, text)
    return found


def lines(names: set[str], path: str, texts: dict[str, str] = TEXTS) -> list[str]:
    """Return the lines of the files for a document with some names."""
    return list(known(texts).around(names, path, texts.get))


def test_likely_files_come_first() -> None:
    """A file with a rare name comes first, then those in the same folder; the document itself is left out."""
    assert lines({"log", "cart"}, "/b/new.py") == [
        "cart.pay(euros)",
        "log.debug(2)",
        "log.info(3)",
        "log.debug(1)",
    ]
    assert lines({"log"}, "/b/common.py") == ["log.debug(1)"]
    assert lines({"other"}, "/b/new.py") == []


def test_no_name_takes_all_the_room() -> None:
    """Of a name that is used everywhere a part of the lines is enough; lines with another name come nevertheless."""
    texts = {"/a.py": "log.debug(1)\n" * 500 + "log.info(cart.total)\n"}
    found = lines({"log", "cart"}, "/b.py", texts)
    assert len(found) == MOST_LINES + 1
    assert found[-1] == "log.info(cart.total)"


def test_files_that_may_not_be_read_any_more_have_no_lines() -> None:
    """A file is asked for when its lines are wanted; one that is forgotten is not even asked for."""
    uses = known(TEXTS)
    assert uses.around({"cart"}, "/b/new.py", lambda _: None) == ()
    uses = known(TEXTS)
    uses.note("/a/rare.py", None)
    assert uses.around({"cart"}, "/b/new.py", TEXTS.get) == ()


def test_a_changed_file_is_read_again() -> None:
    """The names and lines that a file had before are forgotten."""
    texts = dict(TEXTS)
    uses = known(texts)
    assert uses.around({"cart"}, "/b/new.py", texts.get) == ("cart.pay(euros)",)
    texts["/a/rare.py"] = "cart.add(2)\n"
    uses.note("/a/rare.py", texts["/a/rare.py"])
    assert uses.around({"cart"}, "/b/new.py", texts.get) == ("cart.add(2)",)
    uses.note("/a/rare.py", "x = 1\n")
    assert uses.around({"cart"}, "/b/new.py", texts.get) == ()


def test_keys_and_tables_are_no_lines() -> None:
    """A line with a key, and one that is too long to be written by hand, is left out."""
    key = "ghp_" + "a1B2" * 9
    text = f"client.login('{key}')\nclient.call({', '.join(['12345'] * 40)})\nclient.call(1)\n"
    assert using_lines(text) == [UsingLine("client.call(1)", frozenset({"client"}))]


def test_names_that_are_something_else_in_every_class_say_nothing() -> None:
    """`self` and its like are no names whose uses are looked for."""
    assert using_lines("self.total(2)\nthis.total()\n") == []
    assert wanted_names("self.total = cart.total", ["Euro"]) == {"cart", "Euro"}
    assert members_in(["self.cart.add(1)", "order?.items.map(x)", "cart:sum(1)"]) == {
        "order": {"items": 1},
        "cart": {"sum": 1},
    }
