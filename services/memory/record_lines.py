"""Reads an agent's records from lines of JSON, and says of each bad line which field is wrong, and why."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.core import clock
from services.core.errors import BadInput
from services.core.json_documents import Json, read_json
from services.core.memory_records import RECORD_TYPES, MemoryRecord, RecordType
from services.memory.record_fields import SEVERITIES, Kind, kind_of
from services.memory.related_code import MARK

LARGEST = 2**63 - 1
LONGEST_ID = 1_000
RESERVED = {"group_id": "it is the name of the workspace", MARK: "it marks related files"}


@dataclass(frozen=True, slots=True)
class LineProblem:
    """What is wrong with a line of a file; `field` is empty where that is the line itself."""

    line: int
    field: str
    reason: str


@dataclass(frozen=True, slots=True)
class RecordLines:
    """The records of a file, in order, and what is wrong with the others, which are in `rejected` as they were."""

    records: tuple[MemoryRecord, ...] = ()
    problems: tuple[LineProblem, ...] = ()
    rejected: Mapping[int, bytes] = field(default_factory=dict)

    def rejected_file(self) -> bytes:
        """Return the bad lines as they were."""
        return b"".join(line.rstrip(b"\r\n") + b"\n" for line in self.rejected.values())


def read_record_lines(content: bytes) -> RecordLines:
    """Return the records of JSON lines, each an object with `type` and `id`; lines are numbered from 1, empty ones are
    passed over."""
    records, problems, rejected = list[MemoryRecord](), list[LineProblem](), dict[int, bytes]()
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        found = list(_problems_or_record(line))
        wrong = [LineProblem(number, *one) for one in found if not isinstance(one, MemoryRecord)]
        records += [one for one in found if isinstance(one, MemoryRecord)]
        problems += wrong
        if wrong:
            rejected[number] = line
    return RecordLines(tuple(records), tuple(problems), rejected)


def record_line(record: MemoryRecord) -> Json:
    """Return a record as the object of its line."""
    return {"type": record.type, **{name: value for name, value in record.properties.items() if name != "type"}}


def _problems_or_record(line: bytes) -> Iterator[tuple[str, str] | MemoryRecord]:
    """The record of a line, or the fields that are wrong with the reasons."""
    try:
        document = read_json("The line", line, parse_constant=_refuse_constant)
    except BadInput as error:
        yield "", error.message
        return
    if not isinstance(document, dict):
        yield "", "The line is not a JSON object."
        return
    type = document.get("type")
    if type not in RECORD_TYPES:
        yield "type", f"must be one of {', '.join(RECORD_TYPES)}"
        return
    properties = {name: value for name, value in document.items() if name != "type"}
    wrong = list(_wrong_fields(type, {"id": None, **properties}))
    if wrong:
        yield from wrong
    else:
        yield MemoryRecord(type, {name: _alike(value) for name, value in properties.items()})


def _refuse_constant(name: str) -> None:
    raise BadInput(f"is not valid JSON: {name} is not a number.")


def _wrong_fields(type: RecordType, properties: Json) -> Iterator[tuple[str, str]]:
    for name, value in properties.items():
        reason = _wrong_name(name) or _wrong_value(name, kind_of(type, name), value)
        if reason:
            yield name, reason


def _wrong_name(name: str) -> str:
    if name in RESERVED:
        return f"Asof reserves this name: {RESERVED[name]}"
    return "" if name and name.isprintable() and "`" not in name else "a field cannot have this name"


def _wrong_value(name: str, kind: Kind | None, value: Any) -> str:
    if name == "id":
        is_good = isinstance(value, str) and value.strip() and len(value) <= LONGEST_ID and _is_storable(value)
        return "" if is_good else "must be the record's name as text"
    if value is None:
        return ""
    if kind is not None:
        return "" if _CHECKS[kind](value) and _is_storable(value) else f"must be {_WANTED[kind]}"
    if not _is_storable(value):
        return "must be text, a number, true or false, or a list of such values"
    return ""


def _is_storable(value: Any) -> bool:
    """True for what both databases keep as it is."""
    if isinstance(value, list):
        kinds = {"number" if _is_number(item) else type(item).__name__ for item in value}
        return len(kinds) < 2 and all(not isinstance(item, list) and _is_storable(item) for item in value)
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)
    return isinstance(value, bool) or _is_number(value)


def _alike(value: Any) -> Any:
    """A list of numbers of one kind: a database keeps no other."""
    if isinstance(value, list) and any(isinstance(item, float) for item in value):
        return [float(item) for item in value]
    return value


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else abs(value) <= LARGEST


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(clock.parse_instant(value))
    except BadInput:
        return False


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_CHECKS: Mapping[Kind, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "texts": _is_texts,
    "number": _is_number,
    "rate": lambda value: _is_number(value) and 0 <= value <= 1,
    "count": lambda value: _is_number(value) and isinstance(value, int) and value >= 0,
    "time": _is_time,
    "severity": lambda value: isinstance(value, str) and value.casefold() in SEVERITIES,
}
_WANTED: Mapping[Kind, str] = {
    "text": "text",
    "texts": "a list of texts",
    "number": "a number",
    "rate": "a number from 0.0 to 1.0",
    "count": "a whole number, 0 or more",
    "time": "a date such as 2024-11-15T14:30:00Z",
    "severity": f"one of {', '.join(SEVERITIES)}",
}
