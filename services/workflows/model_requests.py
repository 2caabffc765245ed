"""How agents ask a model for a document of a given shape, and where their prompts are."""

import time
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from services.core import clock
from services.core.answer_records import ToolCall
from services.core.cost import Prices
from services.llm.endpoint import Endpoint
from services.llm.patience import Patience
from services.llm.structured import StructuredClient, UnusableAnswer
from services.workflows.step_context import StepContext

PROMPTS = Path(__file__).parent / "prompts"
_SILENCE = 90.0
"""Seconds without a byte after which an endpoint is taken for dead."""


def ask_document(
    context: StepContext, model: str, system: str, prompt: str, shape: type[BaseModel]
) -> tuple[dict[str, Any] | None, Any]:
    """Ask a model for a document; None where it gave none that can be read. Raises `ModelFault` for other faults."""
    settings = context.settings
    patience = Patience(context.stop, settings.max_seconds, time.monotonic())
    started_at, started = clock.now(), time.perf_counter()
    with Endpoint(settings, _SILENCE) as endpoint:
        client = StructuredClient(endpoint, settings, model, patience)
        try:
            document = client.ask(system, prompt, shape)
        except UnusableAnswer:
            document = None
    cost = Prices(settings.prices).cost(model, client.usage)
    ms = (time.perf_counter() - started) * 1000
    return document, _model_call(context, model, prompt, started_at, ms, client.usage, cost)


def _model_call(
    context: StepContext, model: str, asked: str, started_at: datetime, ms: float, usage: Any, cost: float | None
) -> ToolCall:
    """Return the line of the trace for a request whose answer was a document."""
    return ToolCall(
        f"{context.call_id}-model",
        model,
        {"messages": 1, "last": asked[:500]},
        started_at,
        kind="model",
        ms=ms,
        input_tokens=usage.read,
        output_tokens=usage.output,
        cost=cost,
    )


def prompt_file(path: Path) -> tuple[str, str]:
    """Return the version of a prompt and its text; one without a version has none."""
    text = path.read_text(encoding="utf-8").strip()
    first, _, rest = text.partition("\n")
    if first.startswith("version:"):
        return first.removeprefix("version:").strip(), rest.strip()
    return "", text
