"""`python -m tests.team.ray_trial`: the application on a Ray of this machine, asked by the lines of `docs/team.md`.

A replica is killed meanwhile. It needs an environment with `dovetail[ray]`, which `make team-ray` makes, and takes some
minutes.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import ray
from ray import serve
from tests.team.demo import WRITTEN, ask, lines

from dovetail.team.ray_app import build

_PORT = 8799


def main() -> int:
    """Start everything, ask, kill a replica, ask again; return 1 if something is wrong."""
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # it would write a token to the home folder
    address = WRITTEN.replace("8750", str(_PORT))
    began = time.monotonic()
    ray.init(include_dashboard=False, logging_level="error", log_to_driver=False)
    serve.start(http_options={"host": "127.0.0.1", "port": _PORT})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "team.toml"
        path.write_text("replicas = 2\nmost_waiting = 200\n", "utf-8")
        serve.run(build({"configuration": str(path)}), name="team")
    sys.stdout.write(f"Ray answers at {address} after {time.monotonic() - began:.0f} s.\n")
    wrong = 0
    for line in lines():
        answered = ask(line, address)
        sys.stdout.write(f"{answered.text!r}\n")
        answered.check()
        wrong += not answered.text
    body = json.dumps({"prompt": "def f(a, b):\n    return (", "suffix": ")\n"}).encode()

    def once(number: int) -> tuple[int, float]:
        start = time.monotonic()
        headers = {"x-session-id": f"document {number % 8}"}
        with urllib.request.urlopen(urllib.request.Request(f"{address}/v1/completions", body, headers)) as answer:
            return answer.status, time.monotonic() - start

    for killed in (False, True):
        with ThreadPoolExecutor(4) as threads:
            running = [threads.submit(once, number) for number in range(80)]
            if killed:
                running[20].result()
                os.kill(_replica(), signal.SIGKILL)
            done = sorted((each.result() for each in running), key=lambda each: each[1])
        times = f"median {1000 * done[40][1]:.0f} ms, p95 {1000 * done[76][1]:.0f} ms"
        lost = sum(status != 200 for status, _ in done)
        sys.stdout.write(f"80 requests{' around the end of a replica' if killed else ''}: {times}, {lost} lost.\n")
        wrong += lost
    serve.shutdown()
    ray.shutdown()
    return 1 if wrong else 0


def _replica() -> int:
    """Return the process of one replica."""
    names = {process.pid: process.name() + " ".join(process.cmdline()) for process in psutil.process_iter()}
    return int(next(pid for pid, name in names.items() if "ServeReplica:team:replicas" in name))


if __name__ == "__main__":
    sys.exit(main())
