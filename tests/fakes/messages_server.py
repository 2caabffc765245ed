"""A server on loopback that speaks the Messages API, streamed, and says what a test wrote down.

A script is a list of steps, one for each request, made by the functions below; they are plain documents, so that a
script can also be a JSON file: `python -m tests.fakes.messages_server --script FILE.json --port N`. A request that the
real endpoint would refuse is refused in its words and takes no step.

As a program it also takes `POST /gates/NAME` (open a gate), `POST /script` (more steps) and `GET /requests` (every
request so far).
"""

import argparse
import json
import select
import socket
import struct
import sys
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

Step = dict[str, Any]
Block = dict[str, Any]
_BLINK = 0.02
_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_THOUGHT = ("thinking", "redacted_thinking")


def text(*pieces: str, gate: str = "") -> Block:
    """Words, in so many deltas; with `gate` each after the first waits until the gate of that name is opened."""
    return {"text": list(pieces), "gate": gate}


def think(words: str, signature: str = "c2lnbmVk") -> Block:
    """A thought, and its signature."""
    return {"thinking": words, "signature": signature}


def call(tool: str, **given: Any) -> Block:
    """A call of a tool."""
    return {"call": tool, "input": given}


def half_call(tool: str, json_so_far: str) -> Block:
    """A call whose inputs end in the middle."""
    return {"call": tool, "json": json_so_far}


def reply(*blocks: Block, stop: str = "", cut: str = "", usage: Mapping[str, int] | None = None) -> Step:
    """A reply. `cut` says how it breaks off after these blocks, its last one left open: "eof" (the stream ends as if
    all were well), "drop" (the connection is closed), "reset", "hang", or the type of an error event."""
    wanted = any("call" in block for block in blocks)
    return {
        "blocks": list(blocks),
        "stop": stop or ("tool_use" if wanted else "end_turn"),
        "cut": cut,
        "usage": dict(usage or {}),
    }


def say(*pieces: str, gate: str = "", stop: str = "", cut: str = "") -> Step:
    """A reply of words."""
    return reply(text(*pieces, gate=gate), stop=stop, cut=cut)


def status(code: int, message: str = "It does not work.", retry_after: float | str | None = None) -> Step:
    """A refusal before the stream."""
    return {"status": code, "message": message, "retry_after": retry_after}


def hang() -> Step:
    """Not a byte."""
    return {"hang": True}


def odd(body: str, kind: str = "text/html") -> Step:
    """Status 200, and something else than a stream of events."""
    return {"odd": body, "kind": kind}


class MessagesServer:
    """The server. `requests` are the bodies that were accepted, `headers` theirs; `left` counts clients that hung up
    while it was speaking."""

    def __init__(self, *script: Step, port: int = 0, models: Iterable[str] = ()) -> None:
        self._lock = threading.Lock()
        self._script = list(script)
        self._gates: defaultdict[str, threading.Event] = defaultdict(threading.Event)
        self._calls = 0
        self.models = tuple(models)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.refused: list[str] = []
        self.left = threading.Semaphore(0)
        self.waits = threading.Semaphore(0)
        self.closing = threading.Event()
        handler = type("Handler", (_Handler,), {"fake": self})
        self._http = _Server(("127.0.0.1", port), handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(_BLINK,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def serve(self) -> None:
        """Answer until the process is stopped."""
        self._http.serve_forever()

    def add(self, *steps: Step) -> None:
        """Put steps behind those that are left."""
        with self._lock:
            self._script += steps

    def gate(self, name: str) -> threading.Event:
        """What words can wait for; open it with `set`."""
        with self._lock:
            return self._gates[name]

    def take(self, body: dict[str, Any], headers: Mapping[str, str]) -> Step:
        """The step for a request."""
        with self._lock:
            problem = refusal(body, headers, self.models)
            if problem is None and not self._script:
                problem = (400, "The script is at its end.")
            if problem is not None:
                self.refused.append(problem[1])
                return status(*problem)
            self.requests.append(body)
            self.headers.append(dict(headers))
            return self._script.pop(0)

    def next_call(self) -> str:
        """An id for a call of a tool."""
        with self._lock:
            self._calls += 1
            return f"toolu_{self._calls:04}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news here."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Gone(ConnectionError):
    """The client hung up, or the server is closing."""


class _Handler(BaseHTTPRequestHandler):
    fake: MessagesServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._json(200, self.fake.requests if self.path == "/requests" else {})

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        if self.path.startswith("/gates/"):
            self.fake.gate(self.path.removeprefix("/gates/")).set()
            return self._json(200, {})
        if self.path == "/script":
            self.fake.add(*body)
            return self._json(200, {})
        if self.path != "/v1/messages":
            return self._refuse(status(404, "Not found"))
        return self._step(body)

    def _step(self, body: dict[str, Any]) -> None:
        step = self.fake.take(body, {name.lower(): value for name, value in self.headers.items()})
        try:
            if "status" in step:
                return self._refuse(step)
            if "odd" in step:
                return self._plain(step["odd"].encode(), step["kind"])
            if "hang" in step:
                return self._hang()
            self._head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
            self._stream(step, body)
        except ConnectionError:
            self.fake.left.release()
            self.close_connection = True

    def _stream(self, step: Step, body: dict[str, Any]) -> None:
        usage = {"input_tokens": len(json.dumps(body)) // 4, "output_tokens": 1} | {
            name: n for name, n in step["usage"].items() if name != "output_tokens"
        }
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        self._event("message_start", message=message)
        self._event("ping")
        characters = 0
        for index, block in enumerate(step["blocks"]):
            characters += self._block(index, block)
            if step["cut"] and index == len(step["blocks"]) - 1:
                break
            self._event("content_block_stop", index=index)
        if step["cut"]:
            self._break_off(step["cut"])
            return
        ended = {"stop_reason": step["stop"], "stop_sequence": None}
        spent = {"output_tokens": step["usage"].get("output_tokens", max(1, characters // 4))}
        self._event("message_delta", delta=ended, usage=spent)
        self._event("message_stop")
        self._chunk(b"")

    def _block(self, index: int, block: Block) -> int:
        """Say one block, but for its end; returns its length in characters."""
        start, deltas = _spelled(block, self.fake.next_call)
        self._event("content_block_start", index=index, content_block=start)
        for n, delta in enumerate(deltas):
            if n and block.get("gate"):
                self._wait(self.fake.gate(block["gate"]))
            self._event("content_block_delta", index=index, delta=delta)
        return sum(len(str(delta)) for delta in deltas)

    def _break_off(self, how: str) -> None:
        if how == "eof":
            self._chunk(b"")
        elif how == "drop":
            self.close_connection = True
        elif how == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
        elif how == "hang":
            self._hang()
        else:
            self._event("error", error={"type": how, "message": "It broke down."})
            self._chunk(b"")

    def _hang(self) -> None:
        self._wait(threading.Event())

    def _wait(self, gate: threading.Event) -> None:
        """Wait for a gate. Raises `_Gone` when the client does not wait any longer."""
        self.fake.waits.release()
        while not gate.wait(_BLINK):
            readable = select.select([self.connection], [], [], 0)[0]
            if self.fake.closing.is_set() or (readable and not self.connection.recv(1, socket.MSG_PEEK)):
                raise _Gone

    def _event(self, kind: str, **fields: Any) -> None:
        self._chunk(f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def _refuse(self, step: Step) -> None:
        error = {"type": _ERRORS.get(step["status"], "api_error"), "message": step["message"]}
        headers = {} if step["retry_after"] is None else {"retry-after": str(step["retry_after"])}
        self._json(step["status"], {"type": "error", "error": error}, headers)

    def _json(self, code: int, document: Any, headers: Mapping[str, str] | None = None) -> None:
        self._plain(json.dumps(document).encode(), "application/json", code, headers or {})

    def _plain(self, body: bytes, kind: str, code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self._head(code, {"content-type": kind, "content-length": str(len(body)), **(headers or {})})
        self.wfile.write(body)

    def _head(self, code: int, headers: Mapping[str, str]) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


def _spelled(block: Block, next_call: Any) -> tuple[Block, list[Block]]:
    """A block as the endpoint starts it, and its deltas."""
    if "text" in block:
        return {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in block["text"]]
    if "thinking" in block:
        thought = {"type": "thinking_delta", "thinking": block["thinking"]}
        signed = {"type": "signature_delta", "signature": block["signature"]}
        return {"type": "thinking", "thinking": "", "signature": ""}, [thought, signed]
    given = block.get("json", json.dumps(block.get("input", {})))
    start = {"type": "tool_use", "id": next_call(), "name": block["call"], "input": {}}
    pieces = ["", *(given[at : at + 7] for at in range(0, len(given), 7))]
    return start, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]


def refusal(
    body: Mapping[str, Any], headers: Mapping[str, str], models: tuple[str, ...] = ()
) -> tuple[int, str] | None:
    """Why the real endpoint would refuse a request, with the status; None where it would take it."""
    if not headers.get("x-api-key") and not headers.get("authorization"):
        return 401, "x-api-key header is required"
    if models and body.get("model") not in models:
        return 404, f"model: {body.get('model')}"
    if not isinstance(body.get("max_tokens"), int):
        return 400, "max_tokens: Field required"
    if json.dumps(body).count('"cache_control"') > 4:
        return 400, "A maximum of 4 blocks with cache_control may be provided."
    problem = next(_wrong(body.get("messages", [])), None)
    return None if problem is None else (400, problem)


def _wrong(messages: list[Mapping[str, Any]]) -> Iterator[str]:
    """What is wrong with a conversation."""
    if not messages or messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    asked: set[str] = set()
    for n, message in enumerate(messages):
        if n and message["role"] == messages[n - 1]["role"]:
            yield f"messages.{n}: roles must alternate"
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not blocks:
            yield f"messages.{n}: all messages must have non-empty content"
        yield from _wrong_blocks(n, blocks)
        answered = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        if set(answered) != asked or len(answered) != len(asked):
            yield f"messages.{n}: `tool_use` ids {sorted(asked)} need `tool_result` blocks, found {answered}"
        asked = {b["id"] for b in blocks if b["type"] == "tool_use"}
        if message["role"] == "assistant" and blocks[-1]["type"] in _THOUGHT:
            yield f"messages.{n}: The final block in an assistant message cannot be `thinking`."
    if asked:
        yield f"messages.{len(messages) - 1}: `tool_use` without `tool_result`"


def _wrong_blocks(n: int, blocks: list[Mapping[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if block["type"] == "text" and not block["text"].strip():
            yield f"messages.{n}: text content blocks must contain non-whitespace text"
        if block["type"] == "thinking" and not block.get("signature"):
            yield f"messages.{n}: `thinking` block without a signature"
        if block["type"] == "tool_use" and not isinstance(block["input"], dict):
            yield f"messages.{n}: tool_use input should be an object"
        if any(value is None for value in block.values()):
            yield f"messages.{n}: a null in a {block['type']} block"


def main() -> None:
    """Serve a script from a file until the process is stopped."""
    parser = argparse.ArgumentParser(description="A scripted endpoint of the Messages API.")
    parser.add_argument("--script", type=Path)
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    script = json.loads(given.script.read_text()) if given.script else []
    server = MessagesServer(*script, port=given.port)
    print(server.url, flush=True)
    server.serve()


if __name__ == "__main__":
    main()
