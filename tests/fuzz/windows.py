"""Windows of real files: whether the middle that stands there is followed to its end.

`python -m tests.fuzz.windows FILE... --count 1000` cuts windows as clients send them: some at line starts, some
anywhere, with up to 1,500 characters before the middle and 800 after it. It asks the likeliest beginnings first; a
middle that they refuse is asked of all beginnings, which have to follow it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

import dovetail


class Window(NamedTuple):
    """A part of a file."""

    left: str
    middle: str
    right: str


def cut(text: str, random: Random) -> Window:
    """Return a window of a text; every other one begins at a line start."""
    low = random.randrange(len(text))
    high = min(len(text), low + random.randrange(1, 40))
    begin = max(0, low - random.randrange(1, 1_500))
    if random.random() < 0.5:
        begin = text.rfind("\n", 0, begin) + 1
    return Window(text[begin:low], text[low:high], text[high : high + random.randrange(800)])


def follows(language: dovetail.Language, window: Window, *, likely: bool) -> bool:
    """Return whether a window's own middle is taken character by character and accepted at its end."""
    state = language.quotient(window.left, window.right, window="likely" if likely else True).start
    for character in window.middle:
        following = state.advance(character)
        if following is None:
            return False
        state = following
    return state.accepting


def main() -> int:
    """Cut windows and print what became of them; return 1 if a true middle was refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", default="python")
    options = parser.parse_args()
    random = Random(options.seed)
    language = dovetail.load_language(options.language)
    texts = [text for file in options.files if language.accepts(text := file.read_text(encoding="utf-8"))]
    likely = refused = 0
    began = time.process_time()
    for _ in range(options.count):
        window = cut(random.choice(texts), random)
        if follows(language, window, likely=True):
            likely += 1
        elif not follows(language, window, likely=False):
            refused += 1
            sys.stdout.write(f"refused: {window!r}\n")
    seconds = time.process_time() - began
    sys.stdout.write(
        f"{options.count} windows of {len(texts)} files, seed {options.seed}, {seconds:.0f} s of processor time:\n"
        f"followed by the likeliest beginnings {likely}, by others {options.count - likely - refused}\n"
        f"refused {refused}\n"
    )
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
