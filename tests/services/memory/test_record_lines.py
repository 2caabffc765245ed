"""Lines of a file as records, and what is said of those that are none."""

import json

import pytest

from services.memory.record_lines import read_record_lines
from tests.services.memory.seeds import SEEDS, lines

GOOD = b'{"type": "Constraint", "id": "c"}'


def problems(*given: bytes) -> list[tuple[int, str, str]]:
    return [(one.line, one.field, one.reason) for one in read_record_lines(b"\n".join(given)).problems]


def test_the_seeds_are_good_lines() -> None:
    read = read_record_lines(b"\xef\xbb\xbf" + lines(*SEEDS))
    assert read.problems == ()
    assert [{"type": one.type, **one.properties} for one in read.records] == list(SEEDS)


def test_bad_lines_are_named_and_kept_as_they_are_and_good_ones_are_read() -> None:
    bad = (b"no json\r", b"[1]", b'{"id": "x"}', b'{"type": "Constraint"}', b"\xff")
    read = read_record_lines(b"\n".join([GOOD, b"", *bad, GOOD.replace(b'"c"', b'"d"')]))
    assert [one.id for one in read.records] == ["c", "d"]
    assert [(one.line, one.field) for one in read.problems] == [(3, ""), (4, ""), (5, "type"), (6, "id"), (7, "")]
    assert read.rejected_file() == b"\n".join([bad[0].rstrip(), *bad[1:], b""])


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("id", "", "must be the record's name as text"),
        ("id", 5, "must be the record's name as text"),
        ("severity", "huge", "must be one of low, medium, high, critical"),
        ("deadline", "soon", "must be a date such as 2024-11-15T14:30:00Z"),
        ("description", ["a"], "must be text"),
        ("created_at", 5, "must be a date such as 2024-11-15T14:30:00Z"),
        ("group_id", "w", "Asof reserves this name: it is the name of the workspace"),
        ("related_as", "x", "Asof reserves this name: it marks related files"),
        ("a`b", "x", "a field cannot have this name"),
        ("more", {"a": 1}, "must be text, a number, true or false, or a list of such values"),
        ("more", ["a", 1], "must be text, a number, true or false, or a list of such values"),
        ("more", [["a"]], "must be text, a number, true or false, or a list of such values"),
        ("more", 2**63, "must be text, a number, true or false, or a list of such values"),
        ("more", "a\0", "must be text, a number, true or false, or a list of such values"),
    ],
)
def test_a_field_that_cannot_be_kept_is_named(field: str, value: object, reason: str) -> None:
    line = json.dumps({"type": "Constraint", "id": "c", field: value}).encode()
    assert problems(GOOD, line) == [(2, field, reason)]


def test_every_bad_field_of_a_line_is_named() -> None:
    line = b'{"type": "Strategy_Pattern", "success_rate": 1.5, "steps": "one", "message_count": -1}'
    assert [field for _, field, _ in problems(line)] == ["id", "success_rate", "steps"]
    line = b'{"type": "Conversation_Memory", "id": "x", "message_count": 1.5, "key_points": [1], "trust": NaN}'
    assert problems(line) == [(1, "", "The line is not valid JSON: NaN is not a number.")]


def test_numbers_of_a_list_are_of_one_kind() -> None:
    (record,) = read_record_lines(b'{"type": "Constraint", "id": "c", "sizes": [1, 2.5], "none": null}').records
    assert repr(record.properties["sizes"]) == "[1.0, 2.5]"
    assert record.properties["none"] is None
