"""An engine over HTTP on a free port of this machine, whose tokens come from any proposer.

It answers in the form of vLLM, of SGLang or of llama.cpp's server, and fails as it is told.
"""

from __future__ import annotations

import json
import math
import threading
from collections import deque
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dovetail.decoding.proposer import Proposer

Kind = Literal["vllm", "sglang", "llamacpp"]

Fault = Literal["hang", "drop", "half", "html", "nan", "strange", "empty", "error", "redirect"]
"""Silence; a connection that is closed at once or within the answer; content of other kinds; other statuses."""

LOWEST = -9999.0
"""The number that vLLM tells in the place of minus infinity."""


class EngineDouble(ThreadingHTTPServer):
    """An engine that is asked by several threads and computes with one."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, proposer: Proposer, kind: Kind = "vllm", most: int = 1 << 20) -> None:
        """Listen on a free port; `most`: the likeliest tokens that it tells at most."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.proposer = proposer
        self.kind = kind
        self.most = most
        self.key: str | None = None
        """The bearer token without which it answers nothing."""
        self.models = ["/models/served"]
        self.without: set[str] = set()
        """The things that it lacks: `ids`, `scores`, `prompts` of ids, `models`, `size`."""
        self.faults: deque[Fault | None] = deque()
        """The faults of the next questions for tokens; None for no fault."""
        self.asked: list[dict[str, Any]] = []
        """The questions for tokens, in the order in which they came."""
        self.keys: list[str | None] = []
        """The authorization of every request."""
        self.connections = 0
        self.ended = threading.Event()
        """Ends what hangs."""
        self.hanging = threading.Event()
        """True if a question is met with silence."""
        self.left: SimpleQueue[str] = SimpleQueue()
        """The paths of questions that were called off while the engine was silent."""
        self.computing = threading.Lock()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that went away; the answer that a test waits for tells the rest."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def run(self, prompt: Sequence[int], count: int, best: int) -> list[tuple[int, list[tuple[int, float]]]]:
        """Return tokens, each with the best at its place."""
        with self.computing:
            generation = self.proposer.begin(prompt, "served")
            found = []
            for _ in range(count):
                ranked = list(generation.ranked(max(best, 1)))
                found.append((ranked[0][0], ranked))
                generation.feed(ranked[0][0])
            return found

    def scores(self, prompt: Sequence[int], tokens: Sequence[int]) -> list[float]:
        with self.computing:
            return [max(score, LOWEST) for score in self.proposer.begin(prompt, "served").scores(tokens)]

    def text(self, tokens: Sequence[int]) -> str:
        pieces = self.proposer.vocabulary.pieces
        return b"".join(pieces[token] or b"" for token in tokens).decode(errors="replace")


@contextmanager
def engine(proposer: Proposer, kind: Kind = "vllm", most: int = 1 << 20) -> Iterator[EngineDouble]:
    """Serve a proposer until the end of the block."""
    with EngineDouble(proposer, kind, most) as double:
        thread = threading.Thread(target=double.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield double
        finally:
            double.ended.set()
            double.shutdown()
            thread.join()


class _RefusedError(Exception):
    """A question that the engine takes for a mistake."""


class _Handler(BaseHTTPRequestHandler):
    """Answers the questions of one connection."""

    server: EngineDouble
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1

    def do_GET(self) -> None:
        double = self.server
        if not self._allowed():
            return
        if self.path == "/v1/models" and "models" not in double.without:
            self._send({"object": "list", "data": [_entry(double, name) for name in double.models]})
        elif self.path == "/props" and double.kind == "llamacpp":
            self._send({"total_slots": 2, "default_generation_settings": {"n_ctx": double.proposer.window},
                        "eos_token": "<|endoftext|>"})  # fmt: skip
        else:
            self._send({"error": {"message": "not found"}}, 404)

    def do_POST(self) -> None:
        double = self.server
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if len(sent) < int(self.headers["Content-Length"]):
            return  # the question was called off while it was sent
        body = json.loads(sent)
        if not self._allowed():
            return
        answers: dict[str, Callable[[Any], Any]] = {}
        if double.kind == "llamacpp":
            answers["/tokenize"] = self._tokenized
            answers["/v1/completions"] = self._of_llama
        elif double.kind == "sglang":
            answers["/generate"] = self._of_sglang
        else:
            answers["/v1/completions"] = self._of_vllm
        if self.path not in answers:
            self._send({"error": {"message": "not found"}}, 404)
            return
        if self.path != "/tokenize":
            double.asked.append(body)
            if double.faults and self._fail(double.faults.popleft()):
                return
        try:
            answer = answers[self.path](body)
        except _RefusedError as refused:
            self._send({"error": {"message": str(refused)}}, 400)
        else:
            self._send(answer)

    def _allowed(self) -> bool:
        key = self.headers["Authorization"]
        self.server.keys.append(key)
        if self.server.key is not None and key != f"Bearer {self.server.key}":
            self._send({"error": {"message": "no key"}}, 401)
            return False
        return True

    def _fail(self, fault: Fault | None) -> bool:
        """Do what a fault does; return whether the question is answered with that."""
        if fault is None:
            return False
        if fault == "hang":
            self.connection.settimeout(0.02)
            self.server.hanging.set()
            while not self.server.ended.is_set():
                try:
                    gone = not self.connection.recv(1)
                except TimeoutError:
                    continue
                except OSError:
                    gone = True
                if gone:
                    self.server.left.put(self.path)
                    break
        elif fault == "half":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"choices": [')
        elif fault == "html":
            self._send_bytes(b"<html>a login page</html>", 200)
        elif fault == "nan":
            row = {"token_id:1": math.nan}
            logprobs = {"tokens": ["token_id:1"], "top_logprobs": [row]}
            self._send({"choices": [{"text": "", "token_ids": [1], "logprobs": logprobs}]})
        elif fault == "strange":
            self._send({"choices": [{"text": 7, "logprobs": {"tokens": "no", "top_logprobs": 3}}]})
        elif fault == "empty":
            self._send({"choices": [{"text": "", "token_ids": [], "logprobs": {"tokens": [], "top_logprobs": []}}]})
        elif fault == "error":
            self._send({"error": {"message": "out of memory"}}, 500)
        elif fault == "redirect":
            self.send_response(307)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.send_header("Content-Length", "0")
            self.end_headers()
        if fault in ("hang", "drop", "half"):
            self.close_connection = True
        return True

    def _of_vllm(self, body: Any) -> Any:
        double, count, best = self.server, body["max_tokens"], body["logprobs"]
        prompt = self._prompt(body["prompt"])
        if best > double.most:
            raise _RefusedError(f"logprobs of {best} is greater than max allowed: {double.most}")
        run = double.run(prompt, count, best)
        if "logprob_token_ids" in body and "scores" not in double.without:
            ids = body["logprob_token_ids"]
            assert count == 1
            assert 1 <= len(ids) <= 128
            # The token that was written is told in any case.
            pairs = dict(run[0][1][:1]) | dict(zip(ids, double.scores(prompt, ids), strict=True))
            run = [(run[0][0], list(pairs.items()))]
        tokens = [token for token, _ in run]
        if "ids" in double.without:
            names = [double.text([token]) for token in tokens]
            rows = [{double.text([token]): score for token, score in row} for _, row in run]
            logprobs = {"tokens": names, "top_logprobs": rows}
            return {"choices": [{"text": double.text(tokens), "logprobs": logprobs}]}
        rows = [{f"token_id:{token}": max(score, LOWEST) for token, score in row} for _, row in run]
        logprobs = {"tokens": [f"token_id:{token}" for token in tokens], "top_logprobs": rows}
        return {"choices": [{"text": double.text(tokens), "token_ids": tokens, "logprobs": logprobs}]}

    def _of_llama(self, body: Any) -> Any:
        double, count, best = self.server, body["max_tokens"], body["logprobs"]
        prompt = self._prompt(body["prompt"])
        if body.get("post_sampling_probs"):
            raised = [token for token, _ in body["logit_bias"]]
            assert count == 1
            assert len(raised) <= best
            weights = [math.exp(score) for score in double.scores(prompt, raised)]
            shares = sorted(zip(weights, raised, strict=True), reverse=True)
            top = [{"id": token, "prob": weight / math.fsum(weights)} for weight, token in shares]
            place = {"id": shares[0][1], "top_probs": top}
            return {"choices": [{"text": "", "logprobs": {"content": [place]}}]}
        pieces = double.proposer.vocabulary.pieces
        told = [
            {
                "id": token,
                "top_logprobs": [
                    {"id": other, "bytes": list(pieces[other] or b""), "logprob": score} for other, score in row
                ],
            }
            for token, row in double.run(prompt, count, min(best, double.most))
        ]
        text = double.text([place["id"] for place in told])
        return {"choices": [{"text": text, "logprobs": {"content": told}}]}

    def _of_sglang(self, body: Any) -> Any:
        double, sampling = self.server, body["sampling_params"]
        prompt, best = self._prompt(body["input_ids"]), body.get("top_logprobs_num", 0)
        run = double.run(prompt, sampling["max_new_tokens"], best)
        told = {
            "output_token_logprobs": [[row[0][1], token, None] for token, row in run],
            "output_top_logprobs": [[[score, token, None] for token, score in row] for _, row in run],
        }
        if "token_ids_logprob" in body:
            ids = body["token_ids_logprob"]
            pairs = zip(double.scores(prompt, ids), ids, strict=True)
            told["output_token_ids_logprobs"] = [[[score, token, None] for score, token in pairs]]
        return {"text": double.text([token for token, _ in run]), "meta_info": told}

    def _tokenized(self, body: Any) -> Any:
        vocabulary, content = self.server.proposer.vocabulary, body["content"]
        if body["parse_special"] and content in vocabulary.specials:
            return {"tokens": [vocabulary.specials[content]]}
        return {"tokens": self.server.proposer.encode(content)}

    def _prompt(self, given: Any) -> list[int]:
        if "prompts" in self.server.without:
            raise _RefusedError("prompt has to be a text")
        assert given
        assert all(isinstance(token, int) for token in given)
        return list(given)

    def _send(self, answer: Any, status: int = 200) -> None:
        self._send_bytes(json.dumps(answer).encode(), status)

    def _send_bytes(self, data: bytes, status: int) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # the question was called off
            self.close_connection = True

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name is the library's
        pass


def _entry(double: EngineDouble, name: str) -> dict[str, Any]:
    """Return what the kind of engine tells of its model."""
    window, size = double.proposer.window, len(double.proposer.vocabulary.pieces)
    if double.kind == "llamacpp":
        meta = {} if "size" in double.without else {"n_vocab": size}
        return {"id": name, "owned_by": "llamacpp", "meta": {"n_ctx": window, **meta}}
    return {"id": name, "owned_by": double.kind, "max_model_len": window}
