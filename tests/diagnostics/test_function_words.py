"""Words that stand only in functions of one kind: every form of a function, alone and in another one."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pytest
from tests.languages import shared_language
from tests.oracles.javascript.parsers import verdicts


class Form(NamedTuple):
    """A form of a function as an expression: `BODY` stands for a statement in it, or for the value that it returns."""

    text: str
    is_async: bool = False
    is_generator: bool = False


FORMS = [
    Form("function () { BODY }"),
    Form("async function () { BODY }", is_async=True),
    Form("function* () { BODY }", is_generator=True),
    Form("async function* named(a, { b } = {}) { BODY }", is_async=True, is_generator=True),
    Form("a => (BODY)"),
    Form("(a, ...b) => { BODY }"),
    Form("async a => (BODY)", is_async=True),
    Form("async (a = () => 1) => { if (a) { BODY } }", is_async=True),
    Form("{ m(a) { BODY } }"),
    Form("{ async m() { BODY } }", is_async=True),
    Form("{ *m() { BODY } }", is_generator=True),
    Form("{ async *'m'() { try { BODY } finally { a } } }", is_async=True, is_generator=True),
    Form("{ get m() { BODY } }"),
    Form("{ set m(a) { BODY } }"),
    Form("class { m() { BODY } }"),
    Form("class { static async m() { BODY } }", is_async=True),
    Form("class { *[a]() { BODY } }", is_generator=True),
    Form("class { get m() { BODY } }"),
    Form("class { async() { BODY } }"),
]
TYPED = [
    Form("function <T>(a: T): void { BODY }"),
    Form("async function <T>(a: T): Promise<void> { BODY }", is_async=True),
    Form("(a: string, b?: { c: 1 }): string => { BODY }"),
    Form("async (a: string): Promise<Array<string>> => (BODY)", is_async=True),
    Form("class { private async m<T>(this: T): Promise<T> { BODY } }", is_async=True),
    Form("class { protected override m(): void { BODY } }"),
    Form("class { constructor(private a: string) { BODY } }"),
]
WORDS = {"await": "await a", "yield": "yield a"}


def texts(forms: list[Form]) -> list[tuple[str, bool]]:
    """Return programs with such a word, each with whether it stands in a function of its kind."""
    found = []
    for word, (outer, inner) in product(WORDS, product([None, *forms], forms)):
        body = inner.text.replace("BODY", WORDS[word])
        body = f"({body})" if outer is None else outer.text.replace("BODY", f"(b = {body})")
        found.append((f"let x = {body};\n", inner.is_async if word == "await" else inner.is_generator))
    return found


@pytest.mark.parametrize(("name", "forms"), [("javascript", FORMS), ("typescript", FORMS + TYPED)])
def test_the_innermost_function_decides(name: str, forms: list[Form]) -> None:
    """A word is reported once, where it stands, if the innermost function is of another kind, and never otherwise.

    A method called `async` is the one that is let be: its head looks like that of an asynchronous function.
    """
    language = shared_language(name)
    for text, allowed in texts(forms):
        assert language.accepts(text), text
        faults = language.errors(text)
        if "class { async()" in text:
            assert len(faults) <= (not allowed), text
        elif allowed:
            assert faults == [], text
        else:
            (fault,) = faults
            assert text.startswith(("await a", "yield a"), fault.reported.offset), text


@pytest.mark.parametrize(("name", "forms"), [("javascript", FORMS), ("typescript", FORMS + TYPED)])
def test_a_middle_has_the_words_of_the_function_around_it(name: str, forms: list[Form]) -> None:
    """Behind the text before such a word it is refused just where the function is of another kind.

    So it is in a second statement of a file, and behind a line that does not fit. A word that is begun before the
    cursor counts, and a method called `async` is let be, as above.
    """
    language = shared_language(name)
    for text, allowed in texts(forms):
        word = WORDS["await" if "await a" in text else "yield"]
        left = text[: text.index(word)]
        if "class { async()" in text and not allowed:
            continue
        for above in ("", "f();\n", "let = (;\n"):
            judge = language.quotient(above + left, "").allowed_words(above + left)
            assert judge is not None
            assert judge.has_misplaced(word, 0) is not allowed, text
            assert not judge.has_misplaced(word, len(word)), text
            begun = language.quotient(left, "").allowed_words(left + word[:2])
            assert begun is not None
            assert begun.has_misplaced(word[2:], 0) is not allowed, text


@pytest.mark.parametrize(
    ("left", "middle"),
    [
        ("let a = ", "await b"),
        ("function f(a) {\n  const b = a.", "await"),
        ("function f(a) {\n  const b = '", "await a'"),
        ("function f(a) {\n  const b = a; // ", "await"),
        ("function f(a) {\n  const b = { ", "await: 1"),
        ("const f = (a ", "await b"),
    ],
)
def test_a_middle_may_have_what_is_no_such_word(left: str, middle: str) -> None:
    """Names, texts and comments are let be, and so are words outside of functions and behind what cannot be read."""
    judge = shared_language("javascript").quotient(left, "").allowed_words(left)

    assert judge is not None
    assert not judge.has_misplaced(middle, 0)


def test_a_language_without_such_words_has_no_judge() -> None:
    """Python's grammar leaves them to its compiler, and Go has none."""
    for name in ("python", "go"):
        assert shared_language(name).quotient("", "").allowed_words("") is None


def test_parsers_say_the_same() -> None:
    """The real parsers refuse the programs whose word is in a wrong function, and no others."""
    programs = texts(FORMS)

    found = verdicts("next module", [text for text, _ in programs])

    for (text, allowed), (accepted, message) in zip(programs, found, strict=True):
        assert accepted is allowed, (text, message)


@pytest.mark.parametrize(
    "text",
    [
        "await a;\nfor await (const b of c) { await b }\n",
        "export {};\nconst a = { await: 1, yield: 2 };\na.await = a.yield;\n",
        "function f(a) { return { await: a.await, async: a } }\n",
        "class A { static { a } await() {} yield() {} }\n",
        "const f = async (a) => {\n  // await\n  return `${await a} await`;\n};\n",
        "async function f() {\n  for await (const a of b) {\n    await a;\n  }\n}\n",
    ],
)
def test_names_and_what_stands_outside_of_functions_are_let_be(text: str) -> None:
    """Names of properties are no such words, and what stands around a text is not known."""
    assert shared_language("javascript").errors(text) == []


@pytest.mark.parametrize("text", ["yield a;\n", "if (a) {\n  b = [yield a];\n}\n"])
def test_a_generator_s_word_stands_in_no_other_place(text: str) -> None:
    """Outside of all functions it is reported as well, and parsers of modules refuse it."""
    [fault] = shared_language("javascript").errors(text)
    [(accepted, _)] = verdicts("next module", [text])

    assert fault.reported.message == "`yield` stands outside of all functions"
    assert accepted is False


@pytest.mark.parametrize(
    "text",
    [
        "function f() { g(yield); }\n",
        "const f = () => { yield; };\n",
        "a: yield\n",
        "yield /* a */;\n",
        "yield/* a\n b */\n",
        "yield /* a\n b */ c\n",
        "yield\u2028",
    ],
)
def test_a_word_alone_may_be_a_name_in_a_script(text: str) -> None:
    """Parsers of scripts accept it there, and refuse it in a module."""
    language = shared_language("javascript")
    [(accepted, _)] = verdicts("next script", [text])

    assert accepted is True
    assert language.errors(text) == []
    assert len(shared_language("javascriptmodule").errors("export {};\n" + text)) == 1


def test_the_message_says_what_to_write() -> None:
    """The head of the function is shown; an accessor and a constructor cannot be asynchronous."""
    language = shared_language("typescript")
    text = (
        "export function load(url: string): void {\n  const answer = await fetch(url);\n}\n"
        "class A {\n  get value() {\n    return await 1;\n  }\n}\n"
    )

    words = "`await` stands in a function that is not `async`"
    assert [str(fault) for fault in language.errors(text)] == [
        f"line 2, column 18: {words}; write `async function load(url: string): void` on line 1",
        f"line 6, column 12: {words}",
    ]
