"""What is sent to a model: instructions, tools, the conversation, and results of tools as delimited data."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.core import clock
from services.core.answer_records import Asked
from services.core.config import Settings
from services.llm.listener import Prompt
from services.llm.reply import Block
from services.tools.tool import Tool

LAST = "(This is the last request for this answer: call no more tools. Answer now from what you have.)"
_CACHED = {"cache_control": {"type": "ephemeral"}}
_DELIMITER = re.compile(r"<(?=\s*/?\s*result\b)", re.IGNORECASE)


def question(asked: Asked) -> Block:
    """The user's message: the question, and the clocks that the tools of its answer are bound to."""
    clocks = [f"Today is {clock.now():%Y-%m-%d}."]
    if asked.as_of is not None:
        clocks.append(f"The tools answer only for as_of {clock.spell(asked.as_of)}.")
    if asked.known_at is not None:
        clocks.append(f"The tools answer only for known_at {clock.spell(asked.known_at)}.")
    texts = (asked.question, f"({' '.join(clocks)})")
    return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}


def delimited(tool: str, text: str) -> str:
    """What a tool gave, between delimiters that nothing inside can close: documents are data, never instructions."""
    return f'<result tool="{html.escape(tool)}">\n{_DELIMITER.sub("&lt;", text)}\n</result>'


def request(
    settings: Settings,
    prompt: Prompt,
    tools: Iterable[Tool],
    messages: Sequence[Block],
    *,
    model: str,
    effort: str,
    last: bool,
) -> dict[str, Any]:
    """The arguments of `messages.stream`. The `last` request of an answer may call no tool.

    Servers that know the plain protocol only get no caching, no effort, no thinking and no choice of tools.
    """
    described = [{"name": t.name, "description": t.description, "input_schema": t.schema()} for t in tools]
    system: dict[str, Any] = {"type": "text", "text": prompt.text}
    base: dict[str, Any] = {"model": model, "max_tokens": settings.max_tokens}
    if settings.plain_model:
        plain = {} if last or not described else {"tools": described}
        return {**base, **plain, "system": prompt.text, "messages": [_without_thoughts(m) for m in messages]}
    if described:
        base["tools"] = [*described[:-1], {**described[-1], **_CACHED}]
        base["tool_choice"] = {"type": "none" if last else "auto"}
    if effort:
        base["output_config"] = {"effort": effort}
    base["thinking"] = {"type": "adaptive", "display": "summarized"}
    return {**base, "system": [{**system, **_CACHED}], "messages": _cached(messages)}


def _cached(messages: Sequence[Block]) -> list[Block]:
    """The messages, to be kept by the endpoint up to the last, if it is one of ours."""
    *before, last = messages
    if last["role"] != "user" or isinstance(last["content"], str):
        return list(messages)
    *others, final = last["content"]
    return [*before, {**last, "content": [*others, {**final, **_CACHED}]}]


def _without_thoughts(message: Block) -> Block:
    if isinstance(message["content"], str):
        return message
    content = [block for block in message["content"] if "thinking" not in block["type"]]
    return {**message, "content": content}


def traced(sent: Mapping[str, Any], version: str) -> dict[str, Any]:
    """A request as its line of the trace has it: what is new in it. What went before stands in the lines before."""
    return {
        "messages": len(sent["messages"]),
        "last": sent["messages"][-1],
        "tools": [tool["name"] for tool in sent.get("tools", ())],
        "max_tokens": sent["max_tokens"],
        "prompt": version,
    }
