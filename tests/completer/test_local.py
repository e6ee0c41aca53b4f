"""The real completer: engine and decoder, with a model that follows a script."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from itertools import pairwise

import pytest
from tests.decoding.scripted_proposer import ScriptedProposer, writes

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.local import LocalCompleter
from dovetail.decoding.completion import Stop
from dovetail.lsp.documents import OpenDocument
from dovetail.model.error import ModelError
from dovetail.settings import Settings

ARRAY = '{"prices": [1.5, '
WAITING = CancelToken()


def loaded(settings: Settings | None = None, wanted: bytes = b"2.5]") -> LocalCompleter:
    proposer = ScriptedProposer(extra=[wanted], rank=writes(wanted))
    completions = LocalCompleter(lambda *_: proposer)
    # However busy the machine is, no answer here is one that time has cut short.
    assert completions.load(replace(settings or Settings(min_characters=1), time_limit=600.0)).complaint is None
    return completions


def complete(
    completions: LocalCompleter, data: OpenDocument, offset: int, cancellation: CancelToken = WAITING
) -> str | None:
    answer = completions.complete(data, offset, cancellation)
    assert len(answer.texts) <= 1
    assert answer.reason
    return answer.texts[0] if answer.texts else None


def document(text: str, *, language: str = "json", uri: str = "file:///a/data.json") -> OpenDocument:
    return OpenDocument(uri, language, 1, text)


def test_what_the_model_writes_is_offered_if_it_fits() -> None:
    """The completion is the model's text where that makes a program."""
    text = complete(loaded(), document(ARRAY + "}"), len(ARRAY))

    assert text == "2.5]"


def test_several_are_offered_where_they_were_asked_for() -> None:
    """All of several candidates fit and differ, short ones are among them, and there are as many as was set."""
    completions = loaded(Settings(candidates=2, min_characters=5))

    found = completions.candidates(document(ARRAY + "}"), len(ARRAY), WAITING).texts

    assert found[0] == "2.5]"
    assert len(set(found)) == 2
    for text in found:
        json.loads(f"{ARRAY}{text}}}")


def test_python_is_completed_for_the_target_of_the_settings() -> None:
    """A form that is newer than the target is not offered, though the model wants it."""
    text = "def f(a):\n    with "
    right = ":\n        pass\n"
    wanted = b"(open(a) as b, open(a) as c)"
    old, new = (
        complete(
            loaded(Settings(min_characters=1, trigger="eager", target_versions={"python": version}), wanted),
            document(text + right, language="python"),
            len(text),
        )
        for version in ("3.8", "3.9")
    )

    assert new == wanted.decode()
    assert old != new
    assert old is not None
    ast.parse(text + old + right)


def test_elements_are_completed_in_files_of_javascript() -> None:
    """A document that gets a sign of elements is read as JSX from then on, and one that loses it as JavaScript."""
    completions = loaded(Settings(min_characters=1, trigger="eager"), b"items.length}</p>;")
    uri, begun, rest = "file:///a/card.js", "function Card({ items }) {\n  return ", ";\n}\n"
    plain = document(begun + "items" + rest, language="javascript", uri=uri)
    with_element = document(begun + "<p>{" + "\n}\n", language="javascript", uri=uri)
    signed = document("import React from 'react';\n" + with_element.text, language="javascript", uri=uri)

    assert completions.explain(plain, len(begun)).viable
    text = complete(completions, signed, len(signed.text) - len("\n}\n"))

    assert text == "items.length}</p>;"
    assert completions.explain(document(plain.text, language="javascript", uri=uri), len(begun)).viable


def test_a_document_that_imports_is_completed_as_a_module() -> None:
    """`return` outside of functions is offered in a script, and no more once a line imports something."""
    completions = loaded(Settings(min_characters=1, trigger="eager"), b"return 1;")
    uri, script = "file:///a/run.js", "run();\n"
    module = f"import {{ run }} from './run.js';\n{script}"
    completions.prepare(document(script, language="javascript", uri=uri))

    assert complete(completions, document(script, language="javascript", uri=uri), len(script)) == "return 1;"
    assert "return" not in (complete(completions, document(module, language="javascript", uri=uri), len(module)) or "")


@pytest.mark.parametrize("trigger", ["balanced", "manual", "eager"])
def test_inside_a_word_nothing_is_offered_unasked(trigger: str) -> None:
    """Text between the two parts of a word would tear it; by hand that is offered which leaves whole words."""
    settings = Settings(min_characters=1, trigger=trigger)
    completions, tearing = loaded(settings, b"tur, re"), loaded(settings, b"n, b")
    torn = document("retur = 1\nprint(retur)\n", language="python")
    place = torn.text.index("tur)")

    answer = completions.complete(torn, place, CancelToken())
    by_hand = completions.candidates(torn, place, CancelToken())

    assert (answer.texts, answer.reason) == ((), "there are letters on both sides of the cursor")
    assert by_hand.texts == ("tur, re",)
    assert tearing.candidates(torn, place, CancelToken()).reason == answer.reason


@pytest.mark.parametrize(("trigger", "offered"), [("balanced", False), ("eager", True)])
def test_an_unlikely_text_is_offered_to_the_eager(trigger: str, offered: bool) -> None:
    """A text that is unlikely to be accepted is kept back while the user types, and the answer names the rule."""
    proposer = ScriptedProposer([b"value"], writes(b"value"), chances=dict.fromkeys(range(8), 0.1))
    completions = LocalCompleter(lambda *_: proposer)
    completions.load(Settings(trigger=trigger, time_limit=600.0))
    called = document("x = f()\n", language="python")
    place = called.text.index(")")

    answer = completions.complete(called, place, CancelToken())
    by_hand = completions.candidates(called, place, CancelToken())

    assert (answer.texts != ()) == offered
    assert offered or answer.reason == "the model is not sure enough of its text"
    assert by_hand.texts != ()


def test_an_edited_document_is_completed_as_a_new_one() -> None:
    """The answer depends on the present text alone, whatever was asked before."""
    texts = ["[1, ", "[1, [2, ", '{"a": [2, ', '{"b": "\u2028", "a": [2, ', "[", "[1, "]
    kept = loaded()

    for before, after in pairwise(texts):
        complete(kept, document(before), len(before))
        answer = complete(kept, document(after), len(after))

        assert answer is not None
        assert answer == complete(loaded(), document(after), len(after))
        json.loads(after + answer)


def test_more_documents_than_are_kept_are_completed() -> None:
    """With any number of documents open, each gets its own completion."""
    completions = loaded()

    for number in [*range(20), 0]:
        data = document(ARRAY + "}", uri=f"file:///{number}.json")
        assert complete(completions, data, len(ARRAY)) == "2.5]"


def test_typing_into_another_candidate_goes_on_in_it() -> None:
    """The rest of the text that was taken in part is known, if there were several; at the same place the best is."""
    completions = loaded()
    best, other = completions.candidates(document(ARRAY + "}"), len(ARRAY), WAITING).texts[:2]
    shared = next(at for at in range(len(other)) if other[: at + 1] != best[: at + 1])

    same = completions.recall(document(ARRAY + "}"), len(ARRAY))
    typed = ARRAY + other[: shared + 1]
    rest = completions.recall(document(typed + "}"), len(typed))

    assert same.texts == (best,)
    assert rest.texts == (other[shared + 1 :],)


def test_an_answer_says_what_it_took() -> None:
    """The tokens of the model are counted where it was asked, those of all candidates together, and nothing else."""
    completions = loaded(Settings(min_characters=1, candidates=2))

    one = completions.complete(document(ARRAY + "}"), len(ARRAY), WAITING).work
    again = completions.complete(document(ARRAY + "}"), len(ARRAY), WAITING).work
    several = completions.candidates(document(ARRAY + "}"), len(ARRAY), WAITING).work

    assert one is not None
    assert several is not None
    assert again is None
    assert 1 <= one.tokens < several.tokens


def test_a_cancelled_completion_offers_nothing() -> None:
    """The token of whoever asks reaches the decoder."""
    cancelled = CancelToken()
    cancelled.cancel()

    assert complete(loaded(), document(ARRAY + "}"), len(ARRAY), cancelled) is None


def test_where_nothing_fits_nothing_is_offered() -> None:
    """A document that no insertion at this place makes a program has no completion, and the reason says so."""
    answer = loaded().complete(document("} {"), 1, WAITING)

    assert answer.texts == ()
    assert answer.reason == Stop.NOT_VIABLE.value


def test_what_is_typed_into_a_completion_is_remembered() -> None:
    """The rest of a completion is known without the model; what the user never saw is not."""
    completions = loaded()
    assert completions.recall(document(ARRAY + "}"), len(ARRAY)).texts == ()
    complete(completions, document(ARRAY + "}"), len(ARRAY))

    known = completions.recall(document(ARRAY + "2.}"), len(ARRAY) + 2)

    assert known.texts == ("5]",)
    assert completions.recall(document(ARRAY + "3}"), len(ARRAY) + 1).texts == ()


def test_where_there_is_no_grammar_the_model_alone_decides() -> None:
    """With the setting a line is what the model wrote, marked as unchecked; remembered it is no less so."""
    completions = loaded(Settings(min_characters=1, unchecked=True), b" 1, 2]) (\n")
    fortran = document("print *, \nend\n", language="fortran", uri="file:///p.f90")

    answer = completions.complete(fortran, 8, WAITING)
    again = completions.complete(fortran, 8, WAITING)

    assert answer.texts == again.texts == (" 1, 2]) (",)
    assert answer.unchecked
    assert again.unchecked
    assert again.work is None
    assert completions.read_on(fortran, 8)


def test_with_a_grammar_answers_are_checked() -> None:
    """The setting changes nothing where there is one."""
    completions = loaded(Settings(min_characters=1, unchecked=True))

    answer = completions.complete(document(ARRAY + "}"), len(ARRAY), WAITING)

    assert (answer.texts, answer.unchecked) == (("2.5]",), False)


def test_a_language_is_prepared_before_it_is_asked_for() -> None:
    """After that the tables of the language and of the model's tokens are there, whatever document comes."""
    completions = loaded()
    completions.prepare(document(ARRAY + "}"))
    completions.prepare(document("", language="python"))

    assert complete(completions, document(ARRAY + "}"), len(ARRAY)) == "2.5]"


def test_the_name_of_a_file_says_its_version_where_no_setting_does() -> None:
    """A comma may end an array where readers of such a file take one, unless a version is set."""
    strict, loose = (
        document("[1, ]", language="jsonc", uri=f"file:///a/{name}") for name in (".eslintrc.json", "tsconfig.json")
    )

    def trailing(settings: Settings) -> list[bool]:
        completions = loaded(replace(settings, min_characters=1, trigger="eager"), b"3,")
        ends = [completions.explain(data, 4).accepting for data in (strict, loose)]
        taken = [complete(completions, data, 4) == "3" for data in (strict, loose)]
        assert taken == ends  # No text ends with such a comma, but one that may goes no further.
        return ends

    assert trailing(Settings()) == [False, True]
    assert trailing(Settings(target_versions={"jsonc": "comments"})) == [False, False]
    assert trailing(Settings(target_versions={"jsonc": "trailing"})) == [True, True]


def test_an_unknown_version_leaves_the_one_before() -> None:
    """LocalCompleter go on in the version that was read until then, and explanations too."""
    completions = loaded(Settings(target_versions={"python": "3.9"}))
    text = "match x:\n    case 1:\n        "
    old = completions.explain(document(text, language="python"), len(text))

    assert completions.load(Settings(target_versions={"python": "2.7"})).complaint is not None

    assert completions.explain(document(text, language="python"), len(text)) == old
    assert completions.complete(document("x = \n", language="python"), 4, WAITING).reason


def test_an_unlikely_text_is_offered_as_an_item() -> None:
    """A text that is kept back in the line while the user types is offered in a menu, which he may have opened."""
    proposer = ScriptedProposer(extra=[b"rice"], rank=writes(b"rice"), chances={0: 0.1})
    completions = LocalCompleter(lambda *_: proposer)
    completions.load(Settings(min_characters=1, time_limit=600.0, completion_time_limit=600.0))
    program = document("x = f(p)\n", language="python")
    assert completions.complete(program, 7, WAITING).reason == Stop.UNSURE.value
    assert completions.complete(program, 7, WAITING, item=True).texts == ("rice",)


def test_without_a_model_nothing_is_offered() -> None:
    """Before the model is loaded, and if it cannot be, there is no completion."""

    def refuse(name: str | None, device: str | None) -> ScriptedProposer:
        raise ModelError(f"There is no folder {name}: name one that exists.")

    completions = LocalCompleter(refuse)

    assert completions.load(Settings(model="x")).complaint == "There is no folder x: name one that exists."
    assert completions.model is None
    assert complete(completions, document(ARRAY + "}"), len(ARRAY)) is None
    assert completions.candidates(document(ARRAY + "}"), len(ARRAY), WAITING).texts == ()


def test_the_model_is_loaded_when_another_is_named_or_it_is_wanted_anew() -> None:
    """Settings that name the same model load nothing; a model that cannot be had leaves the one before."""
    hosted: list[str | None] = []

    def host(name: str | None, device: str | None) -> ScriptedProposer:
        if name == "missing":
            raise ModelError("There is no folder missing: name one that exists.")
        hosted.append(name)
        return ScriptedProposer(extra=[b"2.5]"], rank=writes(b"2.5]"))

    completions = LocalCompleter(host)
    assert completions.load(Settings(model="a")).complaint is None
    assert completions.load(Settings(model="a", prompt_order="spm", min_characters=1)).complaint is None
    assert completions.load(Settings(model="missing", min_characters=1)).complaint is not None
    assert complete(completions, document(ARRAY + "}"), len(ARRAY)) == "2.5]"
    assert completions.load(Settings(model="a"), anew=True).complaint is None
    assert completions.load(Settings(model="b")).complaint is None

    assert hosted == ["a", "a", "b"]


def test_another_target_is_taken_while_running() -> None:
    """A document is read in the version that the newest settings name."""
    completions = loaded(Settings(target_versions={"python": "3.9"}))
    text = "match x:\n    case 1:\n        "
    old = completions.explain(document(text, language="python"), len(text))

    assert completions.load(Settings(target_versions={"python": "3.10"})).complaint is None
    new = completions.explain(document(text, language="python"), len(text))

    assert old != new
    assert (new.viable, new.ignored) == (True, ())


def test_an_unknown_version_is_said_when_loading() -> None:
    """A target that the grammar does not know gives a sentence, not an exception while typing."""
    completions = LocalCompleter(lambda *_: ScriptedProposer())

    complaint = completions.load(Settings(target_versions={"python": "2.7"})).complaint

    assert complaint is not None
    assert "2.7" in complaint
