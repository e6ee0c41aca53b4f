"""The audit log's file."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

from dovetail.team.audit_log import AuditEntry, FileAuditLog

if TYPE_CHECKING:
    from pathlib import Path


def test_lines_are_appended_for_the_owner_alone(tmp_path: Path) -> None:
    """Entries follow those of an earlier run, each as one object, in a file that nobody else may read."""
    path = tmp_path / "audit.jsonl"
    for second in (1.0, 2.0):
        log = FileAuditLog(path, lambda second=second: second)
        log.note(AuditEntry("a\n", "/infill", 200, 0.12345, "python", 3, 4, 1))
        log.close()

    first, later = map(json.loads, path.read_text("utf-8").splitlines())
    assert first == {
        "time": 1.0, "key": "a\n", "door": "/infill", "status": 200, "seconds": 0.123, "language": "python",
        "left": 3, "right": 4, "texts": 1,
    }  # fmt: skip
    assert later["time"] == 2.0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_full_disk_costs_no_request() -> None:
    """A line that cannot be written is lost, and nothing else."""
    from pathlib import Path

    log = FileAuditLog(Path("/dev/full"))
    log.note(AuditEntry(None, "/infill", 200, 0.1))
    log.close()
