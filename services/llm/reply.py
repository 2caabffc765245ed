"""What a model says to one request, put together as it comes, so that a fault loses nothing of it."""

import json
import uuid
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from services.core.cost import Usage
from services.llm.listener import Listener

Block = Mapping[str, Any]
_THOUGHT = ("thinking", "redacted_thinking")


class Reply:
    """One reply, as far as it came. `gap` is said before its first text, to part it from what was said before."""

    def __init__(self, listener: Listener, gap: str = "") -> None:
        self._listener = listener
        self._gap = gap
        self._blocks: list[Block] = []
        self._open_text = ""
        self._counts: dict[str, int] = {}
        self.begun = False
        self.whole = False
        self.stop_reason = ""

    def take(self, event: Any) -> None:
        """Take in an event of the client's stream, and let it be heard."""
        match event.type:
            case "message_start":
                self._count(event.message.usage)
            case "content_block_start":
                self.begun = True
                self._open_text = ""
                if event.content_block.type == "text":
                    self._add_text(event.content_block.text)
            case "text":
                self._add_text(event.text)
            case "thinking":
                self._listener.thinking(_clean(event.thinking))
            case "content_block_stop":
                self._open_text = ""
                self._blocks.append(_sendable(event.content_block.to_dict(mode="json")))
            case "message_delta":
                self.stop_reason = event.delta.stop_reason or ""
                self._count(event.usage)
            case "message_stop":
                self.whole = True

    @property
    def usage(self) -> Usage:
        """The tokens, as far as the endpoint has counted them."""
        count = self._counts.get
        return Usage(
            count("input_tokens", 0),
            count("output_tokens", 0),
            count("cache_read_input_tokens", 0),
            count("cache_creation_input_tokens", 0),
        )

    @property
    def content(self) -> list[Block]:
        """The blocks that can be sent again: finished ones, and the text of one that was cut off."""
        blocks = [*self._blocks, {"type": "text", "text": self._open_text}]
        return [block for block in blocks if block["type"] != "text" or block["text"].strip()]

    @property
    def text(self) -> str:
        """What was said; a gap stands where the model thought in between."""
        runs = groupby(self.content, lambda block: block["type"] == "text")
        return "\n\n".join("".join(block["text"] for block in run) for is_text, run in runs if is_text)

    @property
    def uses(self) -> list[Block]:
        """The tools that it asks for, in order."""
        return [block for block in self._blocks if block["type"] == "tool_use"]

    def _add_text(self, text: str) -> None:
        if text:
            text = _clean(text)
            self._open_text += text
            self._listener.text(self._gap + text)
            self._gap = ""

    def _count(self, usage: Any) -> None:
        """Counts grow in the course of a stream; one that is left out keeps the value it had."""
        if usage is not None:
            self._counts |= {name: n for name, n in usage.to_dict().items() if isinstance(n, int)}


def _clean(text: str) -> str:
    """`text` without half characters, which no database and no request takes."""
    return text.encode("utf-8", "replace").decode()


def _sendable(block: dict[str, Any]) -> Block:
    """A block as the endpoint takes it back: without nulls and half characters, a call with its id and its inputs."""
    given = {name: value for name, value in block.items() if value is not None}
    clean: dict[str, Any] = json.loads(_clean(json.dumps(given, ensure_ascii=False)))
    if clean["type"] == "tool_use":
        clean.setdefault("id", f"toolu_{uuid.uuid4().hex}")
        if not isinstance(clean.get("input"), dict):
            clean["input"] = {}
    return clean


def closed(messages: list[Block], note: str) -> list[Block]:
    """The messages of a turn, made fit for a question after them: they end with words of the assistant's.

    Where a fault took those away, `note` stands for them; tools that were asked for and not run are answered with it.
    """
    messages = list(messages)
    if messages[-1]["role"] == "assistant":
        content = messages[-1]["content"]
        unanswered = [block for block in content if block["type"] == "tool_use"]
        if unanswered:
            messages.append({"role": "user", "content": [refused(block, note) for block in unanswered]})
        elif content[-1]["type"] in _THOUGHT:
            messages[-1] = {"role": "assistant", "content": [*content, {"type": "text", "text": note}]}
    if messages[-1]["role"] == "user":
        messages.append({"role": "assistant", "content": [{"type": "text", "text": note}]})
    return messages


def refused(use: Block, why: str) -> Block:
    """The result of a tool that did not run."""
    return {"type": "tool_result", "tool_use_id": use["id"], "content": why, "is_error": True}
