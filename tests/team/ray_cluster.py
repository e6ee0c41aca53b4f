"""A Ray of this machine with the application on it, small enough for a laptop, patient enough for a busy one."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

# Ray and its processes read these when they begin. They have to share a secret, which is made for one run, so that no
# other user of the machine can run code in them. The other numbers are for a busy machine.
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
os.environ.setdefault("RAY_raylet_start_wait_time_s", "60")
os.environ.setdefault("RAY_worker_register_timeout_seconds", "300")
os.environ.setdefault("RAY_gcs_server_request_timeout_seconds", "300")
os.environ.setdefault("RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S", "200")
os.environ.setdefault("RAY_SERVE_PROXY_HEALTH_CHECK_TIMEOUT_S", "100")

import psutil
import ray
from ray import serve
from tests.team.demo import say

from dovetail.team.ray_app import build

if TYPE_CHECKING:
    from collections.abc import Iterator

_STORE = 100 << 20
"""Bytes of the memory that Ray's processes share; requests and texts are small."""

_STARTS = 4
"""Starts of Ray at most. Its node ends if its agents take more than half a minute, and no setting gives them longer."""


class RayCluster:
    """A running Ray and its application."""

    def __init__(self, port: int) -> None:
        """Know where its doors are."""
        self.address = f"http://127.0.0.1:{port}"

    def deploy(self, configuration: str) -> None:
        """Deploy the application with a configuration, in the place of the one before if there is one."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "team.toml"
            path.write_text(configuration, "utf-8")
            serve.run(build({"configuration": str(path)}), name="team")

    def kill_replica(self) -> None:
        """Kill the process of a replica, as a machine that dies would."""
        os.kill(self.replicas()[0], signal.SIGKILL)

    def replicas(self) -> list[int]:
        """Return the processes of all replicas; other Rays of the machine are not looked at."""
        ours = psutil.Process().children(recursive=True)
        return [each.pid for each in ours if "ServeReplica:team:replicas" in _title(each)]


@contextmanager
def ray_cluster(configuration: str, processors: int = 3) -> Iterator[RayCluster]:
    """Start Ray with the application, and end both after use.

    `processors`: how many Ray takes the machine to have; each replica wants one, and each that replaces another too.
    """
    _start(processors)
    try:
        port = _free_port()
        serve.start(http_options={"host": "127.0.0.1", "port": port})
        cluster = RayCluster(port)
        cluster.deploy(configuration)
        yield cluster
    finally:
        serve.shutdown()
        ray.shutdown()


def _start(processors: int) -> None:
    """Start Ray, again if it ends over its own start."""
    logging.getLogger("ray.serve").setLevel(logging.WARNING)
    for number in range(1, _STARTS + 1):
        try:
            ray.init(
                num_cpus=processors,
                object_store_memory=_STORE,
                include_dashboard=False,
                logging_level="error",
                log_to_driver=False,
            )
            return
        except Exception as error:  # Ray raises plain ones
            ray.shutdown()
            if number == _STARTS:
                raise
            say(f"Ray did not start, as happens on a busy machine, and is started again: {error}")


def _title(process: psutil.Process) -> str:
    """Return what a process calls itself, nothing if it has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def _free_port() -> int:
    """Return a port that nothing listens at: Ray takes a number, and tells none that it chose itself."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
