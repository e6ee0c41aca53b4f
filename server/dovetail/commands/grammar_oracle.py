"""`dovetail grammar FILE --oracle COMMAND`: compares a language with its real parser, and shows what differs."""

from __future__ import annotations

import json
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.commands.error import CommandError
from dovetail.commands.steps import Steps
from dovetail.comparison.causes import group
from dovetail.comparison.comparison import LanguageComparison
from dovetail.comparison.deviation import read_deviations
from dovetail.comparison.disagreement import Disagreement, Disagreements
from dovetail.comparison.oracle_process import OracleError, OracleProcess
from dovetail.engine.language import load_language
from dovetail.grammar.library import language_of, languages
from dovetail.model.hosting import embedded_vocabulary

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from rich.console import Console

    from dovetail.comparison.deviation import ListedDeviation

_BLOCK = 20  # texts, or cuts, that a process judges at a time
_SHOWN = 400  # characters of each side of a text that are printed


class Job(NamedTuple):
    """The language, its oracle and the texts of one comparison."""

    file: str
    target: str | None
    command: str
    corpus: tuple[Path, ...]
    seed: int


class Block(NamedTuple):
    """Some consecutive texts of one kind."""

    kind: str
    """The name of a method of `LanguageComparison`."""
    first: int
    amount: int


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
    group.add_argument("--summary", type=Path, metavar="FILE", help="write the counts here")


def compare(arguments: argparse.Namespace, console: Console) -> int:
    """Compare and print; return 1 if anything differs that no listed deviation explains."""
    deviations = read_deviations(arguments.deviations) if arguments.deviations else []
    command = arguments.oracle.replace("{target}", arguments.target or "")
    job = Job(arguments.file, arguments.target, command, _corpus(arguments), arguments.seed)
    try:
        if arguments.redo:
            return _redo(job, arguments.redo, deviations, console)
        counts, explained, findings, verdicts = _survey(job, arguments, deviations, console)
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
    wanted = _amounts(job, arguments)
    lines = [f"seed: {job.seed}", *(_counted(name, counts[name], count) for name, count in wanted.items() if count)]
    judged = f"{verdicts[True]:,} accepted, {verdicts[False]:,} refused, {verdicts[None]:,} undecided"
    lines.append(f"texts that the parser judged: {judged}")
    lines += [f"explained, {name}: {count:,}" for name, count in sorted(explained.items())]
    lines.append(
        f"disagreements: {len(findings):,} of {len(findings.counts):,} kinds{_causes(len(causes), len(shown))}"
    )
    if any(counts[name] < count for name, count in wanted.items()):
        lines.append(f"ended after {arguments.minutes:g} minutes, before all was compared; --minutes allows more")
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
    if not verdicts[True] and not verdicts[False]:
        raise CommandError(f"`{command}` decided nothing, so nothing was compared.")
    return 0


def _counted(name: str, done: int, wanted: int) -> str:
    return f"{name}: {done:,}" if done >= wanted else f"{name}: {done:,} of {wanted:,}"


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


def in_turn(amounts: Mapping[str, int]) -> list[Block]:
    """Return the blocks of some kinds (kind → texts), all kinds in step: what ends them early, ends all alike."""
    blocks = [
        Block(kind, first, min(_BLOCK, amount - first))
        for kind, amount in amounts.items()
        for first in range(0, amount, _BLOCK)
    ]
    return sorted(blocks, key=lambda block: (block.first + block.amount) / amounts[block.kind])


def _survey(
    job: Job, arguments: argparse.Namespace, deviations: list[ListedDeviation], console: Console
) -> tuple[Counter[str], Counter[str], Disagreements, Counter[bool | None]]:
    """Judge all that was asked for, until the time is up; return also the parser's verdicts, and how often each."""
    blocks = in_turn(_amounts(job, arguments))
    verdicts: Counter[bool | None] = Counter()
    counts: Counter[str] = Counter()
    explained: Counter[str] = Counter()
    findings = Disagreements()
    deadline = time.monotonic() + arguments.minutes * 60
    total = sum(block.amount for block in blocks)
    with Steps(console, "comparing", total) as steps, _Pool(arguments.jobs) as pool:
        for block, found, given in pool.run(job, blocks, deadline):
            verdicts.update(given)
            counts[block.kind] += block.amount
            for finding in found:
                known = [deviation.name for deviation in deviations if deviation.explains(finding)]
                explained.update(known[:1])
                findings.add([] if known else [finding])
            steps.advance(block.amount, f"{len(findings):,} disagreements")
    return counts, explained, findings, verdicts


class _Pool:
    """Runs blocks in this process or in several."""

    def __init__(self, jobs: int) -> None:
        self.count = jobs
        self.processes = ProcessPoolExecutor(jobs, get_context("spawn")) if jobs > 1 else None

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
    ask, worker = getattr(_comparison(job), block.kind), _worker(job.command)
    before = worker.verdicts.copy()
    found = [found for number in range(block.first, block.first + block.amount) for found in ask(number)]
    return found, worker.verdicts - before


@cache
def _comparison(job: Job) -> LanguageComparison:
    language = load_language(job.file, job.target)
    return LanguageComparison(language, _worker(job.command), job.corpus, job.seed, embedded_vocabulary)


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
