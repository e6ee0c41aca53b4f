"""`dovetail grammar`: what it says of a grammar, and the texts that it derives."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.oracles import arithmetic, indented, statements, template

import dovetail
from dovetail.__main__ import main
from dovetail.closing.derivation import Derivations
from dovetail.commands.grammar import derive

if TYPE_CHECKING:
    from collections.abc import Callable

EXHAUSTIVE = Path(__file__).parents[1] / "exhaustive"
AMBIGUOUS = """
start: sum
sum: sum "+" sum | WORD | "if"
WORD: /[a-z]+/
"""


def test_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An ambiguity is shown with both items and an example, a keyword with the name that it hides in part."""
    path = tmp_path / "sums.lark"
    path.write_text(AMBIGUOUS, encoding="utf-8")
    assert main(["grammar", str(path)]) == 0
    printed = capsys.readouterr().out

    assert "5 productions of 3 symbols, 4 terminals" in printed
    assert 'before "+"' in printed
    assert '    sum: sum "+" sum ·\n' in printed
    assert '    sum: sum · "+" sum\n' in printed
    assert "after 'x+x'" in printed
    assert "WORD: IF ('if')" in printed
    assert "from the cache" in printed


def test_a_grammar_without_conflicts(capsys: pytest.CaptureFixture[str]) -> None:
    """A language that is known may be named, and `conflicts: 0` is said as well."""
    assert main(["grammar", "json"]) == 0
    printed = capsys.readouterr().out

    assert printed.startswith("json\n")
    assert "conflicts: 0" in printed


def test_a_wrong_grammar_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2, and the message names the place."""
    path = tmp_path / "wrong.lark"
    path.write_text("start: (", encoding="utf-8")

    assert main(["grammar", str(path)]) == 2
    assert "wrong.lark" in capsys.readouterr().err


def test_texts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--derive` prints texts and nothing else, the same ones for the same seed."""
    outputs = []
    for seed in ("1", "1", "2"):
        assert main(["grammar", str(EXHAUSTIVE / "template.lark"), "--derive", "5", "--seed", seed]) == 0
        outputs.append(capsys.readouterr().out)

    assert outputs[0] == outputs[1] != outputs[2]
    assert all(template.accepts(text.strip("\n")) for text in outputs[0].split("\n\n") if text)


@pytest.mark.parametrize(
    ("name", "accepts"),
    [
        ("arithmetic", arithmetic.accepts),
        ("template", template.accepts),
        ("statements", statements.accepts),
        ("indented", indented.accepts),
    ],
)
def test_derived_texts_are_of_the_language(name: str, accepts: Callable[[str], bool]) -> None:
    """The reference reader accepts every derived text, and they are of many kinds."""
    language = dovetail.load_language(EXHAUSTIVE / f"{name}.lark")
    machine = language.machine
    derivations = Derivations(machine.compiled, machine.spelling, machine.yields, Random(1))
    texts = derive(language, derivations, 100, 12)
    wrong = [text for text in texts if not accepts(text)]

    assert wrong == []
    assert len(set(texts)) > 20
