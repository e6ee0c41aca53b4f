"""The editions of JavaScript: each form is read since the edition that brought it, and not before."""

from __future__ import annotations

import pytest
from tests.languages import shared_language
from tests.oracles.javascript.parsers import verdicts

import dovetail
from dovetail.grammar.library import languages

EDITIONS = languages()["javascript"].versions
TRIED = ("2015", "2018", "2021", "next")
"""Editions that every run tries; the tables of the others are built only for the long runs."""
FORMS = [
    ("let a = class { get b() { return `${c}` } }; export default (d, ...e) => [...d]", "2015"),
    ("for (const [a, b = 1] of c) ({ d, [e]: f } = g)", "2015"),
    ("function* a() { yield* b`\\n` }", "2015"),
    ("a = b.await + async(c, d) - async", "2015"),
    ("a = b ?.5 : c", "2015"),
    ("a ** b", "2016"),
    ("a **= b", "2016"),
    ("async () => await a", "2017"),
    ("async function a() {}", "2017"),
    ("a = { async b() {} }", "2017"),
    ("a(b, )", "2017"),
    ("function a(b, ) {}", "2017"),
    ("({ ...a } = b)", "2018"),
    ("a = { ...b, c }", "2018"),
    ("async function* a() { for await (b of c); }", "2018"),
    ("class A { async *b() {} }", "2018"),
    ("a`\\unicode`", "2018"),
    ("a`\\01`", "2018"),
    ("try {} catch {}", "2019"),
    ('a = "\u2028"', "2019"),
    ("a ?? b", "2020"),
    ("a?.b?.[c]?.(d)", "2020"),
    ("a = 10n + 0xFn", "2020"),
    ("import('a')", "2020"),
    ("import.meta.a", "2020"),
    ("export * as a from 'b'", "2020"),
    ("a ??= b ||= c &&= d", "2021"),
    ("a = 1_000.0_5e1_0 + 0b1_0", "2021"),
    ("class A { a; static b = c\n[d]\n}", "2022"),
    ("class A { static {} }", "2022"),
    ("class A { #a() { return #a in b } }", "2022"),
    ("let a; export { a as 'b' }", "2022"),
    ("#!/usr/bin/env node\na", "2023"),
    ("import a from 'b' with { type: 'json' }", "2025"),
    ("import('a', { with: b })", "2025"),
    ("{ using a = b }", "2026"),
    ("@a class B { @c d }", "next"),
    ("import defer * as a from 'b'", "next"),
    ("import source a from 'b'", "next"),
    ("import.source('a').b", "next"),
]


def language(edition: str) -> dovetail.Language:
    return shared_language("javascript", edition)


def expected(first: str, edition: str) -> bool:
    return EDITIONS.index(first) <= EDITIONS.index(edition)


@pytest.mark.parametrize("edition", TRIED)
def test_a_form_is_read_since_its_edition(edition: str) -> None:
    """A target reads the forms of its edition and of those before, and refuses younger ones."""
    read = {text: language(edition).accepts(text) for text, _ in FORMS}

    assert read == {text: expected(first, edition) for text, first in FORMS}


@pytest.mark.long
@pytest.mark.parametrize("edition", [edition for edition in EDITIONS if edition not in TRIED])
def test_a_form_is_read_since_its_edition_in_every_other_edition(edition: str) -> None:
    """The same of the editions between."""
    read = {text: language(edition).accepts(text) for text, _ in FORMS}

    assert read == {text: expected(first, edition) for text, first in FORMS}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_forms_are_as_old_as_the_parsers_say(edition: str) -> None:
    """The parsers of an edition accept the forms up to it, and acorn no younger one."""
    judged = verdicts(edition, [text for text, _ in FORMS])
    found = {text: verdict.accepted is True for (text, _), verdict in zip(FORMS, judged, strict=True)}

    assert found == {text: expected(first, edition) for text, first in FORMS}


def test_the_newest_edition_is_the_default() -> None:
    """Without a target decorators are read, which no edition has yet."""
    assert dovetail.load_language("javascript").accepts("@a class B {}")
