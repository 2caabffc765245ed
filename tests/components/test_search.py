"""Texts with what was looked for marked in them, and what a search with filters looks for."""

import re
from datetime import date
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from components.address import View
from components.search.excerpt import ROOM, excerpt, marked
from components.search.hits import headings, stated_twice
from components.search.query import query_of
from components.search.search_view import SearchView
from services.core.models import Fact, Section

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=900)


def _spans(draw: st.DrawFn) -> tuple[str, tuple[tuple[int, int], ...]]:
    value = draw(texts.filter(bool))
    ends = sorted(draw(st.sets(st.integers(0, len(value)), max_size=12)))
    return value, tuple(zip(ends[::2], ends[1::2], strict=False))


spanned = st.composite(_spans)()


def _plain(html: str) -> str:
    return unescape(re.sub(r"</?mark>", "", html))


@given(spanned)
def test_a_marked_text_says_what_the_text_says(given: tuple[str, tuple[tuple[int, int], ...]]) -> None:
    value, spans = given
    html = marked(value, spans)
    assert _plain(html) == value
    assert [unescape(found) for found in re.findall(r"<mark>(.*?)</mark>", html, re.S)] == [
        value[start:stop] for start, stop in spans
    ]


@given(spanned)
def test_an_excerpt_is_a_part_of_the_text_and_shows_a_span(given: tuple[str, tuple[tuple[int, int], ...]]) -> None:
    value, spans = given
    html = excerpt(value, spans)
    text = _plain(html)
    assert len(text) <= ROOM + 4
    assert text.removeprefix("… ").removesuffix(" …") in value or text in value
    assert not spans or "<mark>" in html


def test_an_excerpt_is_cut_between_words() -> None:
    value = "word " * 100 + "needle and more " + "word " * 100
    start = value.index("needle")
    text = _plain(excerpt(value, ((start, start + 6),)))
    assert "needle and more" in text
    assert set(text.replace("needle and more", "").split()) == {"…", "word"}


def test_section_paths_are_read_without_their_levels() -> None:
    path = "Level 1: Profile > Level 2: Skills: languages"
    section = Section("s", "d", 2, "Skills", "skills", path, "", "", 1, 0, 0, 1, 2)
    assert headings(section) == ["Profile", "Skills: languages"]
    assert headings(None) == []


def test_a_text_of_different_facts_is_stated_twice() -> None:
    def stated(source: str, relation: str, target: str, text: str) -> Fact:
        return Fact(f"{source}{relation}{target}", source, target, source, relation, target, text)

    both = "Ann left  Acme for Bolt."
    facts = [
        stated("ann", "LEFT", "acme", both),
        stated("ann", "JOINED", "bolt", both.lower().replace("  ", " ")),
        *[stated("bob", "JOINED", "bolt", "Bob joined Bolt.")] * 2,
        stated("ann", "KNOWS", "bob", ""),
        stated("bob", "KNOWS", "ann", ""),
    ]
    assert stated_twice(facts) == {"ann left acme for bolt."}
    assert stated_twice(facts[1:]) == set()


def test_filters_leave_out_the_kinds_that_they_cannot_apply_to() -> None:
    assert SearchView().kinds == ("facts", "passages", "entities")
    assert SearchView(section="Skills").kinds == ("passages",)
    assert SearchView(section="Skills", types=("PEP",)).kinds == ("passages", "entities")
    assert SearchView(kind="facts", types=("PEP",)).kinds == ("facts",)


def test_a_query_is_of_the_dates_of_the_view() -> None:
    view = View(pages=(SearchView("x", since=date(2020, 1, 1), until=date(2020, 12, 31)),))
    query = query_of(view)
    assert query.as_of == view.at.as_of
    assert query.known_at is None
    assert query.since is not None
    assert query.until is not None
    assert (query.since.date(), query.until.date()) == (date(2020, 1, 1), date(2021, 1, 1))
    assert query_of(View(pages=(SearchView("x", recorded=True),))).as_of is None
