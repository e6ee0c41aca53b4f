"""The page's server answers its own page, and nobody else."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.play.page_server import PageServer
from dovetail.play.playground import Playground

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(dovetail.__file__).with_name("play") / "page"
PATIENCE = 120.0
QUESTION = {"language": "json", "version": None, "left": "[1, ", "right": "]"}


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[PageServer]:
    with PageServer(Playground()) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join(PATIENCE)


class Answer:
    """Status, fields and content of a response."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.fields = response.headers
        self.text = response.read().decode()


def ask(
    server: PageServer, method: str, path: str, body: object = None, token: str | None = None, **fields: str
) -> Answer:
    """Send a request; `path` comes after the token. Fields are written with `_` for `-`."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    content = body if isinstance(body, str) else None if body is None else json.dumps(body)
    headers = {key.replace("_", "-"): value for key, value in fields.items()}
    if content is not None:
        headers.setdefault("Content-Type", "application/json")
    try:
        target = f"/{server.token if token is None else token}/{path}"
        connection.request(method, target, None if content is None else content.encode(), headers)
        return Answer(connection.getresponse())
    finally:
        connection.close()


def test_the_page_and_its_files(server: PageServer) -> None:
    """The page names its files, and each is there with its type."""
    page = ask(server, "GET", "")
    named = re.findall(r'(?:href|src)="([^"]+)"', page.text)

    assert page.status == 200
    assert set(named) == {"icon.svg", "page.css", "page.js", "NOTICES.txt"}
    types = {
        "icon.svg": "image/svg+xml",
        "page.css": "text/css",
        "page.js": "text/javascript",
        "NOTICES.txt": "text/plain",
    }
    for name in named:
        answer = ask(server, "GET", name)
        assert answer.status == 200
        assert answer.fields.get_content_type() == types[name]
        assert answer.text != ""


def test_the_page_is_small() -> None:
    """The script stays below 500 KB, and its licences stand beside it."""
    assert (PAGE / "page.js").stat().st_size < 500_000
    notices = (PAGE / "NOTICES.txt").read_text("utf-8")
    assert "@codemirror/view" in notices
    assert "MIT License" in notices


def test_a_question(server: PageServer) -> None:
    """The two questions and the list of languages are answered as JSON."""
    examined = ask(server, "POST", "examine", QUESTION)
    tried = ask(server, "POST", "try", {**QUESTION, "text": "}"})
    offered = ask(server, "GET", "languages")

    assert (examined.status, tried.status, offered.status) == (200, 200, 200)
    assert json.loads(examined.text)["closing"] == "0"
    assert json.loads(tried.text)["by"] == "left"
    assert "json" in [each["name"] for each in json.loads(offered.text)["languages"]]
    assert examined.fields["Content-Type"] == "application/json"


def test_only_this_machine_can_connect(server: PageServer) -> None:
    """The server is bound to the loopback address alone."""
    assert server.server_address[0] == "127.0.0.1"
    assert server.url == f"http://127.0.0.1:{server.server_port}/{server.token}/"


def test_the_page_says_that_it_starts_before_its_script_runs(server: PageServer) -> None:
    """The place of the verdict is filled in the page itself, so nobody looks at empty panels."""
    assert re.search(r'id="verdict"[^>]*>The engine is starting …</p>', ask(server, "GET", "").text)


def test_the_page_may_load_nothing_from_elsewhere(server: PageServer) -> None:
    """Every answer has the policy; only the page's own value allows a style sheet, and it is new each time."""
    answers = [ask(server, "GET", ""), ask(server, "GET", ""), ask(server, "GET", "page.js"), ask(server, "GET", "x")]
    policies = [answer.fields["Content-Security-Policy"] for answer in answers]

    for answer, policy in zip(answers, policies, strict=True):
        assert policy.startswith("default-src 'self'; style-src 'self' 'nonce-")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.fields["Referrer-Policy"] == "no-referrer"
        assert answer.fields["X-Content-Type-Options"] == "nosniff"
        assert answer.fields["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in answer.fields
    assert len(set(policies)) == len(policies)
    nonce = re.search(r'name="style-nonce" content="([^"{]+)"', answers[0].text)
    assert nonce is not None
    assert f"'nonce-{nonce[1]}'" in policies[0]


@pytest.mark.parametrize("path", ["", "page.js", "languages", "examine"])
@pytest.mark.parametrize("token", ["", "wrong", "p%C3%A4ge"])
def test_nothing_without_the_token(server: PageServer, path: str, token: str) -> None:
    """A path without the token is answered as if nothing were there, and holds no word of the page."""
    method = "POST" if path == "examine" else "GET"

    answer = ask(server, method, path, QUESTION if method == "POST" else None, token=token)

    assert answer.status == 404
    assert answer.text == "Open the address that `dovetail play` prints: it has a token.\n"
    assert server.token not in answer.text


def test_tokens_are_new(server: PageServer) -> None:
    """Each server has a token of its own, too long to be guessed."""
    with PageServer(Playground()) as other:
        assert other.token != server.token
        assert len(other.token) >= 32


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.evil.example:{port}",
        "[::1]:{port}",
        "",
    ],
)
def test_other_names_are_refused(server: PageServer, host: str) -> None:
    """A foreign name that a DNS server points here reaches nothing, even with the token."""
    answer = ask(server, "GET", "", Host=host.format(port=server.server_port))

    assert answer.status == 421
    assert answer.text == "This server has another name.\n"


def test_the_two_own_names(server: PageServer) -> None:
    """`localhost` and the address are the server's own names."""
    for host in server.hosts:
        assert ask(server, "GET", "", Host=host).status == 200


def test_two_names_at_once(server: PageServer) -> None:
    """A request with two names is refused, and so is one with none."""
    for fields in ("", f"Host: {server.hosts[0]}\r\nHost: evil.example\r\n"):
        with socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) as connection:
            connection.sendall(f"GET /{server.token}/ HTTP/1.1\r\n{fields}\r\n".encode())
            with connection.makefile("rb") as answer:
                assert b" 421 " in answer.readline()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_other_pages_are_refused(server: PageServer, origin: str) -> None:
    """A question from a page of another origin is refused, even with the token."""
    answer = ask(server, "POST", "examine", QUESTION, Origin=origin.format(port=server.server_port))

    assert (answer.status, answer.text) == (403, "Other pages are not answered.\n")


def test_the_own_page_is_answered(server: PageServer) -> None:
    """The page's own origin may ask."""
    assert ask(server, "POST", "examine", QUESTION, Origin=f"http://{server.hosts[0]}").status == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        *((method, "", "GET, POST") for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")),
        ("GET", "examine", "POST"),
        ("GET", "try", "POST"),
        ("POST", "", "GET"),
        ("POST", "languages", "GET"),
    ],
)
def test_other_methods(server: PageServer, method: str, path: str, allowed: str) -> None:
    """A method that the page does not use is refused, with those that it may use."""
    answer = ask(server, method, path)

    assert (answer.status, answer.fields["Allow"]) == (405, allowed)


def test_unknown_paths_and_methods(server: PageServer) -> None:
    """There is nothing beside the page's files; no path leads out of their folder."""
    for path in ("x", "../page_server.py", "%2e%2e/page_server.py", "page.js/", "page.css?x"):
        assert ask(server, "GET", path).status == 404, path
        assert ask(server, "POST", path, {}).status == 404, path
    assert ask(server, "BREW", "").status == 501


@pytest.mark.parametrize(
    ("body", "status"),
    [("", 400), ("{", 400), ("[]", 400), ("1", 400), ("[" * 100_000, 400), ("{}", 400), ('{"language": 1}', 400)],
)
def test_questions_of_another_form(server: PageServer, body: str, status: int) -> None:
    """A question that is no JSON object, or lacks a text, is refused with one sentence."""
    answer = ask(server, "POST", "examine", body)

    assert answer.status == status
    assert answer.text.count("\n") == 1


def test_questions_in_another_type(server: PageServer) -> None:
    """Only JSON is read: what a form of another page could send is refused."""
    answer = ask(server, "POST", "examine", QUESTION, Content_Type="text/plain")

    assert answer.status == 415


@pytest.mark.parametrize(("length", "status"), [("999999999", 413), ("-1", 411), ("many", 411)])
def test_questions_of_a_wrong_length(server: PageServer, length: str, status: int) -> None:
    """A question that is too long is refused before it is read, and so is one of no length."""
    with socket.create_connection(("127.0.0.1", server.server_port), PATIENCE) as connection:
        fields = f"Host: {server.hosts[0]}\r\nContent-Length: {length}\r\n"
        connection.sendall(f"POST /{server.token}/examine HTTP/1.1\r\n{fields}\r\n".encode())
        with connection.makefile("rb") as answer:
            assert f" {status} ".encode() in answer.readline()


def test_a_failure_of_the_engine(
    server: PageServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failure is answered with one sentence, shown in the terminal, and the next question is answered again."""

    def fail(_: object) -> None:
        raise AssertionError("a broken invariant")

    with monkeypatch.context() as broken:
        broken.setattr(server.playground, "examine", fail)
        answer = ask(server, "POST", "examine", QUESTION)

    assert answer.status == 500
    assert answer.text.startswith("The engine failed on this text")
    assert "a broken invariant" in capsys.readouterr().err
    assert ask(server, "POST", "examine", QUESTION).status == 200


@pytest.mark.parametrize(
    ("error", "shown"), [(BrokenPipeError(), False), (ConnectionResetError(), False), (ValueError("a mistake"), True)]
)
def test_a_browser_that_is_gone(
    server: PageServer, capsys: pytest.CaptureFixture[str], error: Exception, shown: bool
) -> None:
    """A connection that is closed before its answer has come leaves no word in the terminal; other errors do."""
    try:
        raise error
    except Exception:
        server.handle_error(None, None)

    assert ("a mistake" in capsys.readouterr().err) == shown


def test_questions_at_once(server: PageServer) -> None:
    """Questions that come together are all answered rightly."""
    places = [("[" * number, "]" * number) for number in range(1, 9)]
    answers: dict[int, str] = {}

    def put(number: int) -> None:
        left, right = places[number]
        answers[number] = ask(server, "POST", "examine", {**QUESTION, "left": left, "right": right}).text

    threads = [threading.Thread(target=put, args=(number,)) for number in range(len(places))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)

    assert [json.loads(answers[number])["fits"] for number in range(len(places))] == [True] * len(places)
