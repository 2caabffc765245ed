"""LangGraph, imported when the first run needs it, and kept from telling anybody outside what runs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")
_OTHERS = ("LANGSMITH_OTEL_ENABLED", "LANGSMITH_OTEL_ONLY", "LANGCHAIN_CALLBACKS_BACKGROUND")


@contextmanager
def untraced() -> Iterator[None]:
    """Nothing that runs in the block is sent to LangSmith, whatever the environment says."""
    for name in _TRACING:
        os.environ[name] = "false"
    for name in _OTHERS:
        os.environ.pop(name, None)
    from langsmith.run_helpers import tracing_context
    from langsmith.utils import get_env_var

    get_env_var.cache_clear()  # type: ignore[attr-defined]  # it remembers what it read
    with tracing_context(enabled=False):
        yield


def graph_parts() -> tuple[Any, Any, Any, Any]:
    """Return `StateGraph`, `START`, `END` and `Send`."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Send

    return StateGraph, START, END, Send
