"""`dovetail convert`: a model of transformers as a GGUF file, which needs no torch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import dovetail
from dovetail.model.error import ModelError, require, require_extra

if TYPE_CHECKING:
    import argparse

TYPES = ("f32", "f16", "bf16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0")
"""From the largest to the smallest; those of `model/conversion.py`, which is imported late."""

_PLACES = 128
"""Tokens after which the two are compared."""

_FEWEST_SAME = 0.5
"""A file that has fewer likeliest tokens in common with its original is not one of the same model."""


EPILOG = """\
examples:
  dovetail convert ~/models/coder                        coder-q8_0.gguf, in this folder
  dovetail convert ~/models/coder --type f16 --output coder.gguf

exit codes:
  0  the file is written
  2  the model cannot be converted, or the file cannot be written
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a model of transformers: Llama or Qwen2")
    parser.add_argument(
        "--type", choices=TYPES, default="q8_0", help="the type of its numbers, from exact to small (default: q8_0)"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file (default: FOLDER's name-TYPE.gguf, here)")


def run(arguments: argparse.Namespace) -> int:
    """Convert, compare and print; return 0. Raises ModelError for what the user has to mend."""
    require_extra()
    require(("gguf",), "A conversion")
    folder: Path = arguments.folder
    if not (folder / "config.json").is_file():
        raise ModelError(f"The folder {folder} holds no model (no config.json): name one that does.")
    output: Path = arguments.output or Path(f"{folder.resolve().name}-{arguments.type}.gguf")
    if output.suffix != ".gguf":
        raise ModelError(f"{output} is no name of a GGUF file: name one that ends with .gguf.")
    if output.exists():
        raise ModelError(f"{output} exists: name another file with --output, or remove it.")

    # After `require_extra`, and here, since they import torch.
    from dovetail.model.conversion import compare, convert
    from dovetail.model.hosted import host, read_tokenizer
    from dovetail.model.runtimes.llama_cpp import host_gguf

    try:
        convert(folder, output, arguments.type, read_tokenizer(str(folder)))
    except OSError as error:
        raise ModelError(f"{output} cannot be written ({error.strerror or error}): name another place.") from error
    original = host(str(folder), folder.name, local=True, device="cpu")
    text = Path(dovetail.__file__).with_name("settings.py").read_text(encoding="utf-8")
    found = compare(original, host_gguf(output, output.stem, cpu=True), text, _PLACES)
    if not found.same_best >= _FEWEST_SAME:
        output.unlink()
        raise ModelError(
            f"The converted model proposes another token than {folder} at {1 - found.same_best:.0%} of {found.places} "
            "places, so it was not kept: choose a larger type, or take a GGUF file that its authors offer."
        )
    sys.stdout.write(
        f"{output}: {output.stat().st_size / 1e6:,.1f} MB. After {found.places} tokens each: the same likeliest token "
        f"at {found.same_best:.1%}, log-probabilities differ by at most {found.difference:.3f}.\n"
    )
    return 0
