"""Pasted conversations as documents of one thread: a message each, in order."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from services.core import clock
from services.core.errors import BadInput
from services.core.json_documents import read_json
from services.documents.versions import NewDocument

_HINT = "Paste lines such as “Ann: Hello”, “[2026-03-01 10:22] Ann: Hello”, or JSON with name, content and time."
_TIMED = re.compile(r"\[(?P<time>[^\]\n]{4,40})\]\s*(?P<name>[^:\n]{1,60}):\s?(?P<text>.*)")
_DASHED = re.compile(
    r"(?P<time>\d[\d./-]{5,9}[T, ]+\d{1,2}:\d\d(?::\d\d)?)\s+[-–]\s+(?P<name>[^:\n]{1,60}):\s?(?P<text>.*)"
)
_NAMED = re.compile(r"(?P<name>[^\W\d_][\w .'’()-]{0,39}):(?:\s+(?P<text>.*)|$)")
_ROLES = {"user", "assistant", "system", "human", "ai", "agent", "bot"}
_MOST_WORDS = 4
_NAMES = ("name", "author", "speaker", "sender", "from", "user", "role")
_TEXTS = ("content", "text", "message", "body")
_TIMES = ("time", "timestamp", "created_at", "date", "sent_at", "ts")
_MILLISECONDS = 100_000_000_000


@dataclass(slots=True)
class _Message:
    name: str
    text: str
    time: datetime | None


def messages_of(text: str, thread: str = "") -> list[NewDocument]:
    """The messages of a pasted conversation, oldest first as they stand.

    Their ids are made of the thread and of what they say, so that pasting a conversation again with more at its end
    adds what is new. Without a `thread` the first message tells it. Raises `BadInput` where there are no messages.
    """
    found = [message for message in _parsed(text) if message.text.strip()]
    if not found:
        raise BadInput("This text contains no messages.", _HINT)
    thread = thread.strip() or f"conversation-{_digest(*_content_of(found[0]))[:8]}"
    seen = Counter[tuple[str, ...]]()
    documents = []
    for message in found:
        content = _content_of(message)
        seen[content] += 1
        id = f"{thread}/{_digest(*content, str(seen[content]))[:16]}"
        documents.append(
            NewDocument(
                id,
                f"{message.name}: {message.text.strip()}",
                message.name if message.time is None else f"{message.name}, {message.time:%Y-%m-%d %H:%M}",
                "text",
                reference_time=message.time,
                thread=thread,
            )
        )
    return documents


def _content_of(message: _Message) -> tuple[str, str, str]:
    return message.name, clock.spell(message.time) if message.time else "", message.text.strip()


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()


def _parsed(text: str) -> Iterator[_Message]:
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip()
    return _of_json(plain) if plain[:1] in ("{", "[") and _is_json(plain) else _of_lines(plain)


def _is_json(text: str) -> bool:
    first = text if text[0] == "[" and text[-1] == "]" else text.partition("\n")[0]
    try:
        return isinstance(json.loads(first), dict | list)
    except (ValueError, RecursionError):
        return False


def _of_json(text: str) -> Iterator[_Message]:
    entries: list[Any] = (
        read_json("This text", text, _HINT)
        if text[0] == "["
        else [
            read_json(f"Line {number}", line, _HINT) for number, line in enumerate(text.split("\n"), 1) if line.strip()
        ]
    )
    for number, entry in enumerate(entries, 1):
        fields = entry if isinstance(entry, dict) else {}
        content = _first(fields, _TEXTS)
        if not isinstance(content, str):
            raise BadInput(f"Message {number} has no text in content, text, message or body.", _HINT)
        yield _Message(str(_first(fields, _NAMES) or "user").strip(), content, _time(_first(fields, _TIMES)))


def _first(entry: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    folded = {str(key).casefold(): value for key, value in entry.items()}
    return next((folded[name] for name in names if folded.get(name) not in (None, "")), None)


def _of_lines(text: str) -> Iterator[_Message]:
    """Where the first message has a time, only lines with one begin another: a colon in the text does not."""
    timed = next((way for way in (_TIMED, _DASHED) if way.match(text)), None)
    current: _Message | None = None
    for line in text.split("\n"):
        head = (timed or _NAMED).match(line.strip())
        if head and (timed or _is_name(head["name"])):
            if current:
                yield current
            current = _Message(head["name"].strip(), head["text"] or "", _time(head["time"]) if timed else None)
        elif current:
            current.text += f"\n{line}"
        elif line.strip():
            raise BadInput(f"The first line does not name a speaker: “{line.strip()[:60]}”.", _HINT)
    if current:
        yield current


def _is_name(name: str) -> bool:
    words = name.split()
    return name.strip().casefold() in _ROLES or (len(words) <= _MOST_WORDS and words[0][:1].isupper())


def _time(value: Any) -> datetime | None:
    """A time in any spelling, or seconds or milliseconds since 1970; None where it cannot be told."""
    with suppress(BadInput, ValueError, OverflowError, OSError):
        if isinstance(value, str):
            return clock.parse_instant(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if abs(value) > _MILLISECONDS else value, UTC)
    return None
