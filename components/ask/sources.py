"""What an answer cites, by number, with dates and the words of the source; and everything that was read for it."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components import dates, state
from components.address import View
from components.ask.ask_view import AskView
from components.ask.retrieved import Retrieved, facts_of
from components.fact_actions import fact_menu
from components.fact_table import fact_in_words, fact_table
from components.markup import clipped, dotted, link, text, without_markup
from services import cached
from services.core.answer_records import Answer, Citation
from services.mirror import Mirror

_QUOTE = 150
_MOST, _ALL = 40, "ask_all_sources"


def sources(workspace: str, view: View, answer: Answer, read: tuple[Retrieved, ...]) -> None:
    """The two tabs: Sources, and Facts."""
    facts, total = facts_of(read), facts_read(answer, read)
    cited, every = st.tabs([f"Sources · {len(answer.citations):,} cited", f"Facts · {total:,} read"], key="ask_tabs")
    with cited:
        if answer.citations:
            _cited(workspace, view, answer, {one.n: one for one in read})
        else:
            st.html('<div class="a-muted a-sm">The answer cites no sources.</div>')
    with every:
        if facts:
            chosen = fact_table(facts, answer.at, total=total, key="ask_facts")
            if chosen and (recorded := cached.fact(workspace, chosen.uuid)):
                fact_menu(workspace, recorded, key="correct_read")
        else:
            st.html('<div class="a-muted a-sm">Asof read no facts.</div>')


def facts_read(answer: Answer | None, read: tuple[Retrieved, ...]) -> int:
    """Return how many facts were read; of very many a message keeps the first, but cites them all."""
    cited = sum(one.kind == "fact" for one in answer.citations) if answer else 0
    return max(cited, len(facts_of(read)))


def _cited(workspace: str, view: View, answer: Answer, read: Mapping[int, Retrieved]) -> None:
    shown = answer.citations if state.remembered(_ALL) else answer.citations[:_MOST]
    titles = titles_of(workspace, shown)
    wrong = {sentence.by for sentence in answer.sentences if sentence.mark == "contradicted"}
    rows = "".join(
        f"<li>{_row(view, one, read.get(one.n), titles.get(one.n, ''), wrong=one.n in wrong)}</li>" for one in shown
    )
    st.html(f'<ol class="a-sources" aria-label="Sources">{rows}</ol>')
    if len(answer.citations) > _MOST:
        st.toggle(f"All {len(answer.citations):,}", key=_ALL)


def titles_of(workspace: str, citations: Sequence[Citation]) -> Mapping[int, str]:
    """Return the title of each citation's source: of a fact its episode, of a passage its document."""
    episodes = cached.ask(Mirror.episodes, workspace, tuple(one.episode_id for one in citations if one.episode_id))
    names = {episode.uuid: episode.name for episode in episodes}
    found = {one.n: names.get(one.episode_id or "", "") for one in citations}
    for one in citations:
        if one.document_id and (kept := cached.ask(Mirror.document, workspace, one.document_id)):
            found[one.n] = kept.document.title or one.document_id
    return found


def _row(view: View, one: Citation, read: Retrieved | None, title: str, *, wrong: bool) -> str:
    fact = read.fact if read else None
    kind = {"result": "a query result", "chunk": "a passage"}.get(one.kind, "")
    body = fact_in_words(fact) if fact else text(clipped(without_markup(one.quote or kind), _QUOTE))
    when = dates.fact_span(fact) if fact else ""
    about = dotted(text(title or kind), f"recorded {dates.day(fact.created_at)}" if fact and fact.created_at else "")
    quote = " ".join(one.quote.split())
    words = f"<div>“{text(clipped(quote, _QUOTE))}”</div>" if fact and quote and quote != fact.text else ""
    sign = f'<span class="a-sg {"a-ended" if wrong else "a-added"}">{one.n}</span>'
    there = view.changed(AskView, cited=one.n, call=None)
    return (
        f"{link('Ask', sign, there)}<div>{link('Ask', body, there)}</div>"
        f'<span class="a-when">{when}</span>'
        f'<div class="a-muted a-sm a-about">{about}{words}</div>'
    )
