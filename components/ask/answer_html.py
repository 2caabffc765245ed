"""An answer as HTML: its words, each sentence with its mark, each citation a chip that opens its source."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from components.address import View
from components.ask.ask_view import AskView
from components.ask.inline_markdown import inline
from components.ask.markdown import html_of
from components.markup import clipped, counted, link, text
from services.core.answer_records import (
    DECLINE_SIGNS,
    DECLINE_WORDS,
    MARK_SIGNS,
    MARK_WORDS,
    Answer,
    Citation,
    Sentence,
)

_CSS = {"supported": "a-added", "contradicted": "a-ended"}
"""The marks with a colour of their own; the others are muted."""
_UNDERLINED = {"uncited": "a-none", "contradicted": "a-wrong"}
_NUMBER = re.compile(r"\[(\d+)\]")
_LEAD = 160
"""A first line of up to so many characters is set larger: it is the answer, what follows tells more."""


@dataclass(frozen=True)
class Chips:
    """The links of an answer's citations. Without a `view` they lead nowhere yet: the answer is being written."""

    view: View | None = None
    citations: Mapping[int, Citation] = field(default_factory=dict)

    def number(self, n: int, sentence: Sentence | None) -> str:
        """The chip of a citation, with the mark of the sentence that it stands in."""
        mark = sentence.mark if sentence is not None and n in sentence.citations else None
        sign = "✓ " if mark == "supported" else ""
        word = f", {MARK_WORDS[mark]}" if mark else ""
        return self._chip(n, f"{sign}{n}", _CSS.get(mark or "", "a-same"), f"Source {n}{word}")

    def verdict(self, sentence: Sentence) -> str:
        """Return the mark behind a sentence that nothing supports, or whose support has no date."""
        why = text(sentence.reason)
        if sentence.mark in ("uncited", "beside", "quoted"):
            words = f"{MARK_SIGNS[sentence.mark]} {MARK_WORDS[sentence.mark]}"
            return f'<span class="a-mk a-same" title="{why}">{words}</span>'
        if sentence.mark == "contradicted":
            by = MARK_WORDS["contradicted"] + (f" by {sentence.by}" if sentence.by else "")
            return self._chip(sentence.by or 0, f"{MARK_SIGNS['contradicted']} {by}", "a-ended", sentence.reason or by)
        is_unsaid = sentence.undated and "undated" not in sentence.text
        return f'<span class="a-mk a-undated" title="{why}">undated</span>' if is_unsaid else ""

    def _chip(self, n: int, label: str, css: str, meaning: str) -> str:
        citation = self.citations.get(n)
        if self.view is None or citation is None:
            return f'<span class="a-mk {css}" title="{text(meaning)}">{text(label)}</span>'
        there = self.view.changed(AskView, cited=n)
        about = clipped(" ".join(citation.quote.split()), 120)
        inner = f'<span title="{text(f"{meaning}: {about}" if about else meaning)}">{text(label)}</span>'
        return link("Ask", inner, there, css=f"a-mk {css}")


def answer_html(words: str, sentences: Sequence[Sentence], chips: Chips) -> str:
    """The HTML of an answer."""
    placed = _placed(words, sentences)

    def render(start: int, end: int) -> str:
        return "".join(
            _part(words[a:b], sentence, chips, whole=sentence is None or b == sentence.end)
            for a, b, sentence in _parts(start, end, placed)
        )

    css = " a-leads" if len(words.lstrip().partition("\n")[0]) <= _LEAD else ""
    return f'<div class="a-said{css}" role="article" aria-label="Answer">{html_of(words, render)}</div>'


def not_backed(sentences: Sequence[Sentence]) -> str:
    """The note below an answer: how many of its claims nothing in the graph backs; "" where all are backed."""
    claims = [one for one in sentences if one.mark not in (None, "quoted")]
    sourceless = sum(one.mark == "uncited" for one in claims)
    contradicted = [one for one in claims if one.mark == "contradicted"]
    if not sourceless and not contradicted:
        return ""
    bad = sourceless + len(contradicted)
    head = f"{bad} of {counted(len(claims), 'claim')} {'is' if bad == 1 else 'are'} not supported by the graph."
    why = f"{_numbered(sourceless, 'has', 'have')} no source. " if sourceless else ""
    if contradicted:
        why += f"{_numbered(len(contradicted), 'is', 'are')} contradicted: {_reasons(contradicted)}"
    return f"<b>{head}</b> {text(why.strip())}"


def supported(sentences: Sequence[Sentence]) -> str:
    """One line of an answer's marks: "✓ 2 of 2 claims supported"; "" where it claims nothing."""
    claims = [one for one in sentences if one.mark not in (None, "quoted")]
    good = sum(one.mark == "supported" for one in claims)
    sign = "✓" if good == len(claims) else "✕"
    return f"{sign} {good} of {counted(len(claims), 'claim')} supported" if claims else ""


def outcome_of(answer: Answer) -> str:
    """One line of how an answer went: its marks, or how many passages it quotes instead."""
    quoted = sum(one.mark == "quoted" for one in answer.sentences)
    if not answer.declined:
        return supported(answer.sentences)
    if quoted:
        return f"{MARK_SIGNS['quoted']} {counted(quoted, 'passage')} quoted"
    return f"{DECLINE_SIGNS[answer.declined_for]} {DECLINE_WORDS[answer.declined_for]}"


def decline_mark(answer: Answer) -> str:
    """The mark of an answer that was declined: what was not understood looks other than what is not recorded."""
    css = "a-same" if DECLINE_SIGNS[answer.declined_for] == "∅" else "a-warned"
    words = f"{DECLINE_SIGNS[answer.declined_for]} {DECLINE_WORDS[answer.declined_for]}"
    meaning = (
        "Asof searched the graph and found no record of this" if css == "a-same" else "Asof did not search the graph"
    )
    return f'<span class="a-mk {css}" title="{meaning}">{words}</span>'


def _numbered(count: int, one: str, many: str) -> str:
    return f"One {one}" if count == 1 else f"{count} {many}"


def _reasons(sentences: Sequence[Sentence]) -> str:
    reasons = (_NUMBER.sub(r"source \1", one.reason).rstrip(".") + "." for one in sentences if one.reason)
    return " ".join(dict.fromkeys(reasons)) or "see the marked sentence."


def _placed(words: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences where they stand in the text, in order; one that cannot be found there is left out."""
    found, at = list[Sentence](), 0
    for one in sorted(sentences, key=lambda sentence: sentence.start):
        if not one.start < one.end <= len(words):
            start = words.find(one.text, at)
            one = replace(one, start=start, end=start + len(one.text))
        if one.start >= at:
            found.append(one)
            at = one.end
    return found


def _parts(start: int, end: int, placed: Sequence[Sentence]) -> Iterator[tuple[int, int, Sentence | None]]:
    """A stretch of the text cut at its sentences; what lies between two of them belongs to none."""
    at = start
    for one in placed:
        first, last = max(start, one.start), min(end, one.end)
        if first >= last:
            continue
        if at < first:
            yield at, first, None
        yield first, last, one
        at = last
    if at < end:
        yield at, end, None


def _part(words: str, sentence: Sentence | None, chips: Chips, *, whole: bool) -> str:
    """A part of a line; `whole` tells that its sentence ends here, which is where its verdict stands."""

    def cite(numbers: Sequence[int]) -> str:
        by = sentence.by if sentence is not None and sentence.mark == "contradicted" else None
        return "".join(chips.number(n, sentence) for n in numbers if n != by)

    html = inline(words, cite)
    if sentence is None:
        return html
    css = _UNDERLINED.get(sentence.mark or "")
    html = f'<span class="{css}">{html}</span>' if css else html
    return html + (chips.verdict(sentence) if whole else "")
