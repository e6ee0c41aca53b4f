"""Stages import only what stands before them, and heavy packages stay in their rooms."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import dovetail

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(dovetail.__file__).parent

STAGES = [
    "vocabulary",
    "automata",
    "grammar",
    "value_kinds",
    "settings",
    "statistics",
    "lexing",
    "parsing",
    "suffix",
    "closing",
    "quotient",
    "recovery",
    "diagnostics",
    "engine",
    "masking",
    "comparison",
    "decoding",
    "project",
    "model",
    "integrations",
    "completer",
    "lsp",
    "play",
    "team",
    "evaluation",
    "commands",
]
"""In the order of the data: a stage imports only those before it."""

FACE = STAGES.index("engine")
"""The package itself offers the engine: it stands where `engine` stands."""

_MOST_LINES = 350

_FETCHED = {"node_modules", "dist", "build"}
"""Folders of what is fetched or made."""

ROOMS = {
    "torch": ["model", "integrations/transformers.py"],
    "transformers": ["model", "integrations/transformers.py"],
    "tokenizers": ["model"],
    "httpx2": ["model/engines/connection.py"],
    "gguf": ["model/conversion.py"],
    "safetensors": ["model"],
    "pygls": ["lsp"],
    "lsprotocol": ["lsp"],
    "prometheus_client": ["lsp/metrics.py", "team/team_metrics.py"],
    "uvicorn": ["team/listener.py"],
    "ray": ["team/ray_app.py"],
    "lark": ["grammar/reading.py"],
}
"""Package → the only folders or files that may import it."""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and absolute name of everything that a file imports, wherever in the file it does."""
    package = ["dovetail", *path.relative_to(ROOT).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"


def stage(parts: tuple[str, ...]) -> int:
    """Return the place of a file or module of the package among the stages, by its path in the package."""
    name = parts[0].removesuffix(".py") if parts else "__init__"
    if name == "__main__":
        return len(STAGES)
    return STAGES.index(name) if name in STAGES else FACE


FILES = sorted(ROOT.rglob("*.py"))


def test_every_file_can_be_read_at_a_sitting() -> None:
    """No file of the server, of the tests or of the clients has more than 350 lines."""
    repository = Path(__file__).resolve().parents[1]
    files = [
        path
        for folder in ("server", "tests", "client-neovim", "client-play", "client-vscode")
        for path in (repository / folder).rglob("*")
        if path.suffix in {".py", ".ts", ".mjs", ".lua", ".el"} and not _FETCHED.intersection(path.parts)
    ]
    assert len(files) > len(STAGES)

    assert [path for path in files if len(path.read_text(encoding="utf-8").splitlines()) > _MOST_LINES] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_backwards(path: Path) -> None:
    """A file imports only from its own stage and from stages before it."""
    parts = path.relative_to(ROOT).parts
    own = stage(parts)
    forward = [
        f"line {line}: {name}"
        for line, name in imports(path)
        if name.split(".")[0] == "dovetail" and stage(tuple(name.split(".")[1:])) > own
    ]

    assert forward == []


def module(path: Path) -> str:
    """Return the dotted name of a file, without the package's own name; empty for the package itself."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix("__init__").removesuffix(".")


def graph(paths: list[Path]) -> dict[str, set[str]]:
    """Return module → the modules among these files that it imports, for its types alone or inside functions too."""
    names = {module(path) for path in paths}
    found: dict[str, set[str]] = {name: set() for name in names}
    for path in paths:
        for _, imported in imports(path):
            parts = imported.split(".")
            if parts[0] != "dovetail":
                continue
            # `from dovetail.lexing.lexer import Lexer` imports the longest prefix that is a module.
            prefixes = (".".join(parts[1:length]) for length in range(len(parts), 0, -1))
            found[module(path)].add(next(prefix for prefix in prefixes if prefix in names))
    return found


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Return the sets of modules that reach one another by imports, and modules that import themselves."""
    reached = {name: after(graph, name) for name in graph}
    found = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph}
    return sorted((set(circle) for circle in found if circle), key=sorted)


def after(graph: dict[str, set[str]], start: str) -> set[str]:
    """Return the modules that one imports, at first or at second hand."""
    found: set[str] = set()
    work = [start]
    while work:
        fresh = graph[work.pop()] - found
        found |= fresh
        work += fresh
    return found


def test_no_modules_import_one_another() -> None:
    """No module imports itself through others, not even for types or inside a function."""
    assert circles(graph(FILES)) == []


def test_circles_are_found() -> None:
    """A circle, a module that imports itself, and modules that are in no circle are told apart."""
    found = circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"d", "a"}, "e": set()})

    assert found == [{"b", "c"}, {"d"}]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_packages_stay_in_their_rooms(path: Path) -> None:
    """Torch, transformers, pygls and Lark are imported only where the table says."""
    inside = path.relative_to(ROOT).as_posix()
    strays = [
        f"line {line}: {name}"
        for line, name in imports(path)
        if (rooms := ROOMS.get(name.split(".")[0])) is not None
        and not any(inside == room or inside.startswith(f"{room}/") for room in rooms)
    ]

    assert strays == []


def test_every_folder_is_a_stage() -> None:
    """A new folder or file of the package has to find its place in the table first."""
    names = {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in FILES}

    assert set() == names - set(STAGES) - {"__init__", "__main__"}


def test_import_is_light() -> None:
    """`import dovetail` brings in neither torch nor transformers nor pygls."""
    heavy = ["torch", "transformers", "pygls", "lsprotocol", "numpy"]
    script = f"import sys, dovetail; print([name for name in {heavy} if name in sys.modules])"

    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert printed.stdout.strip() == "[]"


def test_the_reader_of_imports_sees_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain, relative and local imports are all found, with the absolute name."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "lexing" / "lexer.py"
    path.parent.mkdir()
    path.write_text("import a.b\nfrom . import seam\nfrom ..model import host\ndef f():\n    from c import d\n")

    assert sorted(imports(path)) == [
        (1, "a.b"),
        (2, "dovetail.lexing.seam"),
        (3, "dovetail.model.host"),
        (5, "c.d"),
    ]


def test_no_two_classes_share_a_name() -> None:
    """A class's name says which class it is: no two in the package have the same one."""
    places: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(f"{path.relative_to(ROOT).as_posix()}:{node.lineno}")

    assert {name: found for name, found in places.items() if len(found) > 1} == {}
