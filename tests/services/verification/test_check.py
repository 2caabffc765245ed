from dataclasses import replace
from datetime import datetime

import pytest

from services.core.models import Instants
from tests.services.verification.turns import AT, NOW, chunks, facts, mark, marked, result

PEPS = facts("""
PEP 8 | HAS_STATUS | Draft | 2001-07-05 | 2003-02-01
PEP 8 | HAS_STATUS | Active | 2003-02-01
PEP 8 | HAS_SPONSOR | Ada Lane
PEP 8 | AUTHORED_BY | Guido Berg | 2001-07-05
""")
LAKES = result(
    9, 3, [{"name": "Italy", "lakes": 17}, {"name": "Austria", "lakes": 25}, {"name": "Norway", "lakes": 60}]
)
OWNED = result(9, 3, [{"source": "Team Falcon", "relation": "owns", "target": name} for name in ("web", "ios", "ads")])


def earlier(as_of: str) -> Instants:
    return Instants(datetime.fromisoformat(f"{as_of}T00:00:00+00:00"), NOW)


@pytest.mark.parametrize(
    "text",
    [
        "Which status has PEP 8?",
        "Nothing was found.",
        "## The history of PEP 8",
        "Here is what I found:",
        "**Sources**",
        "No facts on PEP 9 were found.",
        "I could not find a record of that.",
        "The graph has nothing on PEP 9.",
    ],
)
def test_a_sentence_that_claims_nothing_has_no_mark(text: str) -> None:
    assert mark(text, PEPS) is None


@pytest.mark.parametrize("text", ["PEP 8 is Active.", "PEP 8 is Active [12].", "- **Guido Berg** wrote PEP 8"])
def test_without_a_number_that_a_call_returned_a_claim_is_uncited(text: str) -> None:
    (one,) = marked(text, PEPS)
    assert (one.mark, one.by) == ("uncited", None)
    assert one.reason


def test_a_number_that_no_call_returned_counts_as_no_citation_beside_one_that_holds() -> None:
    assert mark("PEP 8 is Active [2][12].", PEPS) == "supported"


def test_an_undated_fact_supports_a_sentence_without_a_date_and_is_told_apart() -> None:
    (plain,) = marked("Ada Lane sponsors PEP 8 [3].", PEPS)
    (dated,) = marked("Ada Lane has sponsored PEP 8 since 2001 [3].", PEPS)
    assert (plain.mark, plain.undated) == ("supported", True)
    assert (dated.mark, dated.by) == ("contradicted", 3)


def test_what_a_withdrawn_record_said_is_contradicted() -> None:
    assert PEPS[1].fact is not None
    wrong = replace(PEPS[1].fact, withdrawn_at=datetime.fromisoformat("2020-01-01T00:00:00+00:00"))
    (one,) = marked("PEP 8 is Active [2].", [replace(PEPS[1], fact=wrong)])
    assert (one.mark, one.by) == ("contradicted", 2)
    assert "2020-01-01" in one.reason


def test_the_answers_own_instant_decides_what_is_so_now() -> None:
    then = earlier("2002-01-01")
    draft = [replace(PEPS[0], at=(then,))]
    assert mark("PEP 8 is Draft [1].", draft, then) == "supported"
    assert mark("PEP 8 is Draft [1].", PEPS) == "contradicted"


def test_what_begins_after_the_answers_instant_has_not_happened() -> None:
    then = earlier("2002-01-01")
    (one,) = marked("PEP 8 became Active in 2003 [2].", [replace(PEPS[1], at=(then,))], then)
    assert (one.mark, one.by) == ("contradicted", 2)


def test_a_pronoun_stands_for_what_was_spoken_of_before_and_for_nothing_else() -> None:
    about_8 = marked("PEP 8 is Active [2]. It was written by Guido Berg [4].", PEPS)
    about_9 = marked(
        "PEP 9 is Draft [5]. It was written by Guido Berg [4].", [*PEPS, *facts("PEP 9 | HAS_STATUS | Draft")]
    )
    assert about_8[1].mark == "supported"
    assert about_9[1].mark != "supported" or about_9[0].mark != "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Norway has the most lakes, 60 [9].",
        "Austria has 25 lakes and Italy 17 [9].",
        "Norway has 35 more lakes than Austria [9].",
        "Three countries are listed [9].",
    ],
)
def test_numbers_of_a_table_are_those_of_the_rows_spoken_of(text: str) -> None:
    assert mark(text, [LAKES]) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "Italy has the most lakes [9].",
        "Austria has 17 lakes [9].",
        "Norway has 45 more lakes than Austria [9].",
        "Finland has 25 lakes [9].",
        "Norway does not have 60 lakes [9].",
    ],
)
def test_other_numbers_and_names_than_a_tables_are_contradicted(text: str) -> None:
    assert mark(text, [LAKES]) == "contradicted"


def test_a_count_is_that_of_the_result() -> None:
    assert mark("Team Falcon owns three components [9].", [OWNED]) == "supported"
    assert mark("Team Falcon owns four components [9].", [OWNED]) == "contradicted"
    assert mark("Team Heron owns three components [9].", [OWNED]) == "contradicted"


def test_a_result_is_of_its_own_instant() -> None:
    then = earlier("2015-03-01")
    there = [result(9, 12, [{"status": "Final", "count": 12}], then)]
    assert mark("On 2015-03-01, 12 PEPs were Final [9].", there, then) == "supported"
    assert mark("On 2016-03-01, 12 PEPs were Final [9].", there, then) == "contradicted"


def test_the_rows_of_a_path_are_its_facts() -> None:
    row = {"source": "Acme", "relation": "hasCEO", "target": "Omar Said", "valid_at": "2024-03-01", "invalid_at": None}
    path = [result(9, 1, [{"entities": ["Acme", "Omar Said"], "facts": [row]}])]
    assert mark("Omar Said is the CEO of Acme [9].", path) == "supported"
    assert mark("Omar Said has been the CEO of Acme since 2023 [9].", path) == "contradicted"


def test_clauses_of_one_sentence_may_rest_on_records_of_both_kinds() -> None:
    passage = chunks("The style guide was drafted in Amsterdam by Guido Berg.")[0]
    both = [*PEPS, replace(passage, n=7)]
    assert mark("PEP 8 is Active [2], and the style guide was drafted in Amsterdam [7].", both) == "supported"
    assert mark("PEP 8 is Draft [1], and the style guide was drafted in Amsterdam [7].", both) == "contradicted"


def test_marks_keep_the_order_and_the_places_of_the_sentences() -> None:
    text = "PEP 8 is Active [2]. Ada Lane wrote PEP 8 [4]."
    found = marked(text, PEPS, AT)
    assert [(text[one.start : one.end], one.mark) for one in found] == [
        ("PEP 8 is Active [2].", "supported"),
        ("Ada Lane wrote PEP 8 [4].", "contradicted"),
    ]


def test_what_looks_like_something_claims_it_but_for_the_language_of_a_question() -> None:
    assert mark("This looks like German.", PEPS) is None
    assert mark("This looks like PEP 8 being Rejected.", PEPS) == "uncited"
