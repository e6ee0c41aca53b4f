"""Opening an engine: small probes find out what it is and what it lacks, before anybody waits for a completion."""

from __future__ import annotations

import logging
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from dovetail.model.engines.address import KEY_VARIABLE, is_loopback
from dovetail.model.engines.connection import Connection, Question
from dovetail.model.engines.form import AskedText, read_run, read_scores
from dovetail.model.engines.llama_server_form import LlamaServerForm
from dovetail.model.engines.openai_form import OpenAiForm
from dovetail.model.engines.server_vocabulary import read_from_server
from dovetail.model.engines.sglang_form import SglangForm
from dovetail.model.engines.tokenizer_file import read_from_file
from dovetail.model.error import ModelError
from dovetail.model.failure import EngineError, EngineLostError, EngineRefusalError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dovetail.model.engines.address import EngineAddress
    from dovetail.model.engines.form import EngineForm, TokenRun
    from dovetail.vocabulary.vocabulary import Vocabulary

logger = logging.getLogger(__name__)

_WINDOW = 2048
"""The window of an engine that does not tell it, in tokens."""

_MOST_WINDOW = 8192
"""The largest window that is used; reading more costs more time than it helps."""

_TRIED = (1024, 64, 20, 8)
"""Numbers of likeliest tokens that an engine is asked for until it accepts one."""

_BEST = 64
"""The likeliest tokens at each place of a run: as many as are tried before the whole vocabulary is looked at."""

_FEWEST = 8
"""With fewer of the likeliest tokens hardly any text could be checked."""

_ANY = (1, 2, 3)
"""Tokens that every vocabulary has."""

_SAMPLE = "def main():\n    return "
"""A text after which any model writes text, to see whether a tokenizer is that of the model."""


class OpenedEngine(NamedTuple):
    """An engine that has what is needed."""

    connection: Connection
    form: EngineForm
    name: str
    """The name of the model."""
    numbers: str
    """The things on which the numbers depend, for people to read."""
    vocabulary: Vocabulary
    encode: Callable[[str], list[int]]
    window: int
    best: int
    """The likeliest tokens at each place of a run that it is asked for."""
    most_best: int
    """The most that it tells at one place."""
    most_scored: int
    """The most tokens of which it can be asked for the scores at once."""


def open_engine(address: EngineAddress) -> OpenedEngine:
    """Probe an engine; raises ModelError with what it lacks and the remedy, and EngineError where it fails."""
    if not is_loopback(address.url) and address.url.startswith("http:"):
        logger.warning("What is sent to %s can be read on the way: use https.", address.url)
    connection = Connection(address.url, address.key)
    try:
        return _opened(connection, address)
    except EngineLostError as error:
        connection.close()
        raise ModelError(
            f"The model cannot be used, because {error}: wait until the engine is ready, or choose another model."
        ) from error
    except BaseException:
        connection.close()
        raise


def _opened(connection: Connection, address: EngineAddress) -> OpenedEngine:
    entry = _entry(connection, address)
    model, settings = str(entry["id"]), _settings(connection, entry)
    form, run = _form(connection, model, entry, settings)
    most = min(len(row) for row in run.rows)
    if most < _FEWEST:
        raise ModelError(
            f"{connection.url} tells no more than the {most} likeliest tokens, and {_FEWEST} are needed: "
            f"start it so that it tells {_BEST} (vLLM: --max-logprobs {_BEST})."
        )
    if most < _BEST:
        logger.warning(
            "%s tells the %d likeliest tokens only, so some completions end early: start it so that it tells %d "
            "(vLLM: --max-logprobs %d).", connection.url, most, _BEST, _BEST,
        )  # fmt: skip
    if address.tokenizer is not None:
        vocabulary, encode = read_from_file(address.tokenizer, settings.get("size"))
        _check_tokenizer(connection, form, vocabulary, encode, address.tokenizer)
    elif isinstance(form, LlamaServerForm):
        vocabulary, encode = read_from_server(connection, form, settings.get("size"), settings.get("end"))
    else:
        raise ModelError(
            f"{connection.url} does not tell how its tokens are spelt: name the folder with the tokenizer.json of the "
            f"model, as in {address.url}#tokenizer=/path/to/folder."
        )
    best = min(_BEST, most)
    numbers = f"{form.title} at {connection.url}, the best {best} tokens"
    window = min(int(settings.get("window") or _WINDOW), _MOST_WINDOW)
    scored = _most_scored(connection, form, run)
    return OpenedEngine(connection, form, _name(model), numbers, vocabulary, encode, window, best, most, scored)


def _entry(connection: Connection, address: EngineAddress) -> Mapping[str, Any]:
    """Return what the engine tells of the model that is meant."""
    try:
        told = connection.ask(Question("/v1/models"))
        entries = {str(entry["id"]): entry for entry in told["data"]}
    except EngineRefusalError as error:
        raise ModelError(
            f"{connection.url} is no engine in OpenAI's form ({error}): name the address of vLLM, SGLang or "
            "llama.cpp's server."
        ) from error
    except EngineError as error:
        remedy = f"set {KEY_VARIABLE} to '{address.url} KEY'" if "key" in str(error) else "start the engine"
        raise ModelError(f"The model cannot be used, because {error}: {remedy}, or choose another model.") from error
    except (TypeError, KeyError, AttributeError) as error:
        raise ModelError(
            f"{connection.url} does not list its models: name the address of vLLM, SGLang or llama.cpp's server."
        ) from error
    names = ", ".join(entries) or "none"
    if address.model is not None:
        found = [entry for name, entry in entries.items() if address.model in (name, _name(name))]
        if len(found) != 1:
            raise ModelError(f"{connection.url} has no model {address.model} ({names}): name one that it has.")
        return dict(found[0])
    if len(entries) != 1:
        raise ModelError(f"{connection.url} has other than one model ({names}): write {address.url}#model=NAME.")
    return dict(next(iter(entries.values())))


def _settings(connection: Connection, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return `window`, `size`, `slots` and `end` as far as an engine tells them."""
    meta = entry.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    found = {"window": _count(entry.get("max_model_len") or meta.get("n_ctx") or meta.get("n_ctx_train"))}
    found["size"] = _count(meta.get("n_vocab"))
    try:
        told = connection.ask(Question("/props"))
    except EngineRefusalError:
        return found
    if isinstance(told, dict):
        of_slot = told.get("default_generation_settings")
        if isinstance(of_slot, dict) and _count(of_slot.get("n_ctx")):
            found["window"] = _count(of_slot["n_ctx"])
        found["slots"], found["end"] = _count(told.get("total_slots")), told.get("eos_token")
    return found


def _count(told: object) -> int | None:
    return told if isinstance(told, int) and told > 0 else None


def _form(
    connection: Connection, model: str, entry: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[EngineForm, TokenRun]:
    """Return the form in which an engine answers with token ids, and its answer to the first probe."""
    forms: list[EngineForm] = [OpenAiForm(model), LlamaServerForm(model, settings.get("slots") or 1), SglangForm()]
    owner = str(entry.get("owned_by", "")).lower()
    if owner == "llamacpp":
        forms.insert(0, forms.pop(1))
    elif owner == "sglang":
        forms.insert(0, forms.pop(2))
    said = ""
    for form in forms:
        for best in _TRIED:
            try:
                answer = connection.ask(form.run(AskedText(_ANY, None), 2, best))
                return form, read_run(form, answer, connection.url)
            except EngineRefusalError as error:
                said = said or error.said
            except EngineLostError:
                raise  # nothing is known of its form
            except EngineError as error:
                logger.info("The form of %s does not fit: %s.", form.title, error)
                break
    raise ModelError(
        f"{connection.url} does not take a prompt of token ids and tell the likeliest tokens by their ids"
        f"{f' ({said})' if said else ''}: use vLLM, SGLang or llama.cpp's server in a recent version."
    )


def _most_scored(connection: Connection, form: EngineForm, run: TokenRun) -> int:
    """Return of how many tokens an engine tells the scores at once; 0 if it cannot be asked for them."""
    best, *_, last = run.rows[0]
    asked = AskedText(_ANY, None)
    try:
        answer = connection.ask(form.scores(asked, [last[0]], best))
        return form.most_scored if read_scores(form, answer, [last[0]], best, connection.url) else 0
    except EngineLostError:
        raise  # it may be able to
    except EngineError as error:
        logger.info("The scores of single tokens cannot be asked for: %s.", error)
        return 0


def _check_tokenizer(
    connection: Connection, form: EngineForm, vocabulary: Vocabulary, encode: Callable[[str], list[int]], place: str
) -> None:
    """Raise ModelError if a tokenizer spells what the model writes in another way than the engine."""
    run = read_run(form, connection.ask(form.run(AskedText(encode(_SAMPLE), None), 8, 1)), connection.url)
    pieces = vocabulary.pieces
    spelt = b"".join((pieces[token] or b"") if token < len(pieces) else b"\xff" for token in run.tokens)
    # An engine may leave out blanks at the ends, and half a character.
    if _whole(spelt.decode(errors="replace")) != _whole(run.text):
        raise ModelError(
            f"The tokenizer in {place} is not that of the model at {connection.url}, which spells its tokens "
            "otherwise: name the folder of that model."
        )


def _whole(text: str) -> str:
    return text.replace("\ufffd", "").strip()


def _name(model: str) -> str:
    """Return the name of a model; engines call one that was loaded from a file by the path."""
    path = PurePath(model)
    return path.name.removesuffix(".gguf") if path.is_absolute() or model.endswith(".gguf") else model
