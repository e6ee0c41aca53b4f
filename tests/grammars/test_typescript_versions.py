"""The versions of TypeScript: each form is read since the version that brought it, and not before."""

from __future__ import annotations

import pytest
from tests.languages import shared_language
from tests.oracles.javascript.parsers import verdicts

import dovetail
from dovetail.grammar.library import languages

LANGUAGES = {"typescript": "ts", "typescriptreact": "tsx"}
VERSIONS = languages()["typescript"].versions
TRIED = ("4.9", "5.2")
"""Versions that every run tries beside the newest; the tables of the others are built only for the long runs."""
FORMS = [
    ("let a = b satisfies C", "4.9"),
    ("type A<in out T> = T", "4.9"),
    ("import defer, { source } from 'b'", "4.9"),
    ("class A<const T> {}", "5.0"),
    ("function f<const T>(a: T) {}", "5.0"),
    ("interface A { a: <const T, U>(a: T) => void }", "5.0"),
    ("export type * from 'a'", "5.0"),
    ("export type * as a from 'b'", "5.0"),
    ("export default @a class {}", "5.0"),
    ("{ using a = b }", "5.2"),
    ("{ await using a = b, c = d }", "5.2"),
    ("for (using a of b) {}", "5.2"),
    ("using a: B = c", "5.2"),
    ("import a from 'b' with { type: 'json' }", "5.3"),
    ("export * from 'a' with { type: 'json' }", "5.3"),
    ("type A = import('b', { with: { 'resolution-mode': 'import' } }).C", "5.3"),
    ("import { 'a' as b } from 'c'", "5.6"),
    ("export { a as 'b' } from 'c'", "5.6"),
    ("export * as 'a' from 'b'", "5.6"),
    ("type A = import('b', { with: { c: 'd' }, })", "5.9"),
    ("import 'a'\nwith { type: 'json' }", "6.0"),
]
SPLIT = [
    ("class A { accessor b = 1; static accessor c }", "4.9"),
    ("import a from 'b' assert { type: 'json' }\nexport { c } from 'd' assert { 'e': 'f', g: 'h' };", "4.9"),
    ("export @a class B {}", "5.0"),
    ("import defer * as a from 'b'", "5.9"),
]
"""Forms that the compiler reads and Babel, as it is asked, does not."""


def language(name: str, version: str) -> dovetail.Language:
    return shared_language(name, version)


def expected(first: str, version: str) -> bool:
    return VERSIONS.index(first) <= VERSIONS.index(version)


def check(name: str, version: str) -> None:
    read = {text: language(name, version).accepts(text) for text, _ in FORMS + SPLIT}

    assert read == {text: expected(first, version) for text, first in FORMS + SPLIT}


@pytest.mark.parametrize("version", [*TRIED, VERSIONS[-1]])
def test_a_form_is_read_since_its_version(version: str) -> None:
    """A target reads the forms of its version and of those before, and refuses younger ones."""
    check("typescript", version)


@pytest.mark.long
@pytest.mark.parametrize("version", [version for version in VERSIONS[:-1] if version not in TRIED])
def test_a_form_is_read_since_its_version_in_every_other_version(version: str) -> None:
    """The same of the versions between."""
    check("typescript", version)


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS)
def test_a_form_is_read_since_its_version_beside_elements(version: str) -> None:
    """The same of TypeScript with JSX."""
    check("typescriptreact", version)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_forms_are_as_old_as_the_parsers_say(version: str) -> None:
    """The parsers of a version accept the forms up to it, and the compiler's no younger one."""
    judged = verdicts(f"ts {version}", [text for text, _ in FORMS])
    found = {text: verdict.accepted is True for (text, _), verdict in zip(FORMS, judged, strict=True)}

    assert found == {text: expected(first, version) for text, first in FORMS}


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_newest_version_is_the_default(name: str) -> None:
    """Without a target all that the newest compiler reads is read."""
    assert languages()[name].versions == VERSIONS
    assert dovetail.load_language(name).accepts("import 'a'\nwith { type: 'json' }")
    assert not dovetail.load_language(name).accepts("export * from 'a'\nwith {}")
