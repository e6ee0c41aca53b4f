"""`python -m tests.load`: simulated editors type against a team's host with the embedded model; prints figures.

`--faults kill,upgrade` kills replicas and exchanges them meanwhile. Afterwards answers are put into their windows, and
all are searched for names that only the files of another key have; the keys have documents of the same names.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import time
from typing import TYPE_CHECKING

import psutil
from tests.load.editor import Answer, Editor, Outcome, drive
from tests.load.faults import KINDS, FaultPlan, replicas_of, sizes_of
from tests.load.loaded_host import configuration, files_of, foreign, key_names, marked, parts_at
from tests.load.summary import EXPECTED, minutes, sentences
from tests.team.demo import host

import dovetail

if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> int:
    """Run the load; return 1 if a request was lost, or an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--editors", type=int, default=50)
    parser.add_argument("--rate", type=float, default=0.05, help="requests of an editor in a second, on average")
    parser.add_argument("--requests", type=int, default=6, help="of each editor")
    parser.add_argument("--replicas", type=int, default=1)
    parser.add_argument("--keys", type=int, default=4, choices=range(1, 27), metavar="KEYS", help="editors share them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=_kinds, default=(), help=f"some of {', '.join(KINDS)}, with commas between")
    parser.add_argument("--count", type=int, default=6, help="of faults, in the middle third of the load")
    parser.add_argument("--checked", type=int, default=300, help="answers that are put into their windows at the end")
    parsed = parser.parse_args()
    names = key_names(parsed.keys)
    chance = random.Random(parsed.seed)
    sizes: list[tuple[float, float, float]] = []
    _say(f"The machine's load is {os.getloadavg()[0]:.1f} at the beginning.")
    with host(configuration(parsed.replicas, names)) as (address, process):
        editors = list(_editors(parsed, address, names, chance))
        plan = FaultPlan(parsed.faults, parsed.count, process.pid, chance)
        running = psutil.Process(process.pid)
        first = {each.pid for each in replicas_of(running)}

        async def load() -> list[Outcome]:
            beside = plan.work(parsed.requests / parsed.rate), sizes_of(running, sizes)
            tasks = [asyncio.create_task(each) for each in beside]
            outcomes = await drive(editors, parsed.requests)
            for task in tasks:
                task.cancel()
            return outcomes

        began = time.monotonic()
        outcomes = asyncio.run(load())
        seconds = time.monotonic() - began
        for sentence in sentences(outcomes, seconds, parts_at(address, names[0])):
            _say(sentence)
        last = {each.pid for each in replicas_of(running)}
    told = ", ".join(f"{plan.done.count(kind)} times {kind}" for kind in KINDS if kind in plan.done) or "none"
    _say(f"Faults: {told}. Replicas of the beginning that are left: {len(first & last)} of {len(first)}.")
    wrong = _check([answer for editor in editors for answer in editor.answers], parsed.checked, chance)
    _say(minutes(outcomes, began, sizes))
    return 1 if wrong or any(outcome.status not in EXPECTED for outcome in outcomes) else 0


def _editors(parsed: argparse.Namespace, address: str, names: Sequence[str], chance: random.Random) -> list[Editor]:
    """Return the editors; each key has the same documents, with a name of its own in them."""
    files = list(files_of(chance, -(-parsed.editors // len(names))))
    found = []
    for number in range(parsed.editors):
        document, key = divmod(number, len(names))
        text = marked(files[document], names[key])
        own = random.Random(chance.random())
        found.append(Editor(address, names[key], text, parsed.rate, own, f"document {document}"))
    return found


def _check(answers: Sequence[Answer], most: int, chance: random.Random) -> int:
    """Say how many answers are wrong, and return it."""
    strange = [answer for answer in answers if foreign(answer.text, answer.key)]
    own = sum(f"self_{answer.key}" in answer.text for answer in answers)
    checked = chance.sample(answers, min(most, len(answers)))
    language = dovetail.load_language("python")
    wrong = [answer for answer in checked if not _fits(language, answer)]
    for answer in (*strange, *wrong)[:5]:
        _say(f"{answer}")
    _say(
        f"Of {len(answers)} texts {own} have a name of their key's own files, and {len(strange)} one of another's. "
        f"Of {len(checked)} that were put into their windows {len(wrong)} do not fit."
    )
    return len(strange) + len(wrong)


def _fits(language: dovetail.Language, answer: Answer) -> bool:
    """Return whether a text between the two sides of its window can be a part of a program."""
    state = language.quotient(answer.left, answer.right, window=True).start.advance(answer.text)
    return state is not None and state.accepting


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    if strange := [kind for kind in kinds if kind not in KINDS]:
        raise argparse.ArgumentTypeError(f"{strange[0]!r} is none of {', '.join(KINDS)}")
    return kinds


def _say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
