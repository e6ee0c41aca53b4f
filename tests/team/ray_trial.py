"""`python -m tests.team.ray_trial`: the application on a Ray of this machine, asked as its users ask it.

The lines of `docs/team.md`, requests of four clients at once while a replica is killed, and sessions of Dovetail's own
client (`ray_sessions.py`). It needs an environment with `dovetail[ray]`, which `make team-ray` makes, and takes a
minute or two.
"""

from __future__ import annotations

import ast
import json
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from tests.team.demo import say, show
from tests.team.ray_cluster import RayCluster, ray_cluster
from tests.team.ray_sessions import try_sessions

_CONFIGURATION = "replicas = 2\nmost_waiting = 200\n"
_CHANGED = f"{_CONFIGURATION}most_tokens = 32\n"
"""Another configuration: Ray replaces the doors and one replica after the other."""

_LEFT, _RIGHT = "def f(a, b):\n    return (", ")\n"
_REQUESTS = 80


def main() -> int:
    """Start everything, ask, kill replicas, change the deployment; return 1 if something is wrong."""
    began = time.monotonic()
    with ray_cluster(_CONFIGURATION) as cluster:
        say(f"Ray answers at {cluster.address} after {time.monotonic() - began:.0f} s.\n")
        wrong = show(cluster.address) + _crowd(cluster, killed=False) + _crowd(cluster, killed=True)
        wrong += try_sessions(cluster, _CHANGED)
    say("All is well." if wrong == 0 else f"{wrong} things went wrong.")
    return 1 if wrong else 0


def _crowd(cluster: RayCluster, *, killed: bool) -> int:
    """Ask eighty times from four threads, while a replica is killed if wanted; return how many were lost or wrong."""
    body = json.dumps({"prompt": _LEFT, "suffix": _RIGHT}).encode()

    def once(number: int) -> float:
        """Return the seconds that a request took; raises SyntaxError and URLError."""
        began = time.monotonic()
        headers = {"x-session-id": f"document {number % 8}"}
        asked = urllib.request.Request(f"{cluster.address}/v1/completions", body, headers)
        with urllib.request.urlopen(asked, timeout=600) as answer:
            text = json.load(answer)["choices"][0]["text"]
        ast.parse(_LEFT + text + _RIGHT)
        return time.monotonic() - began

    times: list[float] = []
    with ThreadPoolExecutor(4) as threads:
        running = [threads.submit(once, number) for number in range(_REQUESTS)]
        if killed:
            running[_REQUESTS // 4].result()
            cluster.kill_replica()
        for each in running:
            try:
                times.append(each.result())
            except (OSError, SyntaxError) as error:
                say(f"  {error}")
    lost = _REQUESTS - len(times)
    what = "around the end of a replica" if killed else "of four clients"
    median = f", median {1000 * sorted(times)[len(times) // 2]:.0f} ms" if times else ""
    say(f"{_REQUESTS} requests {what}{median}: {lost} lost.")
    return lost


if __name__ == "__main__":
    sys.exit(main())
