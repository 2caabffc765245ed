"""Spans of an answer, as a collector on loopback gets them."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from services.tools import telemetry
from tests.fakes.messages_server import call, reply, say
from tests.services.agent.conftest import KEY, MODEL, Talk


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    bodies: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_address[1]}")
    telemetry.provider.cache_clear()
    yield bodies
    if (made := telemetry.provider()) is not None:
        made.shutdown()
    telemetry.provider.cache_clear()
    server.shutdown()
    server.server_close()


def test_an_answer_is_a_tree_of_spans_with_the_names_of_openinference(
    talk: Callable[..., Talk], collected: list[bytes]
) -> None:
    asks = reply(call("find_status", name="PEP 8"), usage={"input_tokens": 100, "output_tokens": 20})
    talking = talk(asks, say("It is Final."))
    talking.ask()
    made = telemetry.provider()
    assert made is not None
    made.force_flush()
    spans = [
        span
        for body in collected
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    told = {s.span_id: {a.key: a.value.string_value or a.value.int_value for a in s.attributes} for s in spans}
    by_kind = {
        told[s.span_id]["openinference.span.kind"]: s for s in sorted(spans, key=lambda s: s.start_time_unix_nano)
    }
    agent, tool = by_kind["AGENT"], by_kind["TOOL"]
    requests = sorted((s for s in spans if s.name == MODEL), key=lambda s: s.start_time_unix_nano)
    assert [s.parent_span_id for s in (*requests, tool)] == [agent.span_id] * 3
    assert told[agent.span_id]["input.value"] == "What status has PEP 8?"
    assert told[agent.span_id]["output.value"] == "It is Final."
    first = told[requests[0].span_id]
    assert (first["llm.model_name"], first["llm.token_count.prompt"], first["llm.token_count.completion"]) == (
        MODEL,
        100,
        20,
    )
    assert told[tool.span_id]["tool.name"] == "find_status"
    assert "PEP 8 HAS_STATUS Final" in str(told[tool.span_id]["output.value"])
    assert KEY.encode() not in b"".join(collected)


def test_a_collector_that_is_not_there_keeps_no_answer_waiting(
    talk: Callable[..., Talk], collected: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.1")
    talking = talk(say("It is Final."))
    assert talking.ask().state == "done"
    assert telemetry.provider() is not None


def test_without_an_endpoint_nothing_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    telemetry.provider.cache_clear()
    assert telemetry.provider() is None
    with telemetry.span("AGENT", "answer", {}) as span:
        assert not span.is_recording()


def test_settings_that_cannot_be_used_do_not_fail_an_answer(
    talk: Callable[..., Talk], collected: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "soon")
    talking = talk(say("It is Final."))
    assert talking.ask().state == "done"
    assert telemetry.provider() is None
