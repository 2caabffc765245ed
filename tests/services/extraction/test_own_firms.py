"""Texts that tell of two people and two organizations: a post, a date and a succession stay with their own."""

import pytest

from services.core.draft_records import SURE_DATE
from tests.services.extraction.read import drafts, shown


@pytest.mark.parametrize(
    "text",
    [
        "Asta Lund resigned as CEO of Borealis AG on 1 March 2024. "
        "Hugo Prats was appointed CEO of Kestrel Ltd on 1 April 2024.",
        "Asta Lund has been CFO of Borealis AG since 2018. In June 2022, Hugo Prats took over as CFO of Kestrel Ltd.",
        "Asta Lund leads Borealis AG. Hugo Prats took over from the previous chairman of Kestrel Ltd in May 2023.",
        "Asta Lund leads Borealis AG. Hugo Prats succeeded the chief executive of Kestrel Ltd in May 2023.",
        "Asta Lund leads Borealis AG. Hugo Prats took over as managing director of Kestrel Ltd in May 2023, "
        "replacing the founder.",
        "Borealis AG's chief executive, Asta Lund, resigned in March 2021. "
        "Kestrel Ltd's new chief executive is Hugo Prats.",
    ],
)
def test_people_of_two_firms_did_not_succeed_each_other(text):
    found = shown(text)
    assert [one for one in found if " SUCCEEDED " in one or one.startswith("Hugo Prats LEADS Borealis")] == []
    assert [one for one in found if one.startswith("Hugo Prats WORKS_FOR Borealis")] == []


def test_a_post_has_no_doubtful_end_where_somebody_begins_elsewhere():
    (post,) = (
        draft
        for draft in drafts(
            "Asta Lund leads Borealis AG. Hugo Prats took over as managing director of Kestrel Ltd in May 2023, "
            "replacing the founder."
        )
        if (draft.source, draft.relation) == ("Asta Lund", "LEADS")
    )
    assert (post.target, post.invalid_at) == ("Borealis AG", None)
    assert post.invalid_at_confidence >= SURE_DATE


@pytest.mark.parametrize(
    "text",
    [
        "Asta Lund resigned as CEO of Borealis AG in 2021. Hugo Prats, the CFO of Kestrel Ltd, took over in June 2022.",
        "Asta Lund resigned as CEO of Borealis AG in 2021. Hugo Prats, formerly of Kestrel Ltd, became CEO in 2022.",
        "Asta Lund resigned as CEO of Borealis AG in 2021. Hugo Prats took over in June 2022.",
    ],
)
def test_whoever_comes_from_another_firm_still_succeeds(text):
    assert any(one.startswith("Hugo Prats SUCCEEDED Asta Lund") for one in shown(text))


@pytest.mark.parametrize(
    ("text", "firms"),
    [
        (
            "Nordlys Energy hired Ola Berg as its finance director on 3 March 2024. Brightwater Foods moved its "
            "headquarters from Leeds to York in May 2024.",
            ("Nordlys Energy BASED_IN", "Ola Berg WORKS_FOR Brightwater Foods", "Brightwater Foods PART_OF"),
        ),
        (
            "Acme acquired Beta Labs in 2019. Corvus Air is based in Oslo.",
            ("Acme ACQUIRED Corvus Air", "Beta Labs ACQUIRED Corvus Air", "Acme BASED_IN"),
        ),
    ],
)
def test_a_sentence_that_points_back_to_nothing_says_nothing_of_another_firm(text, firms):
    assert [one for one in shown(text) if one.startswith(firms)] == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Acme acquired Beta Labs in 2019. A year later it bought Corvus Air.", "Acme ACQUIRED Corvus Air"),
        ("Kiln has had one lead for years. Walt led the project until 2021.", "Walt LEADS Kiln"),
    ],
)
def test_a_sentence_that_points_back_still_goes_on_about_the_firm_before(text, fact):
    assert any(one.startswith(fact) for one in shown(text))
