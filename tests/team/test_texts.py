"""Cuts of real files through the whole host give the texts that a decoder in this process gives."""

from __future__ import annotations

import ast
import json
import random
import sysconfig
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.oracles.cpython import TARGET
from tests.team.demo import host

import dovetail
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits
from dovetail.decoding.request import Request
from dovetail.model.hosting import load_model
from dovetail.team.writer import open_window

CUTS = 50
TOKENS = 32


def cuts() -> list[tuple[str, str]]:
    """Return files of the standard library in which the rest of a line is missing, the same at every run."""
    chance = random.Random(20)
    paths = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    found: list[tuple[str, str]] = []
    for path in chance.sample(paths, len(paths)):
        text = path.read_text("utf-8", errors="replace")
        places = [end for end in range(len(text)) if text[end] == "\n"]
        if not 2_000 < len(text) < 40_000 or not places:
            continue
        end = chance.choice(places)
        line = text[text.rfind("\n", 0, end) + 1 : end]
        if len(line.strip()) < 4:
            continue
        place = end - chance.randrange(len(line.lstrip()))
        found.append((text[:place], text[end:]))
    return found[:CUTS]


def asked(address: str, left: str, right: str) -> str:
    """Return the text that a host gives."""
    body = json.dumps({"prompt": left, "suffix": right, "max_tokens": TOKENS}).encode()
    request = urllib.request.Request(f"{address}/v1/completions", body)
    with urllib.request.urlopen(request, timeout=600) as answer:
        return str(json.load(answer)["choices"][0]["text"])


@pytest.mark.long
def test_texts_are_those_of_a_decoder_here() -> None:
    """Over two replicas and four clients, each text is the local decoder's, and each makes its file a program."""
    places = cuts()
    # No text is limited by the time, which differs between machines.
    with host("replicas = 2\nmost_seconds = 600\n") as (address, _), ThreadPoolExecutor(4) as threads:
        there = list(threads.map(lambda place: asked(address, *place), places))
    decoder, language = Decoder(load_model(None)), dovetail.load_language("python")
    for (left, right), text in zip(places, there, strict=True):
        quotient = open_window(language, left, right)
        request = Request(left, right, lambda quotient=quotient: quotient, Limits(TOKENS))
        assert text == (decoder.complete(request).text or "")
        if text:
            ast.parse(left + text + right, feature_version=(3, int(TARGET.partition(".")[2])))
    assert len(places) == CUTS
    offered = sum(map(bool, there))
    assert offered > CUTS // 2
