"""`python -m tests.team.ray_demo`: the demonstration of `demo.py` on a Ray of this machine.

It needs an environment with `dovetail[ray]`, which `make team-demo` makes.
"""

from __future__ import annotations

import sys

from tests.team.demo import say, show
from tests.team.ray_cluster import ray_cluster


def main() -> int:
    """Start Ray and show the host's answers; return 1 if something is no program."""
    say("Starting Ray with a host on it: some ten seconds, more on a busy machine.")
    with ray_cluster("replicas = 1\n") as cluster:
        say(f"A host with the embedded model answers on Ray at {cluster.address}.\n")
        return 1 if show(cluster.address) else 0


if __name__ == "__main__":
    sys.exit(main())
