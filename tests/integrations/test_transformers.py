"""The logits processor inside the transformers library's own `generate`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LogitsProcessor, LogitsProcessorList

import dovetail
from dovetail.integrations.transformers import QuotientLogitsProcessor
from dovetail.model.hosting import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACES = [
    ("def area(width, height):\n    return width", "\n\nprint(area(2, 3))\n"),
    ("x = [item for item in range(", ")]\n"),
    ("class A:\n    def f(self):", "\n\n    def g(self):\n        return 1\n"),
    ("def h(a):\n    if a", ":\n        return 2\n    return 3\n"),
]


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target="3.11")


@pytest.fixture(name="model", scope="module")
def _model() -> Any:
    model: Any = AutoModelForCausalLM.from_pretrained(EMBEDDED)
    return model.float().eval()


@pytest.fixture(name="tokenizer", scope="module")
def _tokenizer() -> Any:
    return AutoTokenizer.from_pretrained(EMBEDDED, padding_side="left")


def prompts(tokenizer: Any, places: list[tuple[str, str]]) -> Any:
    texts = [f"<fim_prefix>{left}<fim_suffix>{right}<fim_middle>" for left, right in places]
    return tokenizer(texts, return_tensors="pt", padding=True, return_token_type_ids=False)


class Eager(LogitsProcessor):
    """Makes an end likelier: the embedded model ends late."""

    def __init__(self, end: int) -> None:
        self._end = end

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        scores[:, self._end] += 6
        return scores


WAYS: dict[str, dict[str, Any]] = {
    "greedy": {"do_sample": False},
    "sampling": {"do_sample": True, "temperature": 1.5, "top_p": 0.9},
    "beams": {"num_beams": 3, "do_sample": False},
    "several samples": {"do_sample": True, "num_return_sequences": 2},
    "sampled beams": {"num_beams": 2, "do_sample": True},
}


@pytest.mark.parametrize("places", [PLACES[:1], PLACES], ids=["one place", "a batch"])
@pytest.mark.parametrize("way", WAYS)
def test_what_is_generated_fits_its_own_place(
    way: str, places: list[tuple[str, str]], language: dovetail.Language, model: Any, tokenizer: Any
) -> None:
    """Each row's text can become a program in its own place; a row that ended is one."""
    torch.manual_seed(3)
    inputs = prompts(tokenizer, places)
    processor = QuotientLogitsProcessor(language, tokenizer, places)
    length = inputs.input_ids.shape[1]

    both = LogitsProcessorList([Eager(tokenizer.eos_token_id), processor])

    output = model.generate(**inputs, **WAYS[way], max_new_tokens=16, logits_processor=both)

    each = len(output) // len(places)
    ended = 0
    for row, tokens in enumerate(output[:, length:].tolist()):
        left, right = places[row // each]
        stop = tokens.index(tokenizer.eos_token_id) if tokenizer.eos_token_id in tokens else len(tokens)
        text = tokenizer.decode([token for token in tokens[:stop] if token != tokenizer.pad_token_id])
        state = language.quotient(left, right).start.advance(text)
        assert state is not None
        assert processor.is_program(row // each, tokens) == state.accepting
        if stop < len(tokens):
            ended += 1
            ast.parse(left + text + right)
    assert ended


def test_the_scores_that_fit_are_left_as_they_are(language: dovetail.Language, tokenizer: Any) -> None:
    """A token's score is its own if the state can be advanced by it, and minus infinity if not."""
    left, right = PLACES[1]
    processor = QuotientLogitsProcessor(language, tokenizer, [(left, right)])
    prompt = torch.zeros(1, 3, dtype=torch.long)
    size = len(tokenizer) + 40  # logits may be padded
    scores = torch.arange(float(size))[None]
    start = language.quotient(left, right).start
    written = tokenizer.encode("2", add_special_tokens=False)

    for tokens, state in (([], start), (written, start.advance("2"))):
        assert state is not None
        kept = processor(torch.cat([prompt, torch.tensor([tokens], dtype=torch.long)], dim=1), scores)[0]
        for token in range(0, size, 7):
            piece = tokenizer.decode([token]).encode() if token < len(tokenizer) else b""
            if "�".encode() in piece or token in tokenizer.all_special_ids:
                continue
            fits = bool(piece) and state.advance(piece) is not None
            assert kept[token] == (token if fits else -torch.inf), (token, piece)
        assert (kept[tokenizer.eos_token_id] == scores[0, tokenizer.eos_token_id]) == state.accepting


def test_rows_that_belong_to_no_place_are_refused(language: dovetail.Language, tokenizer: Any) -> None:
    """A batch that is no multiple of the places raises an error that says so."""
    processor = QuotientLogitsProcessor(language, tokenizer, PLACES[:2])

    with pytest.raises(ValueError, match="3 rows are not a multiple of the 2 places"):
        processor(torch.zeros(3, 1, dtype=torch.long), torch.zeros(3, len(tokenizer)))


def test_a_row_that_ended_is_left_alone(language: dovetail.Language, tokenizer: Any) -> None:
    """After its end a row's scores are the library's affair."""
    processor = QuotientLogitsProcessor(language, tokenizer, PLACES[:1])
    scores = torch.zeros(1, len(tokenizer))
    processor(torch.zeros(1, 1, dtype=torch.long), scores)

    ended = torch.tensor([[0, tokenizer.eos_token_id, tokenizer.pad_token_id]])

    assert bool((processor(ended, scores) == 0).all())


def test_a_long_row_can_be_asked_about(language: dovetail.Language, tokenizer: Any) -> None:
    """A row that ended long ago, and thousands of tokens, are looked at without recursion."""
    processor = QuotientLogitsProcessor(language, tokenizer, [("x = 1", "\n")])
    tokens = tokenizer.encode("1", add_special_tokens=False) * 3000

    assert processor.is_program(0, tokens)
    assert not processor.is_program(0, [*tokens, *tokenizer.encode("x y", add_special_tokens=False)])
