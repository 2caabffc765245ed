"""Schemas as documents."""

import json

import pytest

from services.core.errors import BadInput
from services.extraction.schemas import default_schema, schema_from_json, schema_to_json


def test_the_default_schema_outlives_json():
    document = json.loads(json.dumps(schema_to_json(default_schema())))
    assert schema_from_json(document) == default_schema()


def test_what_is_left_out_is_empty():
    found = schema_from_json({"relations": [{"name": "TREATS"}]})
    assert (found.types, found.relations[0].sources, found.relations[0].one_at_a_time) == ((), (), False)


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"types": 3}, "types"),
        ({"types": ["Person"]}, "types"),
        ({"types": [{"name": ""}]}, "types[0].name"),
        ({"types": [{"name": "A"}, {"name": "a`b"}]}, "types[1].name"),
        ({"types": [{"name": "A"}, {"name": "A"}]}, "types"),
        ({"relations": [{"name": "A", "meaning": 1}]}, "relations[0].meaning"),
        ({"relations": [{"name": "A", "sources": "Person"}]}, "relations[0].sources"),
    ],
)
def test_what_cannot_be_read_is_named(document, field):
    with pytest.raises(BadInput) as refused:
        schema_from_json(document)
    assert refused.value.message.startswith(f"{field}:")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 200_000, "The schema is nested too deeply"),
        ('{"types": ' + "1" * 5_000 + "}", "The schema has a number with too many digits"),
        ('{"types": [], "types": []}', "The schema has the key “types” twice"),
        ("types", "The schema is not valid JSON: the error is at column 1"),
    ],
    ids=["deep", "digits", "doubled key", "syntax"],
)
def test_a_text_that_is_no_usable_json_is_refused_in_our_words(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        schema_from_json(text)
