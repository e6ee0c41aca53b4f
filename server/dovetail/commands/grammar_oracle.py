"""`dovetail grammar FILE --oracle COMMAND`: compares a language with its real parser, and shows what differs."""

from __future__ import annotations

import json
import shlex
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import asdict
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.commands.error import CommandError
from dovetail.commands.steps import Steps
from dovetail.commands.worker_pool import worker_pool
from dovetail.comparison.causes import group
from dovetail.comparison.comparison import LanguageComparison
from dovetail.comparison.deviation import read_deviations
from dovetail.comparison.disagreement import Disagreement
from dovetail.comparison.oracle_process import OracleError, OracleProcess
from dovetail.comparison.survey import REPORTED, Block, Survey, digest, in_turn
from dovetail.completer.gc_pauses import Collector
from dovetail.engine.language import Language, load_language
from dovetail.grammar.layers import read_layers
from dovetail.grammar.library import find_grammar, language_of, languages, narrower_reading
from dovetail.model.hosting import embedded_vocabulary

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from concurrent.futures import Future

    from rich.console import Console

    from dovetail.comparison.deviation import ListedDeviation

_SAVED_EVERY = 60.0  # seconds between two writings of what was judged
_DECIDING = (
    "start", "versions", "forbidden", "errors", "first_line", "deepest", "since", "before", "groups", "modes", "layout",
)  # fmt: skip
"""The keys of a description that decide which texts are of the language."""
_SHOWN = 400  # characters of each side of a text that are printed


class Job(NamedTuple):
    """The language, its oracle and the texts of one comparison."""

    file: str
    target: str | None
    command: str
    corpus: tuple[Path, ...]
    seed: int


def add_oracle_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what a comparison takes."""
    group = parser.add_argument_group("comparison with the language's real parser (--oracle)")
    group.add_argument(
        "--oracle",
        metavar="COMMAND",
        help="a program that reads the length of a text, a line feed and the text, again and again, and answers each "
        "with `1`, `0 message`, or `? message` where it cannot say; {target} in it is replaced by the version",
    )
    group.add_argument(
        "--corpus", metavar="PATH", action="append", default=[], help="a file, or a folder with files, of the language"
    )
    group.add_argument("--files", type=int, metavar="N", help="at most N whole files of the corpus (all)")
    group.add_argument(
        "--mutated", type=int, default=400, metavar="N", help="N derivations, each changed 5 times (400)"
    )
    group.add_argument("--cuts", type=int, default=200, metavar="N", help="N cuts, each with 6 middles (200)")
    group.add_argument(
        "--masks", type=int, default=100, metavar="N", help="N masks over the embedded model's vocabulary (100)"
    )
    group.add_argument("--minutes", type=float, default=10, metavar="N", help="at most so long (10)")
    group.add_argument("--jobs", type=int, default=1, metavar="N", help="processes to use (1)")
    group.add_argument("--kinds", type=int, default=20, metavar="N", help="kinds of disagreements to show (20)")
    group.add_argument("--deviations", type=Path, metavar="FILE", help="disagreements that are known ([[deviations]])")
    group.add_argument("--failures", type=Path, metavar="FILE", help="save the shortest text of each kind here")
    group.add_argument("--redo", type=Path, metavar="FILE", help="judge only what --failures saved, again")
    group.add_argument("--keep", type=Path, metavar="FILE", help="keep here what was judged, and go on from there")
    group.add_argument("--summary", type=Path, metavar="FILE", help="write the counts here")


def compare(arguments: argparse.Namespace, console: Console) -> int:
    """Compare and print; return 1 if anything differs that no listed deviation explains."""
    deviations = read_deviations(arguments.deviations) if arguments.deviations else []
    command = arguments.oracle.replace("{target}", arguments.target or "")
    job = Job(arguments.file, arguments.target, command, _corpus(arguments), arguments.seed)
    try:
        if arguments.redo:
            return _redo(job, arguments.redo, deviations, console)
        survey = _survey(job, arguments, deviations, console)
        findings = survey.findings
        shown = [
            (kind, count, _comparison(job).shrunk(findings.shortest[kind]))
            for kind, count in findings.counts.most_common(arguments.kinds)
        ]
        causes = group(_comparison(job).language, _worker(command), shown)
    except OracleError as error:
        raise CommandError(str(error)) from None
    finally:
        _worker(command).close()
    for cause in causes:
        (kind, count), *others = cause.kinds
        console.print(f"\n{kind} ({count})")
        _show(console, cause.finding)
        for kind, count in others:
            console.print(f"    the same as {kind} ({count})")
    if len(findings.counts) > len(shown):
        console.print(f"\n… and {len(findings.counts) - len(shown)} more kinds (--kinds)")
    lines = _counts(job, arguments, survey, _causes(len(causes), len(shown)))
    console.print("\n" + "\n".join(lines))
    if arguments.summary:
        facts = languages().get(Path(arguments.file).stem)
        name = load_language(job.file, job.target).name if facts is None else facts.title
        title = f"# {name} {job.target or ''}".strip()
        arguments.summary.write_text("\n".join([title, "", *(f"- {line}" for line in lines), ""]), encoding="utf-8")
    if arguments.failures and shown:
        saved = "".join(json.dumps(asdict(finding)) + "\n" for _, _, finding in shown)
        arguments.failures.write_text(saved, encoding="utf-8")
    if findings:
        return 1
    if all(accepted is None for _, accepted in survey.verdicts):
        raise CommandError(f"`{command}` decided nothing, so nothing was compared.")
    return 0


def _counts(job: Job, arguments: argparse.Namespace, survey: Survey, causes: str) -> list[str]:
    """Return the lines that say how much was judged, of which kinds, and what came of it."""
    wanted = {kind: amount for kind, amount in _amounts(job, arguments).items() if amount}
    done = {kind: survey.judged(kind, amount) for kind, amount in wanted.items()}
    lines = [f"seed: {job.seed}"]
    for kind, amount in wanted.items():
        counted = f"{kind}: {done[kind]:,}" if done[kind] >= amount else f"{kind}: {done[kind]:,} of {amount:,}"
        given = sum(count for (of, _), count in survey.verdicts.items() if of == kind)
        lines.append(f"{counted}, {given:,} texts" if given > done[kind] else counted)
    verdicts: Counter[bool | None] = Counter()
    for (_, accepted), count in survey.verdicts.items():
        verdicts[accepted] += count
    judged = f"{verdicts[True]:,} accepted, {verdicts[False]:,} refused, {verdicts[None]:,} undecided"
    lines.append(f"texts that the parser judged: {judged}")
    for name in sorted({name for name, _ in survey.explained}):
        of = {kind: count for (one, kind), count in sorted(survey.explained.items()) if one == name}
        parts = ", ".join(f"{kind} {count:,}" for kind, count in of.items())
        lines.append(f"{'' if name == REPORTED else 'explained, '}{name}: {sum(of.values()):,} ({parts})")
    findings = survey.findings
    lines.append(f"disagreements: {len(findings):,} of {len(findings.counts):,} kinds{causes}")
    if any(done[kind] < amount for kind, amount in wanted.items()):
        onwards = "the next run goes on" if arguments.keep else "--minutes allows more"
        lines.append(f"ended before all was compared; {onwards}")
    return lines


def _causes(causes: int, kinds: int) -> str:
    return f" with {causes:,} {'cause' if causes == 1 else 'causes'}" if causes < kinds else ""


def _corpus(arguments: argparse.Namespace) -> tuple[Path, ...]:
    """Return the files of the corpus; raise CommandError for a path that is not there."""
    facts = languages().get(Path(arguments.file).stem)
    found: list[Path] = []
    for name in arguments.corpus:
        path = Path(name)
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.is_file())
            suited = [
                one for one in inside if facts is None or not facts.extensions or language_of(str(one)) == facts.name
            ]
            if not suited:
                kind = "" if facts is None else f" of {facts.title}"
                raise CommandError(f"--corpus {name}: there is no file{kind} in this folder.")
            found += suited
        elif path.is_file():
            found.append(path)
        else:
            raise CommandError(f"--corpus {name}: there is no such file or folder.")
    return tuple(found)


def _amounts(job: Job, arguments: argparse.Namespace) -> dict[str, int]:
    """Return kind of text → how many of it are to be judged."""
    files = len(job.corpus) if arguments.files is None else min(arguments.files, len(job.corpus))
    derived = arguments.derive if arguments.derive is not None else 2000
    return {
        "file": files,
        "derivation": derived,
        "mutated": arguments.mutated,
        "cut": arguments.cuts,
        "mask": arguments.masks,
    }


def _survey(job: Job, arguments: argparse.Namespace, deviations: list[ListedDeviation], console: Console) -> Survey:
    """Judge all that was asked for and not judged before, until the time is up."""
    kept: Path | None = arguments.keep
    survey = Survey(_conditions(job), deviations)
    if kept is not None and kept.exists():
        survey.read_on(kept)
    blocks = survey.remaining(in_turn(_amounts(job, arguments)))
    started = saved = time.monotonic()
    total = sum(block.amount for block in blocks)
    try:
        with Steps(console, "comparing", total) as steps, _Pool(arguments.jobs) as pool:
            for block, found, given in pool.run(job, blocks, started + arguments.minutes * 60):
                survey.add(block, found, given)
                steps.advance(block.amount, f"{len(survey.findings):,} disagreements")
                if kept is not None and time.monotonic() - saved > _SAVED_EVERY:
                    saved = time.monotonic()
                    survey.write(kept)
    finally:
        if kept is not None:
            survey.write(kept)
    return survey


def _conditions(job: Job) -> str:
    """Return a digest of what decides a language's texts, of the oracle and of the corpus, wherever these lie."""
    grammar = _deciding(job.file)
    corpus = [f"{file.name} {file.stat().st_size}" for file in job.corpus]
    command = [Path(word).name for word in shlex.split(job.command)]
    return digest([*grammar, str(job.target), *command, str(job.seed), *corpus])


def _deciding(name: str) -> list[str]:
    """Return the texts that decide a language, and the narrower one that reads some of its texts."""
    layers = read_layers(find_grammar(name).with_suffix(".toml"))
    description = {key: layers.header[key] for key in _DECIDING if key in layers.header}
    texts = [*(path.read_text(encoding="utf-8") for path in layers.grammars), json.dumps(description)]
    # Only a language that comes with Dovetail is read in narrower ones.
    narrower = layers.header.get("narrower") if name in languages() else None
    return texts if narrower is None else [*texts, json.dumps(narrower), *_deciding(narrower["language"])]


class _Pool:
    """Runs blocks in this process or in several."""

    def __init__(self, jobs: int) -> None:
        self.count = jobs
        self.processes = worker_pool(jobs, "spawn") if jobs > 1 else None

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        if self.processes is not None:
            self.processes.shutdown(cancel_futures=True)

    def run(
        self, job: Job, blocks: list[Block], deadline: float
    ) -> Iterator[tuple[Block, list[Disagreement], Counter[bool | None]]]:
        """Yield each block with its findings and the parser's verdicts, in any order, until the deadline."""
        if self.processes is None:
            for block in blocks:
                if time.monotonic() > deadline:
                    return
                yield block, *judge_block(job, block)
            return
        waiting: dict[Future[tuple[list[Disagreement], Counter[bool | None]]], Block] = {}
        ahead = iter(blocks)
        while time.monotonic() < deadline:
            for block in islice(ahead, 2 * self.count - len(waiting)):
                waiting[self.processes.submit(judge_block, job, block)] = block
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), *future.result()


def judge_block(job: Job, block: Block) -> tuple[list[Disagreement], Counter[bool | None]]:
    """Return the disagreements about some texts or cuts of one kind, and the parser's verdicts, how often each."""
    ask, worker, collector = getattr(_comparison(job), block.kind), _worker(job.command), _collector()
    before = worker.verdicts.copy()
    found = [found for number in block.numbers for found in ask(number)]
    collector.rest(idle=False)
    return found, worker.verdicts - before


@cache
def _collector() -> Collector:
    """Return the collector of this process, once the tables are loaded: a full collection visits all of them."""
    return Collector()


@cache
def _comparison(job: Job) -> LanguageComparison:
    def reading(text: str) -> Language:
        return _language(narrower_reading(job.file, text), job.target)

    language = _language(job.file, job.target)
    return LanguageComparison(language, _worker(job.command), job.corpus, job.seed, embedded_vocabulary, reading)


@cache
def _language(name: str, target: str | None) -> Language:
    return load_language(name, target)


@cache
def _worker(command: str) -> OracleProcess:
    return OracleProcess(command)


def _redo(job: Job, path: Path, deviations: list[ListedDeviation], console: Console) -> int:
    saved = [Disagreement(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    still = 0
    for finding in saved:
        found = [
            again
            for again in _comparison(job).again(finding)
            if not any(deviation.explains(again) for deviation in deviations)
        ]
        still += bool(found)
        for again in found:
            console.print(f"\n{again.kind}")
            _show(console, again)
    console.print(f"\n{len(saved)} findings, {still} still disagree")
    return int(bool(still))


def _show(console: Console, finding: Disagreement) -> None:
    if finding.left or finding.right:
        console.print(f"    left   {_end(finding.left)!r}")
        console.print(f"    middle {finding.middle + finding.closing!r}")
        console.print(f"    right  {_begin(finding.right)!r}")
    else:
        console.print(f"    {_begin(finding.text)!r}")
    console.print(f"    the engine: {finding.engine}; the parser: {finding.parser}; {finding.message}")


def _begin(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _end(text: str) -> str:
    return text if len(text) <= _SHOWN else "…" + text[-_SHOWN:]
