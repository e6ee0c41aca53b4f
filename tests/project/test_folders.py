"""The files that may be read: none that is ignored, secret, outside, too large or reached by a link."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from dovetail.project.folders import LARGEST, Folders
from dovetail.project.secrets import holds_secret, names_secret

if TYPE_CHECKING:
    from pathlib import Path

ALLOWED = ("app.py", "pkg/part.py", "pkg/environment.py", "pkg/keys.py")
FORBIDDEN = (
    "build/made.py", "pkg/generated_a.py", ".hidden/x.py", "node_modules/y.py", "venv/lib/z.py", "credentials.py",
    "pkg/local_settings.py", "aws_secrets/reader.py", "pkg/.env.py", "id_rsa.py",
)  # fmt: skip


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """Return a folder with files that may be read, files that may not, and a file beside it."""
    root = tmp_path / "root"
    for name in (*ALLOWED, *FORBIDDEN):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"name = {name!r}\n")
    (root / "venv/pyvenv.cfg").touch()
    (root / ".gitignore").write_text("build/\n")
    (root / "pkg/.gitignore").write_text("generated_*\n")
    (root / "large.py").write_text("x = 1\n" * (LARGEST // 6 + 1))
    (root / "binary.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "outside.py").write_text("x = 1\n")
    return root


def test_only_what_is_allowed_is_read(root: Path) -> None:
    """Exactly the allowed files are found and read; asked for by name, the others are refused too."""
    folders = Folders([str(root)])
    found = {path.removeprefix(f"{root.resolve().as_posix()}/") for path in folders.files()}
    assert found == {*ALLOWED, "large.py", "binary.py"}  # these two are refused when they are read
    for name in ALLOWED:
        assert folders.read(str(root / name)) == f"name = {name!r}\n"
    for name in (*FORBIDDEN, "large.py", "binary.py", "../outside.py", "missing.py", "pkg"):
        assert folders.read(str(root / name)) is None, name


def test_a_rule_of_today_holds(root: Path) -> None:
    """Rules that were written since are followed by the same folders, anew."""
    folders = Folders([str(root)])
    assert folders.allows(str(root / "app.py"))
    (root / ".gitignore").write_text("app.py\n")
    assert not folders.anew().allows(str(root / "app.py"))


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_no_link_leads_out(root: Path) -> None:
    """A link to a file or folder outside is not followed, and one to an ignored file is refused."""
    (root / "link.py").symlink_to(root.parent / "outside.py")
    (root / "folder").symlink_to(root.parent)
    (root / "made.py").symlink_to(root / "build/made.py")
    folders = Folders([str(root)])
    assert not {"link.py", "outside.py", "made.py"} & {path.rpartition("/")[2] for path in folders.files()}
    for name in ("link.py", "folder/outside.py", "made.py"):
        assert folders.read(str(root / name)) is None


def test_folders_within_folders(root: Path) -> None:
    """A file in two folders has its place in the inner one, and the rules of both hold."""
    folders = Folders([str(root), str(root / "pkg"), str(root / "missing")])
    assert folders.place(str(root / "pkg/part.py")) == ("pkg", "part.py")
    assert folders.place(str(root / "app.py")) == ("root", "app.py")
    assert folders.place(str(root.parent / "outside.py")) is None
    assert not Folders([str(root), str(root / "build")]).allows(str(root / "build/made.py"))


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        (".env", True), (".env.production", True), ("server.pem", True), ("id_ed25519", True), (".netrc", True),
        ("my-secrets.json", True), ("service_account.json", True), ("API_KEY.py", True), ("prod.tfvars", True),
        ("key.py", False), ("monkey.py", False), ("environment.py", False), ("settings.py", False),
        ("keyboard.json", False), ("passes.py", False),
    ],
)  # fmt: skip
def test_names_of_secrets(name: str, secret: bool) -> None:
    """Names that people give to secrets are known, and names that only look alike are not."""
    assert names_secret(name) is secret


KEYS = [
    *("AKIA" + "A1" * 8, "ghp_" + "a" * 36, "gho_" + "a" * 36, "ghu_" + "a" * 36, "ghs_" + "a" * 36, "ghr_" + "a" * 36),
    *("-----BEGIN OPENSSH PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----", "github_pat_" + "b" * 22),
    *("glpat-" + "c" * 20, "xoxb-" + "1" * 10, "xoxa-" + "1" * 10, "xoxp-" + "1" * 10, "xoxr-" + "1" * 10),
    *("xoxs-" + "1" * 10, "sk-" + "d" * 20, "hf_" + "E" * 30, "AIza" + "f" * 35),
]


@pytest.mark.parametrize("key", KEYS)
def test_keys_in_texts(key: str) -> None:
    """A key is found within a line."""
    assert holds_secret(f"x = '{key}'")
    assert not holds_secret("x = 'a common text'")
