"""Measures how far a model's probabilities are to be believed, `python -m tests.evaluation.calibration --data FOLDER`.

Files are cut at random cursors and completed until the first wrong token. Each token is one observation: the model's
probability among the tokens that fit, and whether it is that of the file. The slope of `Calibration` is the one that
makes the observations of the tuning part likeliest (temperature scaling, Guo et al. 2017); it is judged on the other
part by the Brier score and the expected calibration error. `--write` puts it beside the model.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import dovetail
from dovetail.decoding.acceptance import Calibration
from dovetail.decoding.attempt import Attempt
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.plan import Planner
from dovetail.decoding.progress import begin
from dovetail.decoding.prompt import Prompts
from dovetail.decoding.rankings import Spellings
from dovetail.decoding.request import Request
from dovetail.decoding.stopwatch import Stopwatch
from dovetail.decoding.task import make_task
from dovetail.evaluation.programs import Programs
from dovetail.evaluation.replay.cases import Part, part_of
from dovetail.evaluation.verdict import LANGUAGE, TARGET
from dovetail.model.hosting import CALIBRATION, EMBEDDED, load_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.decoding.proposer import Proposer

_BINS = 10
_TOKENS = 24
"""The most tokens of a cursor; hardly any text is right for longer."""

_SLOPES = tuple(round(0.3 + 0.01 * step, 2) for step in range(171))


class Observation(NamedTuple):
    """A token after right ones."""

    fitted: float
    """Its log-probability among the tokens that fit."""
    right: bool


def cursors(programs: Programs, part: Part, count: int, seed: int) -> Iterator[tuple[str, str, str]]:
    """Yield left text, right text and removed text of so many cursors: of the rest of a line, or of the file."""
    random = Random(f"{seed} {part.value}")
    parts = part_of(programs.names)
    names = [name for name in programs.names if parts[name.partition("/")[0]] is part]
    while count:
        text = programs.text(random.choice(names))
        if text is None:
            continue
        place = random.randrange(len(text))
        end = text.find("\n", place) if random.random() < 0.5 else len(text)
        if end > place:
            count -= 1
            yield text[:place], text[end:], text[place:end]


def observe(model: Proposer, language: dovetail.Language, left: str, right: str, removed: str) -> list[Observation]:
    """Return what is observed at one cursor, up to the first wrong token."""
    quotient = language.quotient(left, right)
    closing = quotient.start.closing() if quotient.viable else None
    if closing is None:
        return []
    limits = Limits(_TOKENS, shape=Shape.FREE)
    planner, prompts = Planner(model), Prompts(model)
    prompt = prompts.build(left, right, limits.max_tokens)
    plan = planner.plan(closing.encode(), prompt.room)
    if plan.cost > prompt.room:
        return []
    request = Request(left, right, lambda: quotient, limits)
    task = make_task(request, quotient, plan, prompt, model.vocabulary, planner)
    generation = model.begin(prompt.tokens)
    opening = Spellings(task, generation, prompts.index)
    attempt = Attempt(request, begin(task), generation, opening, Stopwatch())
    truth = removed.encode()
    while attempt.advance() is None and truth.startswith(attempt.progress.text):
        pass
    text = attempt.progress.text
    return [Observation(choice.fitted, truth.startswith(text[: choice.length])) for choice in attempt.progress.choices]


def probabilities(calibration: Calibration, observations: Sequence[Observation]) -> list[float]:
    """Return the calibrated probability of each token."""
    return [math.exp(calibration.token(observation.fitted)) for observation in observations]


def loss(calibration: Calibration, observations: Sequence[Observation]) -> float:
    """Return the mean negative log-likelihood of what was observed, in nats."""
    found = zip(probabilities(calibration, observations), observations, strict=True)
    return -math.fsum(math.log(share if one.right else 1 - share) for share, one in found) / len(observations)


def fit(observations: Sequence[Observation]) -> Calibration:
    """Return the calibration with the slope that makes the observations likeliest."""
    return min((Calibration(slope) for slope in _SLOPES), key=lambda calibration: loss(calibration, observations))


def brier(calibration: Calibration, observations: Sequence[Observation]) -> float:
    """Return the mean square of probability less outcome (Brier 1950)."""
    found = zip(probabilities(calibration, observations), observations, strict=True)
    return math.fsum((share - one.right) ** 2 for share, one in found) / len(observations)


def calibration_error(calibration: Calibration, observations: Sequence[Observation]) -> float:
    """Return the mean difference of probability and frequency over bins with equally many observations."""
    pairs = sorted(zip(probabilities(calibration, observations), observations, strict=True))
    total = 0.0
    for number in range(_BINS):
        part = pairs[number * len(pairs) // _BINS : (number + 1) * len(pairs) // _BINS]
        total += abs(math.fsum(share - one.right for share, one in part))
    return total / len(pairs)


def main() -> int:
    """Fit on the tuning part, report on the other, and write the calibration if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with packages that the model has not read")
    parser.add_argument("--model", help="the folder of a model (default: the embedded one)")
    parser.add_argument("--cursors", type=int, default=300, help="of each part (default: 300)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help=f"write {CALIBRATION} beside the model")
    arguments = parser.parse_args()
    model, programs = load_model(arguments.model), Programs(arguments.data)
    language = dovetail.load_language(LANGUAGE.name, target=TARGET)
    found: dict[Part, list[Observation]] = {
        part: [
            observation
            for cursor in cursors(programs, part, arguments.cursors, arguments.seed)
            for observation in observe(model, language, *cursor)
        ]
        for part in Part
    }
    fitted = fit(found[Part.TUNING])
    for name, calibration in (("the model's own", Calibration()), (f"slope {fitted.slope}", fitted)):
        others = found[Part.REPORT]
        sys.stdout.write(
            f"{name}: {len(others)} tokens, Brier score {brier(calibration, others):.4f}, "
            f"calibration error {calibration_error(calibration, others):.4f}, loss {loss(calibration, others):.4f}\n"
        )
    if arguments.write:
        path = Path(arguments.model or EMBEDDED) / CALIBRATION
        path.write_text(json.dumps(asdict(fitted), indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
