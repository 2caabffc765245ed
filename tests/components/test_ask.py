"""What the Ask page makes of an answer: safe HTML, marks, traces, dates."""

from datetime import UTC, datetime
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.address import View
from components.ask.answer_html import Chips, answer_html, not_backed, outcome_of, supported
from components.ask.ask_view import AskView
from components.ask.list_summary import AnswerList
from components.ask.redated_question import redated
from components.ask.source_drawer import quoted, spanned
from components.ask.trace import nested, short_input, totals
from services.accounts.account_records import Message
from services.core.answer_records import Answer, Citation, Sentence, ToolCall
from services.core.models import Fact, Instants
from services.language.answer_sentences import split
from tests.rendered import rendered

NOW = datetime(2026, 11, 22, tzinfo=UTC)
TAGS = {"div", "p", "span", "a", "b", "code", "pre", "ul", "ol", "li", "table", "tbody", "tr", "td", "hr"}
ATTRIBUTES = {"class", "href", "target", "rel", "title", "data-page", "role", "aria-label"}


class Read(HTMLParser):
    """Every tag, attribute and word of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_comment(self, data: str) -> None:
        self.tags.append(f"<!--{data}")


def shown(words: str, *sentences: Sentence, **quotes: str) -> str:
    citations = {int(n[1:]): Citation(int(n[1:]), "fact", n, quote=quote) for n, quote in quotes.items()}
    return answer_html(words, sentences, Chips(View(workspace="w", pages=(AskView("c", "m"),)), citations))


def set_apart(html: str) -> list[str]:
    """Return the texts that look unlike the rest of their line."""
    return [part.text for part in rendered(html).all("span")]


def is_safe(html: str) -> bool:
    read = Read(html)
    links = [value for name, value in read.attributes if name == "href"]
    known = all(urlsplit(link).scheme in ("http", "https") or link.startswith("Ask?") for link in links)
    return known and set(read.tags) <= TAGS and {name for name, _ in read.attributes} <= ATTRIBUTES


HOSTILE = [
    "<script>alert(1)</script>",
    '<img src="http://evil/x.png" onerror="alert(1)">',
    "![x](http://evil/x.png)",
    "![x](http://evil/x.png 'title')",
    "[![x](http://evil/a.png)](javascript:alert(1))",
    "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<b>x</b>) [d](vbscript:x)",
    "[a](https://good.example@evil.example/)",
    "[a](//evil.example/x)",
    '[a](https://x.example/" onmouseover="alert(1))',
    "<javascript:alert(1)> <https://x.example/'><b onclick=x>",
    "<!-- hidden --> <style>*{display:none}</style> <iframe src=x></iframe>",
    "**<b onclick=alert(1)>bold</b>** `<img src=x>`",
    "```html\n<script>alert(1)</script>\n```",
    "| <img src=x> | [a](javascript:x) |\n|---|---|\n| <svg onload=x> | 1 |",
    "[1]: http://evil.example\n![x][1]",
    "\\<script\\>alert(1)\\</script\\>",
    "[" * 50 + "](" * 50 + "https://x.example" + ")" * 50,
]


@pytest.mark.parametrize("words", HOSTILE)
def test_what_a_model_writes_is_never_markup(words: str) -> None:
    assert is_safe(shown(words, *split(words)))


@given(st.lists(st.sampled_from([*HOSTILE, "[1]", "<", ">", "](", "**", "`", "|", "\n", "- ", "# ", "&lt;", '"', "a"])))
def test_no_mixture_of_it_becomes_markup(pieces: list[str]) -> None:
    words = "".join(pieces)
    assert is_safe(shown(words, *split(words), n1='"><img src=x>'))


@given(st.text())
def test_any_text_is_shown_safely(words: str) -> None:
    assert is_safe(shown(words, *split(words)))


def test_raw_html_stands_as_the_text_that_it_is() -> None:
    assert "<img src=x>" in Read(shown("See <img src=x>.")).words


def test_a_link_shows_where_it_leads() -> None:
    read = Read(shown("See [the docs](https://docs.example/a?b=1)."))
    assert ("href", "https://docs.example/a?b=1") in read.attributes
    assert "the docs (https://docs.example/a?b=1)" in read.words
    assert ("rel", "noopener noreferrer nofollow") in read.attributes


def test_a_bare_address_is_a_link_without_the_full_stop_behind_it() -> None:
    assert ("href", "https://docs.example/a") in Read(shown("See https://docs.example/a.")).attributes


def test_a_direction_that_is_turned_around_is_left_out() -> None:
    assert "\u202e" not in shown("a\u202eb\u2066c")


def test_links_and_roles_of_restructured_text_are_their_words_alone() -> None:
    html = shown("See :pep:`482`, :class:`~typing.Any`, :ref:`the list <pep-list>` and `GitHub <https://x.org>`__.")
    assert "See PEP 482, typing.Any, the list and GitHub." in html


def test_a_long_hostile_line_is_read_in_time() -> None:
    assert is_safe(shown("![a](" * 4000 + "[" * 4000 + "**a" * 4000))


# -- marks


def test_a_supported_sentence_has_a_chip_that_opens_its_source() -> None:
    words = "PEP 1 is Final. [1]"
    html = shown(words, Sentence("PEP 1 is Final.", (1,), "supported", start=0, end=len(words)), n1="Status: Final")
    assert "✓ 1" in html
    assert 'href="Ask?' in html
    assert "cited=1" in html
    assert "Status: Final" in html
    assert "no source" not in html


def test_the_chip_stands_behind_the_full_stop() -> None:
    words = "PEP 1 is Final [1]. PEP 2 too."
    assert Read(shown(words, *split(words), n1="x")).words.startswith("PEP 1 is Final.1 PEP 2")


def test_an_uncited_sentence_is_underlined_and_says_so() -> None:
    html = shown("It was nice.", Sentence("It was nice.", (), "uncited", start=0, end=12))
    assert "It was nice." in set_apart(html)
    assert "∅ no source" in html


def test_a_contradicted_sentence_names_what_contradicts_it() -> None:
    words = "It targets 3.6. [5]"
    html = shown(words, Sentence("It targets 3.6.", (5,), "contradicted", 5, start=0, end=len(words)), n5="3.5")
    assert "It targets 3.6." in set_apart(html)
    assert Read(html).words.count("5") == 1
    assert "✕ contradicted by 5" in html


def test_a_quoted_passage_says_so_and_is_no_claim() -> None:
    words = "“Ropes are spliced.” (Manual, line 1) [1]"
    quoted = Sentence("“Ropes are spliced.” (Manual, line 1)", (1,), "quoted", start=0, end=len(words))
    html = shown(words, quoted, n1="Ropes are spliced.")
    assert "❝ quoted" in html
    assert "✓" not in html
    assert not_backed([quoted]) == ""
    answer = Answer(words, (quoted,), (), Instants(NOW, NOW), declined=True)
    assert outcome_of(answer) == "❝ 1 passage quoted"


def test_an_undated_support_is_marked() -> None:
    words = "Ada wants to fly. [1]"
    assert "undated" in shown(words, Sentence("", (1,), "supported", undated=True, start=0, end=len(words)), n1="x")


def test_a_sentence_that_says_that_it_has_no_date_says_so_once() -> None:
    words = "Ada wants to fly (undated). [1]"
    sentence = Sentence(words[:-4], (1,), "supported", undated=True, start=0, end=len(words))
    assert shown(words, sentence, n1="x").count("undated") == 1


def test_a_sentence_that_claims_nothing_has_no_mark() -> None:
    html = shown("Nothing was found.", Sentence("Nothing was found.", start=0, end=18))
    assert Read(html).words == "Nothing was found."
    assert set_apart(html) == []


def test_sentences_without_a_place_are_found_in_the_text() -> None:
    html = shown("One. Two.", Sentence("Two.", (), "uncited"))
    assert "Two." in set_apart(html)


def test_a_number_that_stands_for_nothing_leads_nowhere() -> None:
    assert "href" not in shown("It is so. [7]", *split("It is so. [7]"))


def test_while_it_is_written_chips_lead_nowhere() -> None:
    assert "href" not in answer_html("It is so. [1]", (), Chips())


def test_a_range_of_citations_is_every_number_in_it() -> None:
    assert Read(shown("So it is. [2-4]", n2="a", n3="b", n4="c")).words == "So it is.234"


def test_lists_and_tables_keep_their_shape() -> None:
    html = shown("# Two\n\n- one\n- two\n\n1. first\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n---\n\n`x`")
    read = Read(html)
    assert [read.tags.count(tag) for tag in ("ul", "ol", "li", "tr", "td", "hr", "code")] == [1, 1, 3, 2, 4, 1, 1]


def test_the_note_counts_what_the_graph_does_not_back() -> None:
    good, bad = Sentence("a", (1,), "supported"), Sentence("b", (), "uncited")
    wrong = Sentence("c", (5,), "contradicted", 5, reason="[5]: it does not say 3.6")
    assert not_backed([good, good]) == ""
    warning = not_backed([good, bad, wrong, Sentence("Nothing.")])
    assert warning.startswith("<b>2 of 3 claims are not supported by the graph.</b> One has no source.")
    assert warning.endswith("One is contradicted: source 5: it does not say 3.6.")
    assert not_backed([good, bad]).startswith("<b>1 of 2 claims is not supported")


def test_one_line_tells_how_many_claims_are_supported() -> None:
    good = Sentence("a", (1,), "supported")
    assert supported([good, Sentence("b")]) == "✓ 1 of 1 claim supported"
    assert supported([good, Sentence("b", (), "uncited")]) == "✕ 1 of 2 claims supported"
    assert supported([]) == ""


# -- traces


def call(name: str, **rest: object) -> ToolCall:
    return ToolCall(rest.pop("id", name), name, rest.pop("input", {}), NOW, **rest)  # type: ignore[arg-type]


def test_calls_stand_below_the_request_that_asked_for_them() -> None:
    calls = [
        call("m1", kind="model"),
        call("a", parent_id="m1"),
        call("m2", kind="model"),
        call("b", parent_id="m1"),
        call("c", parent_id="gone"),
    ]
    assert [(one.id, depth) for one, depth in nested(calls)] == [("m1", 0), ("a", 1), ("b", 1), ("m2", 0), ("c", 0)]


def test_totals_add_up_tokens_and_cost_of_what_has_a_price() -> None:
    calls = [
        call("m", kind="model", input_tokens=900, output_tokens=100, cost=0.0125),
        call("facts_at", parent_id="m"),
        call("find_path", error="no"),
    ]
    assert totals(calls, 14, 1900.0) == r"Checked 2 tools · 14 facts read · 1 failed · 1,000 tokens · \$0.0125 · 1.9 s"
    assert totals([call("facts_at")], 1, 4.2) == "Checked 1 tool · 1 fact read · 4 ms"


def test_the_input_of_a_call_is_given_in_a_few_words() -> None:
    given = {"query": "Python 3.7", "limit": 8, "document": None}
    assert short_input(call("search_knowledge", input=given)) == "“Python 3.7” · limit 8"
    given = {"entity": "PEP 484", "relation": "HAS_STATUS"}
    assert short_input(call("facts_at", input=given)) == "PEP 484 · HAS_STATUS"
    assert len(short_input(call("search_knowledge", input={"query": "x" * 500}))) == 44
    assert short_input(call("claude-test", kind="model", input={"messages": 3, "tools": ["a"]})) == "3 messages"


# -- another date


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def asked_at(question: str, dated_by: str, until: str | None = None) -> str:
    answer = Answer("", (), (), Instants(NOW, NOW), dated_by=dated_by)
    message = Message("q", "c", "user", question, NOW)
    return redated(message, answer, day("2018-06-27"), (until and day(until)) or None, None).question


def test_another_date_takes_the_place_of_the_one_in_the_question() -> None:
    question = "What was the status of PEP 484 when Python 3.7 shipped, and after?"
    assert asked_at(question, "when Python 3.7 shipped") == "What was the status of PEP 484 on 2018-06-27, and after?"
    assert asked_at("Who led it in 2010?", "2010") == "Who led it on 2018-06-27?"
    assert asked_at("Who led it before 2010?", "before 2010") == "Who led it before 2018-06-27?"
    assert asked_at("Compare 2010 and 2012.", "2010 and 2012", "2019-01-01") == "Compare from 2018-06-27 to 2019-01-01."
    assert asked_at("Who did she work for on 2010-01-01?", "for on 2010-01-01") == "Who did she work for on 2018-06-27?"
    assert asked_at("And who led it?", "in 2010") == "And who led it on 2018-06-27?"


def test_a_question_without_a_date_is_asked_at_another_clock() -> None:
    message = Message("q", "c", "user", "Who leads it?", NOW)
    found = redated(message, Answer("", (), (), Instants(NOW, NOW)), day("2018-06-27"), None, day("2019-01-01"))
    assert (found.question, found.as_of, found.known_at) == ("Who leads it?", day("2018-06-27"), day("2019-01-01"))


# -- the drawer


def test_a_span_is_marked_line_by_line() -> None:
    lines = ["one", "two three", "four"]
    assert spanned(lines, 8, 15) == ((2, 3), {"2": [(4, 9)], "3": [(0, 1)]})
    assert spanned(lines, None, None) == (None, {})


def test_a_quotation_is_found_within_its_passage() -> None:
    lines = ["yes", "no", "yes, it is"]
    assert quoted(lines, "yes", (2, 3)) == {"3": [(0, 3)]}
    assert quoted(lines, "never", (1, 3)) == {}


def test_what_has_no_date_is_counted_beside_the_chart_of_a_list() -> None:
    facts = [
        Fact(f"f{n}", "ada", f"kim{n}", "Ada", "KNOWS", "Kim", valid_at=NOW.replace(year=2000 + n) if n else None)
        for n in range(5)
    ]
    listed = AnswerList("person", {f.target_uuid: [(1, f)] for f in facts}, {f.target_uuid: "Kim" for f in facts})
    assert listed.undated == 1
    assert [row[0] for row in listed.rows()] == ["Kim"] * 5
