"""Engines that users would pick, beside this one on the same texts: llguidance, xgrammar and SynCode.

They know what is to the left only. SynCode brings its own grammars; the others get ours, flattened. An engine that
is not installed is left out with a notice; `peers` in pyproject.toml names them.
"""

from __future__ import annotations

import json
import logging
import os
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import platformdirs
from tests.benchmarks.flattening import Flat
from tests.benchmarks.series import Series

import dovetail
from dovetail.masking.mask import Masker
from dovetail.model.hosting import EMBEDDED
from dovetail.vocabulary.vocabulary import Vocabulary, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.benchmarks.contexts import Context

    from dovetail import Language, State

READ, ADVANCE, MASK = "read, per 1,000 characters", "advance", "mask"


class Matcher(Protocol):
    """A text that an engine follows."""

    def advance(self, token: int) -> bool:
        """Append a token; False if it is refused, or if the engine gives up."""

    def mask(self) -> object:
        """Work out which tokens may come next."""


Engine: TypeAlias = "Callable[[], Matcher]"
"""A language made ready: begins an empty text."""


class Tokens:
    """The embedded model's tokens, as each engine wants them."""

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self.text = (EMBEDDED / "tokenizer.json").read_text(encoding="utf-8")
        self.vocabulary: Vocabulary = read_vocabulary(json.loads(self.text))
        self.end = min(self.vocabulary.ends)
        self._tokenizer = Tokenizer.from_str(self.text)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def llguidance(language: Language, tokens: Tokens) -> Engine:
    """Return llguidance for our grammar."""
    from llguidance import LLMatcher, LLTokenizer

    tokenizer = LLTokenizer(tokens.text, eos_token=tokens.end)
    grammar = LLMatcher.grammar_from_lark(Flat(language).lark())

    class Follower:
        def __init__(self) -> None:
            self._matcher = LLMatcher(tokenizer, grammar)
            assert not self._matcher.is_error(), self._matcher.get_error()
            self.advance = self._matcher.consume_token
            self.mask = self._matcher.compute_bitmask

    return Follower


def xgrammar(language: Language, tokens: Tokens) -> Engine:
    """Return xgrammar for our grammar."""
    from xgrammar import (
        Grammar,
        GrammarCompiler,
        GrammarMatcher,
        TokenizerInfo,
        VocabType,
        allocate_token_bitmask,
    )

    pieces = [piece or b"" for piece in tokens.vocabulary.pieces]
    info = TokenizerInfo(pieces, vocab_type=VocabType.RAW, stop_token_ids=[tokens.end])
    compiled = GrammarCompiler(info, max_threads=1).compile_grammar(Grammar.from_ebnf(Flat(language).ebnf()))
    bits = allocate_token_bitmask(1, len(pieces))

    class Follower:
        def __init__(self) -> None:
            self._matcher = GrammarMatcher(compiled)
            self.advance = self._matcher.accept_token

        def mask(self) -> object:
            return self._matcher.fill_next_token_bitmask(bits)

    return Follower


def syncode(language: Language, tokens: Tokens) -> Engine:
    """Return SynCode with its own grammar of a language; what it works out ahead is kept between runs."""
    os.environ.setdefault("SYNCODE_CACHE", f"{platformdirs.user_cache_path('dovetail') / 'peers'}/")
    from syncode import Grammar, SyncodeLogitsProcessor

    logging.disable(logging.WARNING)  # it tells of each step
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(EMBEDDED), local_files_only=True)
    processor: Any = SyncodeLogitsProcessor(Grammar(language.name), tokenizer, parse_output_only=False, dev_mode=True)
    constrainer = processor.grammar_engine

    class Follower:
        def __init__(self) -> None:
            constrainer.reset()
            self._text = b""
            self._found: Any = None

        def advance(self, token: int) -> bool:
            self._text += tokens.vocabulary.pieces[token] or b""
            return True

        def mask(self) -> object:
            found = constrainer.inc_parser.get_acceptable_next_terminals(self._text.decode())
            found.remainder = found.remainder.encode()
            return constrainer.dfa_mask_store.get_accept_mask(found)

    return Follower


class Ours:
    """Our own engine, asked the same questions; `right` is what it has to fit as well."""

    def __init__(self, language: Language, masker: Masker, right: str) -> None:
        self._language = language
        self._masker = masker
        self._pieces = masker.vocabulary.pieces
        self._right = right
        self._state: State | None = None

    def read(self, left: str) -> None:
        """Read the left text, and the right one."""
        self._state = self._language.quotient(left, self._right).start

    def advance(self, token: int) -> bool:
        """Append a token; False if it is refused."""
        assert self._state is not None
        piece = self._pieces[token]
        assert piece is not None
        after = self._state.advance(piece)
        self._state = after or self._state
        return after is not None

    def mask(self) -> object:
        """Work out which tokens may come next."""
        assert self._state is not None
        return self._masker.mask(self._state)


PEERS: dict[str, Callable[[Language, Tokens], Engine]] = {
    "llguidance": llguidance,
    "xgrammar": xgrammar,
    "SynCode": syncode,
}


def measure_ours(
    language: Language, tokens: Tokens, contexts: Sequence[Context], *, both: bool
) -> tuple[dict[str, Series], int]:
    """Return durations of this engine, and how many texts it followed."""
    series = {READ: Series(), ADVANCE: Series(), MASK: Series()}
    followed = 0
    masker = Masker(language, tokens.vocabulary)
    for context in contexts:
        ours = Ours(language, masker, context.right if both else "")
        series[READ].time(ours.read, context.left)
        series[READ].durations[-1] *= 1_000 / len(context.left + (context.right if both else ""))
        for token in tokens.encode(context.middle):
            if not series[ADVANCE].time(ours.advance, token):
                break
            series[MASK].time(ours.mask)
        else:
            followed += 1
    return series, followed


def measure_peer(engine: Engine, tokens: Tokens, contexts: Sequence[Context]) -> tuple[dict[str, Series], int]:
    """Return durations of an engine, and how many texts it followed without refusing what is right or giving up."""
    series = {READ: Series(), ADVANCE: Series(), MASK: Series()}
    followed = 0
    for context in contexts:
        matcher = engine()
        try:
            if not series[READ].time(_read, matcher, tokens.encode(context.left)):
                series[READ].durations.pop()
                continue
            series[READ].durations[-1] *= 1_000 / len(context.left)
            for token in tokens.encode(context.middle):
                if not series[ADVANCE].time(matcher.advance, token):
                    break
                series[MASK].time(matcher.mask)
            else:
                followed += 1
        except Exception:  # whatever it raises, it does not follow
            continue
    return series, followed


def _read(matcher: Matcher, tokens: list[int]) -> bool:
    if not all(map(matcher.advance, tokens)):
        return False
    matcher.mask()
    return True


def load(name: str, language: Language, tokens: Tokens) -> tuple[Engine, float] | str:
    """Return an engine made ready and the milliseconds that it took, or why there is none."""
    timed = Series()
    try:
        engine = timed.time(PEERS[name], language, tokens)
    except ImportError as error:
        return f"{name} is not installed: {error}."
    return engine, timed.durations[-1]


def languages(target: str) -> dict[str, Language]:
    """Return the languages that all engines are given."""
    return {"json": dovetail.load_language("json"), "python": dovetail.load_language("python", target=target)}
