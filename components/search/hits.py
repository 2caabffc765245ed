"""Hits as a list: what each is, its text with the words marked, its dates, and where to go from it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from components import dates
from components.address import View
from components.entity_picker import look_anew
from components.fact_actions import correct_link
from components.fact_table import MARKS, standing, standing_in_words
from components.markup import glyph, link, relation, text, without_markup
from components.palette import Look
from components.search.excerpt import excerpt, marked
from components.search.search_view import SearchView
from services.core import time_rule
from services.core.models import Chunk, Entity, Fact, Section

if TYPE_CHECKING:
    from services.retrieval import Hit

_PASSAGE = '<span class="a-muted" role="img" aria-label="passage" title="passage">¶</span>'


def draw(hits: Sequence["Hit"], view: View, looks: Mapping[str, Look], *, scores: bool) -> None:
    """Draw the list, best first."""
    twice = stated_twice([hit.fact for hit in hits if hit.fact is not None])
    rows = "".join(f'<li data-kind="{hit.kind}">{_row(hit, view, looks, twice, scores=scores)}</li>' for hit in hits)
    st.html(f'<ol class="a-hits" aria-label="What was found">{rows}</ol>')


def stated_twice(facts: Iterable[Fact]) -> set[str]:
    """The texts that several facts have of other ends or another relation: one sentence may state them all."""
    stated = defaultdict[str, set[tuple[str, str, str]]](set)
    for fact in facts:
        stated[_alone(fact.text)].add((fact.source_uuid, fact.relation, fact.target_uuid))
    return {words for words, ends in stated.items() if words and len(ends) > 1}


def _alone(words: str) -> str:
    return " ".join(words.casefold().split())


def _row(hit: "Hit", view: View, looks: Mapping[str, Look], twice: set[str], *, scores: bool) -> str:
    if hit.fact is not None:
        sign, body, when = _fact(hit, hit.fact, view, twice)
    elif hit.chunk is not None:
        sign, body, when = _passage(hit, hit.chunk, view)
    else:
        assert hit.entity is not None, "a hit is a fact, a passage or an entity"
        sign, body, when = _entity(hit, hit.entity, view, looks)
    scores_html = _scores(hit) if scores else ""
    return f'{sign}<div>{body}{scores_html}</div><span class="a-when">{text(when)}</span>'


def _passage(hit: "Hit", chunk: Chunk, view: View) -> tuple[str, str, str]:
    first, last = chunk.start_line, chunk.end_line
    lines = f"lines {first}–{last}" if first != last else f"line {first}"
    there = view.changed(SearchView, open=chunk.document_id, lines=(first, last))
    title = (hit.document and hit.document.title) or chunk.document_id
    above = headings(hit.section)
    if above and above[0].casefold() in title.casefold():
        above = above[1:]  # the title says it
    path = "".join(f" › {text(name)}" for name in above)
    return (
        _PASSAGE,
        f'<div><b>{text(title)}</b><span class="a-muted">{path}</span></div><div>{_excerpt(hit, view)}</div>'
        f'<div class="a-go">{link("Search", f"Open at {lines}", there, css="")}</div>',
        dates.day(hit.document.reference_time) if hit.document else "",
    )


def headings(section: Section | None) -> list[str]:
    """The headings above a passage, from the top: "Level 1: Profile > Level 2: Skills" is Profile, Skills."""
    if section is None:
        return []
    return [part.partition(": ")[2] or part for part in section.path.split(" > ")]


def _fact(hit: "Hit", fact: Fact, view: View, twice: set[str]) -> tuple[str, str, str]:
    stands = standing(fact, view.at)
    when = dates.fact_span(time_rule.as_known(fact, view.at.known_at))
    words = f'<div class="{"" if stands == "holds" else "a-muted"}">{_words_of(hit, fact, view)}</div>'
    if _alone(fact.text) in twice:
        ends = f"{text(fact.source)} → {text(relation(fact.relation))} → {text(fact.target)}"
        words = f'{words}<div class="a-muted a-sm">{ends}</div>'
    links = _links(
        view, fact.source_uuid, "corrected" if stands == "withdrawn" else standing_in_words(fact, view.at), fact.uuid
    )
    return f"<span aria-hidden='true'>{MARKS[stands]}</span>", f"{words}{links}", when


def _words_of(hit: "Hit", fact: Fact, view: View) -> str:
    """The fact's own words; where it has none, those of its ends and its relation."""
    if fact.text:
        return marked(fact.text, hit.spans)
    from services.retrieval import spans

    words = f"{fact.source} {relation(fact.relation)} {fact.target}"
    return marked(words, spans(view.of(SearchView).text, words))


def _entity(hit: "Hit", entity: Entity, view: View, looks: Mapping[str, Look]) -> tuple[str, str, str]:
    about = entity.summary.strip()
    words = f'<div class="a-muted">{_excerpt(hit, view)}</div>' if about and about != entity.name else ""
    name = text(entity.name) if about else marked(hit.text, hit.spans)
    return (
        f"<span>{glyph(looks.get(entity.type), entity.type)}</span>",
        f"<div><b>{name}</b></div>{words}{_links(view, entity.uuid, ', '.join(entity.types) or 'no type')}",
        "",
    )


def _excerpt(hit: "Hit", view: View) -> str:
    """The part of a longer text that tells why it was found, without its markup."""
    words = without_markup(hit.text)
    if words == hit.text:
        return excerpt(words, hit.spans)
    from services.retrieval import spans

    return excerpt(words, spans(view.of(SearchView).text, words))


def _links(view: View, entity_uuid: str, word: str, fact_uuid: str | None = None) -> str:
    """Return the links from a hit: where to go, and to correct it."""
    there = look_anew(view, entity_uuid, fact_uuid)
    edit = "Edit fact" if fact_uuid else "Edit entity"
    return (
        f'<div class="a-go"><span>{text(word)}</span>{link("Explore", "Show in graph", there, css="")}'
        f"{link('Timeline', 'Timeline', replace(there, fact=None), css='')}"
        f"{correct_link('Search', view, fact_uuid or entity_uuid, label=edit)}</div>"
    )


def _scores(hit: "Hit") -> str:
    figures_of = {
        "hybrid": hit.hybrid_score,
        "vector": hit.vector_score,
        "keyword": hit.keyword_score,
        "graph": hit.graph_score,
        "section": hit.section_similarity,
    }
    figures = "".join(f"<span>{name} {score:.3f}</span>" for name, score in figures_of.items() if score is not None)
    return f'<div class="a-scores a-code">{figures}<span>{hit.routing} route</span></div>'
