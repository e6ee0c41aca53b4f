"""The server of the page: HTTP on the loopback interface, for one browser on this machine.

Any page that a browser shows may try to reach a server on 127.0.0.1. So four things are asked of a request. Its path
begins with a token that only the person who started the server knows. Its `Host` is this server's own, which keeps out
names that a foreign DNS server points here. Its `Origin`, if it has one, is this server's. A question is JSON, which a
foreign page cannot send without asking first, and nobody answers that. The page itself may load nothing from elsewhere.
"""

from __future__ import annotations

import json
import secrets
import sys
import traceback
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any, cast

from dovetail.play.playground import LONGEST, RequestError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.play.playground import Playground

_HOST = "127.0.0.1"
_PAGE = Path(__file__).with_name("page")
_FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
    "page.js": ("page.js", "text/javascript; charset=utf-8"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
    "NOTICES.txt": ("NOTICES.txt", "text/plain; charset=utf-8"),
}
"""Path after the token → file and type."""

_QUESTIONS = ("examine", "try")
_MOST_BYTES = 8 * LONGEST
"""The most bytes of a question: JSON may write a character as six, and there is more in it than the text."""

_FAILED = "The engine failed on this text: the terminal shows where; please report it with the text."

_IDLE = 60.0
"""Seconds after which a connection is closed on which nothing comes."""

_POLICY = (
    "default-src 'self'; style-src 'self' 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_NONCE = b"{nonce}"
"""Stands in the page for a value that allows the editor's own style sheet, and no other."""


class PageServer(ThreadingHTTPServer):
    """The server of one playground; `serve_forever` serves until `shutdown`.

    Raises OSError if the port cannot be used.
    """

    daemon_threads = True  # An open connection does not keep the process alive.
    allow_reuse_address = sys.platform != "win32"  # There two programs could then have one port.

    def __init__(self, playground: Playground, port: int = 0) -> None:
        self.playground = playground
        self.token = secrets.token_urlsafe(24)
        super().__init__((_HOST, port), _Handler)

    def server_bind(self) -> None:
        """Take the port, without looking up the name of this machine as other servers of HTTP do."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = _HOST, self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Pass over a browser that is gone before it has its answer; show any other error in the terminal."""
        error = sys.exception()
        if not isinstance(error, ConnectionError | TimeoutError):
            traceback.print_exc()

    @property
    def url(self) -> str:
        """The address of the page, with the token."""
        return f"http://{_HOST}:{self.server_port}/{self.token}/"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The values of the `Host` field under which the server answers."""
        return f"{_HOST}:{self.server_port}", f"localhost:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    """One connection of a browser."""

    protocol_version = "HTTP/1.1"
    server_version = "dovetail"
    sys_version = ""
    timeout = _IDLE

    @property
    def page_server(self) -> PageServer:
        return cast("PageServer", self.server)

    def do_GET(self) -> None:
        """Answer with a file of the page or with the list of languages."""
        path = self._path()
        if path is None:
            return
        if path == "languages":
            self._answer(self.page_server.playground.languages())
        elif path in _FILES:
            name, kind = _FILES[path]
            nonce = secrets.token_urlsafe(16)
            content = (_PAGE / name).read_bytes()
            if path == "":
                content = content.replace(_NONCE, nonce.encode())
            self._send(HTTPStatus.OK, content, kind, nonce)
        elif path in _QUESTIONS:
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "Ask with POST.", allow="POST")
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "There is nothing here.")

    def do_POST(self) -> None:
        """Answer a question of the page."""
        path = self._path()
        if path is None:
            return
        if path not in _QUESTIONS:
            known = path == "languages" or path in _FILES
            status = HTTPStatus.METHOD_NOT_ALLOWED if known else HTTPStatus.NOT_FOUND
            self._refuse(status, "No question is asked here.", allow="GET" if known else None)
            return
        question = self._question()
        if question is None:
            return
        playground = self.page_server.playground
        try:
            answer = playground.examine(question) if path == "examine" else playground.try_text(question)
        except RequestError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        except Exception:
            traceback.print_exc()
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, _FAILED)
            return
        self._answer(answer)

    def refuse_method(self) -> None:
        """Refuse a method that the page does not use."""
        if self._path() is not None:
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and POST are answered.", allow="GET, POST")

    do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = refuse_method  # noqa: N815

    def _path(self) -> str | None:
        """Return the path after the token; answer and return None if the request may not come in."""
        server = self.page_server
        if self.headers.get_all("Host") not in [[host] for host in server.hosts]:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "This server has another name.")
            return None
        origin = self.headers.get("Origin")
        if origin is not None and origin not in [f"http://{host}" for host in server.hosts]:
            self._refuse(HTTPStatus.FORBIDDEN, "Other pages are not answered.")
            return None
        token, slash, path = self.path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(token.encode(), server.token.encode()):
            self._refuse(HTTPStatus.NOT_FOUND, "Open the address that `dovetail play` prints: it has a token.")
            return None
        return path

    def _question(self) -> Mapping[str, Any] | None:
        """Return the JSON object of a question; answer and return None if there is none."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or "Transfer-Encoding" in self.headers:
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "A question says how long it is.")
            return None
        if int(length) > _MOST_BYTES:
            self._refuse(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The text is longer than {LONGEST:,} characters: shorten it."
            )
            return None
        content = self.rfile.read(int(length))
        if self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A question is JSON.")
            return None
        try:
            question = json.loads(content)
        except (ValueError, RecursionError):
            question = None
        if not isinstance(question, dict):
            self._refuse(HTTPStatus.BAD_REQUEST, "A question is a JSON object.")
            return None
        return question

    def _answer(self, answer: Mapping[str, object]) -> None:
        # ASCII alone: half a surrogate pair, which a text may hold, has no other form.
        self._send(HTTPStatus.OK, json.dumps(answer).encode("ascii"), "application/json")

    def _refuse(self, status: HTTPStatus, sentence: str, allow: str | None = None) -> None:
        # The rest of the request is not read, so nothing more can come on this connection.
        self.close_connection = True
        self._send(status, f"{sentence}\n".encode(), "text/plain; charset=utf-8", allow=allow)

    def _send(
        self, status: HTTPStatus, content: bytes, kind: str, nonce: str | None = None, allow: str | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", _POLICY.format(nonce=nonce or secrets.token_urlsafe(16)))
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Referrer-Policy", "no-referrer")  # The address holds the token.
        self.send_header("X-Content-Type-Options", "nosniff")
        if allow is not None:
            self.send_header("Allow", allow)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request that is no HTTP, or of an unknown method, as any other is refused."""
        self._refuse(HTTPStatus(code), message or HTTPStatus(code).phrase)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Write nothing: the terminal is the user's, and an address holds the token."""
