"""`dovetail doctor`: check everything that a completion needs, and measure it."""

from __future__ import annotations

import json
import platform
import sys
import time
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import TYPE_CHECKING

import platformdirs
from rich.console import Console
from rich.text import Text

import dovetail
from dovetail.commands.host import sentence_of
from dovetail.commands.model_option import MODEL_HELP
from dovetail.completer.host.finder import HostFinder
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.prompt import form_of
from dovetail.decoding.request import Request
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.library import languages
from dovetail.model.error import ModelError, require_light
from dovetail.model.hosting import folder_or_name
from dovetail.model.llama_library import LibraryMissingError, version
from dovetail.model.remedies import installation

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from dovetail.decoding.proposer import Proposer

_NEEDED = (
    "cattrs", "filelock", "lark", "lsprotocol", "pathspec", "platformdirs", "prometheus-client", "pygls", "regex",
    "rich", "shtab",
)  # fmt: skip
_FOR_MODELS = ("numpy", "safetensors", "tokenizers")
_FOR_TRANSFORMERS = ("torch", "transformers")

_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check."""

    name: str
    well: bool
    text: str
    """The facts, or one sentence with the remedy."""
    seconds: float | None = None
    """The time of the check."""


EPILOG = """\
examples:
  dovetail doctor
  dovetail doctor --model ~/models/coder.gguf
  dovetail doctor --json

exit codes:
  0  all is well
  1  something is missing
  2  the command is wrong
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("--model", type=folder_or_name, metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Check, and print line by line; return 0 if all is well, 1 if not."""
    console = Console(highlight=False, markup=False)
    findings = []
    for finding in examine(arguments.model):
        findings.append(finding)
        if not arguments.json:
            console.print(_line(finding), soft_wrap=True)
    well = all(finding.well for finding in findings)
    if arguments.json:
        sys.stdout.write(json.dumps({"well": well, "findings": [asdict(finding) for finding in findings]}) + "\n")
    else:
        outcome = Text("All is well.", "green") if well else Text("Something is missing; see above.", "red")
        console.print(outcome)
    return 0 if well else 1


def examine(model: str | None) -> Iterator[Finding]:
    """Yield each finding as soon as it is known; checks that need a missing thing are left out."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    place = f"{platform.system()} {platform.machine()}"
    yield Finding("dovetail", True, f"{metadata.version('dovetail')} with {python} on {place}")
    yield _packages("packages", _NEEDED)
    yield _packages("packages for models", _FOR_MODELS)
    yield Finding("cache", True, str(platformdirs.user_cache_path("dovetail")))
    yield from _hosts()
    known = {}
    for name in languages():
        started = time.perf_counter()
        try:
            known[name] = dovetail.load_language(name)
        except GrammarError as error:
            yield Finding(f"grammar {name}", False, str(error))
        else:
            yield Finding(f"grammar {name}", True, "is loaded", time.perf_counter() - started)
    try:
        require_light()
    except ModelError:
        return  # said above
    yield _llama()
    transformers = _packages("packages for transformers", _FOR_TRANSFORMERS)
    if transformers.well:
        yield transformers
        yield _device()
    started = time.perf_counter()
    try:
        # Brings in a runtime, which may not be there.
        from dovetail.model.hosting import load_model

        proposer = load_model(model)
    except ModelError as error:
        yield Finding("model", False, str(error))
        return
    tokens = f"{len(proposer.vocabulary.pieces):,} tokens, a window of {proposer.window:,}"
    text = f"{proposer.name}, {tokens}, asked in the form {form_of(proposer).name}"
    yield Finding("model", True, text, time.perf_counter() - started)
    for name, language in known.items():
        sample = languages()[name].sample
        if sample is not None:
            yield _completion(language, sample, proposer)


def _hosts() -> Iterator[Finding]:
    """Say whether windows can share a process, and what each that they share holds and takes."""
    finder = HostFinder()
    obstacle = finder.obstacle()
    if obstacle is not None:
        # A window has a process of its own then, so nothing is missing.
        yield Finding("host", True, f"each window has a process of its own: {obstacle}")
    for name, status in finder.status():
        yield Finding("host", status is not None, sentence_of(name, status))


def _packages(name: str, packages: tuple[str, ...]) -> Finding:
    found, missing = [], []
    for package in packages:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            missing.append(package)
    if missing:
        return Finding(name, False, f"There is no {', '.join(missing)} here: run {installation(*missing)}.")
    return Finding(name, True, ", ".join(found))


def _llama() -> Finding:
    """Say whether the library that runs GGUF files is there; the embedded model needs none."""
    started = time.perf_counter()
    try:
        return Finding("llama.cpp", True, version(), time.perf_counter() - started)
    except LibraryMissingError as error:
        return Finding("llama.cpp", True, f"is not used: {error}; models that are GGUF files cannot be run")


def _device() -> Finding:
    started = time.perf_counter()
    # Only here: it imports torch, which is most of its time.
    from dovetail.model.device import choose_device

    return Finding("device", True, str(choose_device()), time.perf_counter() - started)


def _completion(language: dovetail.Language, sample: tuple[str, str], proposer: Proposer) -> Finding:
    """Complete a sample twice; the second time shows what a completion takes when everything was used before."""
    left, right = sample
    for _ in range(2):
        started = time.perf_counter()
        completion = Decoder(proposer).complete(
            Request(left, right, lambda: language.quotient(left, right), Limits(_TOKENS))
        )
    seconds = time.perf_counter() - started
    if completion.text is None or not language.accepts(left + completion.text + right):
        text = f"Nothing that fits was written: {completion.reason}; name another model with --model."
        return Finding(f"completion {language.name}", False, text)
    steps = completion.seconds
    text = (
        f"{completion.tokens} token{'s' * (completion.tokens != 1)}; contexts {1000 * steps.contexts:.0f} ms, "
        f"prompt {1000 * steps.prompt:.0f} ms, "
        f"model {1000 * steps.model:.0f} ms, constraint {1000 * steps.constraint:.0f} ms"
    )
    return Finding(f"completion {language.name}", True, text, seconds)


def _line(finding: Finding) -> Text:
    mark = ("✓ ", "green") if finding.well else ("✗ ", "bold red")
    time_taken = "" if finding.seconds is None else f" ({1000 * finding.seconds:,.0f} ms)"
    return Text.assemble(mark, (f"{finding.name}: ", "bold"), finding.text, (time_taken, "dim"))
