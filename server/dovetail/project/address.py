"""The paths of documents by their addresses."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import url2pathname


def path_of(uri: str) -> str | None:
    """Return the path of a file by its address; None for what is no file of this machine.

    >>> path_of("file:///home/ann/my%20shop/cart.py")
    '/home/ann/my shop/cart.py'
    >>> path_of("untitled:Untitled-1")
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = url2pathname(parts.path)
    return None if "\0" in path else path
