"""Expressions read the state and nothing else."""

import pytest

from services.workflows.expressions import ExpressionError, evaluate, holds, names_in, parse_path

STATE = {
    "triage": {"intents": ["ai_search", "multi"], "items": 3},
    "verdicts": {"ada": [{"decision": "revise"}, {"decision": "accept"}]},
    "reporter_id": "ada",
    "latest": "",
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"ai_search" in triage.intents', True),
        ('"news_script" in triage.intents', False),
        ('verdicts[reporter_id][-1].decision == "accept"', True),
        ('latest or "No ai-search content"', "No ai-search content"),
        ("triage.intents[:1]", ["ai_search"]),
        ("len(triage.intents) + 1", 3),
        ("triage.items", 3),
        ('{"a": [1, 2]}["a"][1] if not latest else null', 2),
        ('"a" + "b"', "ab"),
    ],
)
def test_an_expression_has_its_value(text: str, value: object) -> None:
    assert evaluate(text, STATE) == value


def test_a_condition_is_true_or_false_whatever_it_gives() -> None:
    assert holds("triage.intents", STATE) is True
    assert holds("latest", STATE) is False


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nothing", "'nothing' is not defined"),
        ("triage.mood", "'mood' is missing"),
        ("verdicts[reporter_id][5]", "no such item"),
        ("latest.decision", "only from an object"),
        ("latest + 1", "can only concatenate"),
        ("1 / 0", "division by zero"),
        ("", "empty"),
        ("a b", "not a valid expression"),
        ("9 ** 9", "Pow"),
        ("'%99999s' % latest", "Mod"),
        ("f'{latest}'", "JoinedStr"),
        ("[x for x in triage]", "ListComp"),
        ("lambda: 1", "Lambda"),
        ("open('x')", "can call only"),
        ("triage.intents.append(1)", "can call only"),
        ("(1).__class__", "only from an object"),
        ("'ab' * 99", "only numbers"),
        ("(" * 60 + "1" + ")" * 60 + "+" + "-" * 60 + "1", "nested too deeply"),
        ("x" * 5000, "the limit is"),
        ("a = 1", "not a valid expression"),
        ("\0", "not a valid expression"),
    ],
)
def test_what_is_no_expression_or_has_no_value_says_why(text: str, told: str) -> None:
    with pytest.raises(ExpressionError, match=told.replace("(", r"\(")):
        evaluate(text, STATE)


def test_the_names_that_an_expression_reads_are_known() -> None:
    assert names_in("len(verdicts[reporter_id]) > 0 and triage.intents or True") == {
        "verdicts",
        "reporter_id",
        "triage",
    }


def test_a_path_has_its_keys_from_the_state() -> None:
    assert parse_path("drafts[reporter_id]").resolve(STATE) == ("drafts", "ada")
    assert parse_path('a.b["c"]').resolve(STATE) == ("a", "b", "c")
    assert parse_path("verdicts[reporter_id][]").appends
    for bad in ("1", "a + b", "a[:1]", "len(a)", "None", "a[-1]", "[]"):
        with pytest.raises(ExpressionError):
            parse_path(bad)
