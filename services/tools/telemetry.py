"""Spans of answers, requests and calls, for whoever set OpenTelemetry's own OTEL_EXPORTER_OTLP_ENDPOINT.

They carry OpenInference's names. They are sent in the background: an answer never waits for them, nor fails by them.
"""

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Span, Status, StatusCode
from pydantic_settings import BaseSettings

from services.core.log import logger

_log = logger(__name__)
Kind = Literal["AGENT", "LLM", "TOOL"]
Attributes = Mapping[str, str | int | float]


class _Standard(BaseSettings):
    """OpenTelemetry's own variables, which the exporter reads too; the timeout is in seconds."""

    otel_exporter_otlp_endpoint: str = ""
    otel_exporter_otlp_timeout: float = 3.0


@contextmanager
def span(kind: Kind, name: str, attributes: Attributes) -> Iterator[Span]:
    """Time what happens inside, below the span that is open on this thread."""
    exporting = provider()
    tracer = trace.NoOpTracer() if exporting is None else exporting.get_tracer("asof")
    attributes = {"openinference.span.kind": kind, **attributes}
    with tracer.start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as opened:
        yield opened


def failed(opened: Span, problem: str) -> None:
    """Mark a span as one that failed, in the words that the reader gets."""
    opened.set_status(Status(StatusCode.ERROR, problem))


@functools.cache
def provider() -> TracerProvider | None:
    """Where spans go; None where nobody wants them, or where they cannot go."""
    try:
        standard = _Standard()
        return _exporting(standard.otel_exporter_otlp_timeout) if standard.otel_exporter_otlp_endpoint else None
    except Exception as error:  # noqa: BLE001 - answers do not fail by it
        _log.warning("no tracing: OpenTelemetry's settings are not valid", error=type(error).__name__)
        return None


def _exporting(seconds: float) -> TracerProvider:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    made = TracerProvider(resource=Resource.create({SERVICE_NAME: "asof"}))
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=seconds)))
    return made
