"""Files that are likely to hold secrets; no part of them is shown to a model beside another file."""

from __future__ import annotations

import re

_NAMES = re.compile(
    r"\.env.*|.*\.(env|key|pem|p12|pfx|jks|keystore|kdbx|ppk|ovpn|tfvars|tfstate)"
    r"|\.(netrc|npmrc|pypirc|htpasswd|git-credentials|pgpass|my\.cnf)|id_(rsa|dsa|ecdsa|ed25519).*"
    r"|.*(secret|credential|passwd|password|private[-_.]?key|api[-_.]?key|service[-_.]?account).*"
    r"|(local[-_.]?settings|settings[-_.]?local)\..*",
    re.IGNORECASE,
)
"""The names of files and folders, whole."""

# The beginnings of keys whose makers gave them a form by which they are found.
_TEXTS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}|\bgithub_pat_\w{22}|\bglpat-[\w-]{20}"
    r"|\bxox[abprs]-[\w-]{10}|\bsk-[\w-]{20}|\bhf_[A-Za-z]{30}|\bAIza[\w-]{35}"
)

_BEGINNINGS = (
    *("PRIVATE KEY", "AKIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *("github_pat_", "glpat-", "xox", "sk-", "hf_", "AIza"),
)
"""Parts of them, of which a text without a key has none, nearly always. To look for these takes a hundredth as long."""


def names_secret(name: str) -> bool:
    """Return whether a file or folder of this name is likely to hold secrets.

    >>> names_secret(".env.local"), names_secret("aws_credentials.py"), names_secret("environment.py")
    (True, True, False)
    """
    return _NAMES.fullmatch(name) is not None


def holds_secret(text: str) -> bool:
    """Return whether a text holds what looks like a key.

    >>> holds_secret("-----BEGIN RSA PRIVATE KEY-----")
    True
    """
    return any(beginning in text for beginning in _BEGINNINGS) and _TEXTS.search(text) is not None
