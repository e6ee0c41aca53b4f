"""The probe of a model's form, with fakes that know one form; `tests/model/test_known_form.py` trains real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.decoding.scripted_proposer import ScriptedGeneration, ScriptedProposer, writes
from tests.decoding.test_formats import PUBLISHED

from dovetail.decoding.formats import LEFT_ONLY, forms_for
from dovetail.decoding.probing import PLACES, choose, probe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.formats import PromptForm


class KnowsOneForm(ScriptedProposer):
    """Writes the middle of a place where it is asked in its form, and `?` elsewhere."""

    def __init__(self, specials: Sequence[str], form: PromptForm) -> None:
        super().__init__(specials=specials)
        self._middles = {tuple(self.written(form, place)): place.middle for place in PLACES}

    def written(self, form: PromptForm, place: tuple[str, str, str]) -> list[int]:
        """Return the prompt of a place, spelt out by hand: texts by their names, special tokens by their numbers."""
        left, _, right = place
        texts = {"left": left, "right": right}
        tokens: list[int] = []
        for part in form.parts:
            if isinstance(part, str):
                tokens.append(self.vocabulary.specials[part])
            else:
                tokens += self.encode(texts[part.value] if hasattr(part, "value") else part.text)
        return tokens

    def begin(self, prompt: Sequence[int], document: str | None = None) -> ScriptedGeneration:
        """Return the text that it would write."""
        middle = self._middles.get(tuple(prompt), "????????????????")
        self._rank = writes(*(bytes([byte]) for byte in middle.encode()))
        return super().begin(prompt, document)


@pytest.mark.parametrize("model", PUBLISHED)
def test_each_form_is_found(model: str) -> None:
    """The probe finds whichever form a model knows of those that its tokens allow; the left text alone too."""
    specials, _, _ = PUBLISHED[model]
    forms = forms_for({mark: place for place, mark in enumerate(specials)})
    assert forms[-1].format.name == LEFT_ONLY

    for form in forms:
        proposer = KnowsOneForm(specials, form)
        measured = probe(proposer, [other for other in forms if plain(other)])
        assert choose([other for other in forms if plain(other)], measured) == form or not plain(form)


def plain(form: PromptForm) -> bool:
    """Return whether a form has no words whose fields a probe does not know."""
    return not any("{" in getattr(part, "text", "") for part in form.parts)


def test_of_forms_that_are_as_good_the_first_is_taken() -> None:
    """Differences that may be chance decide nothing, and the text after the cursor is not given up for a little."""
    forms = forms_for({"<fim_prefix>": 0, "<fim_suffix>": 1, "<fim_middle>": 2})

    assert choose(forms, [-2.0, -1.95, -1.95, -1.8]) == forms[0]
    assert choose(forms, [-2.0, -1.5, -1.9, -1.3]) == forms[1]
    assert choose(forms, [-2.0, -2.0, -2.0, -1.6]) == forms[3]
