"""Languages built upon others: what a layer has from its bases, what it changes, and what it may not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.grammar.facts import read_facts
from dovetail.grammar.language_cache import cache_file, read_language
from dovetail.grammar.layers import read_header, read_layers

if TYPE_CHECKING:
    from pathlib import Path

SUMS = """
start: list{sum}
list{one}: one | list{one} "," one
sum: term | sum "+" term
term: NUMBER -> since_2
    | "(" sum ")"
    | old -> before_2
old: "old"
NUMBER: /[0-9]+/
BLANKS: / +/
"""
SUMS_TOML = """
title = "Sums"
extensions = [".sum"]
versions = ["1", "2"]
comment = "#"

[groups]
operands = ["NUMBER", "old"]

[[modes]]
name = "operand"
terminals = ["operands", "("]
ignore = ["BLANKS"]
push = { "(" = "operand" }
back = { "(" = "operator" }
switch = { operands = "operator" }

[[modes]]
name = "operator"
terminals = ["+", ",", ")"]
ignore = ["BLANKS"]
pop = [")"]
switch = { "+" = "operand", "," = "operand" }
"""
NAMES = """
%extend term: NAME
%override list{one}: one | list{one} ";" one
NAME: /[a-z]+/
COMMA: ","
"""
NAMES_TOML = """
base = "sums"

[groups]
operands = ["operands", "NAME"]

[[modes]]
extend = "operator"
without = [","]
with = [";"]
switch = { ";" = "operand" }
"""
INDEXES_TOML = """
base = "sums"

[[modes]]
extend = ["operand", "operator"]
with = ["["]
push = { "[" = "operand" }
back = { "[" = "operator" }

[[modes]]
extend = "operator"
with = ["]"]
pop = ["]"]
"""
INDEXES = """
%extend term: term "[" sum "]"
"""


def write(folder: Path, name: str, grammar: str, description: str) -> Path:
    """Write the two files of a language; return its grammar's path."""
    path = folder / f"{name}.lark"
    path.write_text(grammar, encoding="utf-8")
    path.with_suffix(".toml").write_text(description, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the language `sums`."""
    write(tmp_path, "sums", SUMS, SUMS_TOML)
    return tmp_path


def refused(path: Path) -> str:
    """Return the message with which a language is refused."""
    with pytest.raises(dovetail.GrammarError) as error:
        dovetail.load_language(path)
    return str(error.value)


def test_a_layer_extends_and_overrides_rules_templates_groups_and_modes(folder: Path) -> None:
    """All that the layer does not name is as in the base, and the base stays as it is."""
    base = dovetail.load_language(folder / "sums.lark")
    layer = dovetail.load_language(write(folder, "names", NAMES, NAMES_TOML))

    assert [base.accepts(text) for text in ("(1 + 2), 3", "1; a")] == [True, False]
    assert [layer.accepts(text) for text in ("(1 + a); b", "1, a", "1 a")] == [True, False, False]


def test_several_layers_are_put_together(folder: Path) -> None:
    """A base that two layers share stands once, below both."""
    write(folder, "names", NAMES, NAMES_TOML)
    write(folder, "indexes", INDEXES, INDEXES_TOML)
    both = dovetail.load_language(write(folder, "both", "", 'base = ["names", "indexes"]\n'))

    assert [path.stem for path in read_layers(folder / "both.toml").grammars] == ["sums", "names", "indexes", "both"]
    assert both.accepts("a[1 + b]; 2")
    assert not both.accepts("a[1 + b], 2")


def test_facts_of_a_base(folder: Path) -> None:
    """The comment sign and the versions are those of the base, unlike the title and the endings of files."""
    path = write(folder, "names", NAMES, NAMES_TOML)
    facts = read_facts(path.with_suffix(".toml"), read_header(path.with_suffix(".toml")))

    assert (facts.comment, facts.versions) == ("#", ("1", "2"))
    assert (facts.title, facts.extensions) == ("names", ())
    assert dovetail.load_language(path, "1").accepts("old")
    assert not dovetail.load_language(path, "2").accepts("old")


@pytest.mark.parametrize("version", ["A", "B"])
def test_a_layer_with_versions_of_its_own_is_built_upon_the_newest(folder: Path, version: str) -> None:
    """All that the newest version of the base has is there in every version of the layer, and nothing else is."""
    own = 'versions = ["A", "B"]\nsince = { NAME = "B" }\n'
    layer = dovetail.load_language(write(folder, "names", NAMES, own + NAMES_TOML), version)

    assert layer.accepts("1")
    assert not layer.accepts("old")
    assert layer.accepts("a") == (version == "B")


def test_a_version_drops_a_terminal_of_the_base(folder: Path) -> None:
    """A terminal that the base dropped is in no version of a layer that has others."""
    write(folder, "sums", SUMS.replace("-> before_2", ""), SUMS_TOML + '\n[before]\nold = "2"\n')
    layer = dovetail.load_language(write(folder, "names", NAMES, 'versions = ["A"]\n' + NAMES_TOML))

    assert layer.accepts("old; older")


def test_a_layer_has_no_newer_forms_of_its_base(folder: Path) -> None:
    """A layer that has other versions than its base says of no form that it is new in one of the base's."""
    newer = '\n[[mistakes.newer]]\nversion = "2"\nwords = "`-` needs"\npattern = "-"\n'
    write(folder, "sums", SUMS, SUMS_TOML + newer)
    layer = dovetail.load_language(write(folder, "names", NAMES, 'versions = ["A"]\n' + NAMES_TOML))

    assert dovetail.load_language(folder / "sums.lark").machine.compiled.mistakes.newer
    assert not layer.machine.compiled.mistakes.newer


def test_a_layer_without_versions_is_built_upon_the_newest(folder: Path) -> None:
    """An empty list of versions: the layer has what the newest version of the base has, and no target."""
    write(folder, "sums", SUMS.replace("-> before_2", ""), SUMS_TOML + '\n[before]\nold = "2"\n')
    layer = write(folder, "names", NAMES, "versions = []\n" + NAMES_TOML)

    compiled = dovetail.load_language(layer).machine.compiled
    assert dovetail.load_language(layer).accepts("1; old")
    assert "OLD" not in compiled.productions.names
    with pytest.raises(dovetail.GrammarError, match="known are none"):
        dovetail.load_language(layer, "1")


def test_the_cache_forgets_a_language_whose_base_changed(folder: Path) -> None:
    """A change of a base's grammar or description is seen, and so is a description that appears."""
    path = write(folder, "names", NAMES, NAMES_TOML)
    assert not dovetail.load_language(path).accepts("1 - 1")
    assert read_language(cache_file(path, None)) is not None

    write(folder, "sums", SUMS.replace('"+"', '"-"'), SUMS_TOML.replace('"+"', '"-"'))
    assert read_language(cache_file(path, None)) is None
    assert dovetail.load_language(path).accepts("1 - 1")


def test_a_base_may_be_a_language_of_dovetail(folder: Path) -> None:
    """A language beside the layer goes before one that comes with Dovetail."""
    layer = write(folder, "more", '%extend value: "undefined"\n', 'base = "json"\n')

    assert dovetail.load_language(layer).accepts("[undefined, 1]")


def test_messages_name_the_file_of_the_layer_that_is_wrong(folder: Path) -> None:
    """A rule of the base is said to be there, one of the layer to be here."""
    layer = write(folder, "names", NAMES.replace('";" one', '";" "" one'), NAMES_TOML)
    assert refused(layer).startswith(f"{layer}")

    write(folder, "sums", SUMS + "endless: endless NUMBER\n%extend term: endless\n", SUMS_TOML)
    assert f"{folder / 'sums.lark'}:11: `endless` derives no text" in refused(write(folder, "names", NAMES, NAMES_TOML))


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ('base = "summs"', "the base `summs` is unknown; name a language of Dovetail, or put summs.lark beside"),
        ('base = "names"', "`names` is built upon this language; take one of the two out of `base`"),
        ("base = 3", "`base` is 3; write the name of a language, or a list of names"),
        ('base = "sums"\nlabels = "case"', "`labels` is 'case'; write a list"),
        ('base = "sums"\ngroups = ["x"]', "`groups` is ['x']; write a table"),
        ('base = "sums"\n[[modes]]\nextend = "operands"', "`extend` names the mode `operands`, which is not above it"),
        ('base = "sums"\n[[modes]]\nextend = "operand"\nterminals = []', "unknown key in [[modes]] with `extend`: ter"),
        ('base = "sums"\n[[modes]]\nname = "operand"', "defined twice; give one of them another name, or write `exte"),
        ('base = "sums"\n[[modes]]\nextend = "operand"\nwith = ["ÑAME"]', "unknown terminal `ÑAME`"),
    ],
)
def test_mistakes(folder: Path, description: str, message: str) -> None:
    """Each mistake of a layer's description is told with its file and its remedy."""
    path = write(folder, "names", "", description + "\n")

    assert message in refused(path)
    assert str(path.with_suffix(".toml")) in refused(path)


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ("%extend temr: NUMBER", "Can't extend rule temr as it wasn't defined before"),
        ("%override temr: NUMBER", "Cannot override a nonexisting rule temr"),
        ("term: NUMBER", "Rule 'term' defined more than once"),
        ("%extend list{other}: other", "Cannot extend rule with different parameters: list"),
    ],
)
def test_mistakes_of_the_grammar(folder: Path, grammar: str, message: str) -> None:
    """Lark's own messages tell them, with the file of the layer."""
    path = write(folder, "names", grammar + "\n", 'base = "sums"\n')

    assert message in refused(path)
    assert str(path) in refused(path)
