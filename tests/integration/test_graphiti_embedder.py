"""Graphiti's OpenAI embedder behind our interface, against a server that speaks its protocol on loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from services.bootstrap import build_services
from services.core.bridge import AsyncBridge
from services.core.config import Settings
from services.core.errors import BadInput, EmbedderUnavailable
from services.graph.graphiti_embedder import GraphitiEmbedder
from tests.fakes.memory_graph import MemoryGraphStore


class Server(ThreadingHTTPServer):
    """Gives each text the vector (3, its length, 0, …) and counts what it was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.texts: list[str] = []
        self.refuses = False


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        assert isinstance(server, Server)
        if server.refuses:
            self._answer(401, {"error": {"message": "Wrong key.", "code": "invalid_api_key"}})
            return
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        server.texts += texts
        rows = [
            {"object": "embedding", "index": i, "embedding": [3.0, float(len(t)), *[0.0] * 14]}
            for i, t in enumerate(texts)
        ]
        self._answer(200, {"object": "list", "model": asked["model"], "data": rows, "usage": {"prompt_tokens": 1}})

    def _answer(self, status: int, document: dict) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with Server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "a key")
        yield server
        server.shutdown()


def test_vectors_come_by_batches_and_are_of_length_one(bridge: AsyncBridge, server: Server):
    embedder = GraphitiEmbedder(bridge, "openai", "small", 8)
    vectors = embedder.embed(["x" * n for n in range(1, 201)])
    assert vectors.shape == (200, 8)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert vectors[3] == pytest.approx([0.6, 0.8, 0, 0, 0, 0, 0, 0])
    assert len(server.texts) == 200
    assert embedder.embed([]).shape == (0, 8)


def test_a_question_that_is_asked_again_costs_nothing(bridge: AsyncBridge, server: Server):
    embedder = GraphitiEmbedder(bridge, "openai", "small", 8)
    assert np.array_equal(embedder.embed_question("who"), embedder.embed_question("who"))
    assert server.texts == ["who"]


def test_a_refusal_says_who_refused(bridge: AsyncBridge, server: Server):
    server.refuses = True
    with pytest.raises(EmbedderUnavailable, match="openai:small returned no embeddings"):
        GraphitiEmbedder(bridge, "openai", "small", 8).embed(["text"])


def test_shorter_vectors_than_the_settings_say_are_refused(bridge: AsyncBridge, server: Server):
    with pytest.raises(BadInput, match="ASOF_EMBEDDING_DIMENSION"):
        GraphitiEmbedder(bridge, "openai", "small", 64).embed(["text"])


def test_an_embedder_without_its_package_says_so(bridge: AsyncBridge):
    with pytest.raises(EmbedderUnavailable, match="voyage"):
        GraphitiEmbedder(bridge, "voyage", "voyage-3", 8).embed(["text"])


@pytest.mark.parametrize(
    ("setting", "name"), [("local", "all-MiniLM-L6-v2-onnx-int8"), ("openai:small", "openai:small")]
)
def test_the_setting_says_who_makes_vectors(tmp_path, setting, name):
    services = build_services(Settings(home=tmp_path, embedder=setting), graph=MemoryGraphStore())
    assert services.indexes.embedder.name == name
    services.close()


def test_a_setting_that_names_nobody_is_refused(tmp_path):
    services = build_services(Settings(home=tmp_path, embedder="other"), graph=MemoryGraphStore())
    with pytest.raises(BadInput, match="ASOF_EMBEDDER"):
        _ = services.indexes
    services.close()
