"""What the numbers of an answer stand for: each record with its source, and the words of the source that say it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from services.core.answer_records import Citation, Evidence, Sentence
from services.core.models import Episode, Fact
from services.core.quotations import place_of
from services.language.relation_names import relation_words
from services.language.sentences import sentence_spans
from services.mirror.mirror import Mirror
from services.retrieval.tokens import folded_words, stems


def citations(mirror: Mirror, evidence: Iterable[Evidence], sentences: Iterable[Sentence]) -> tuple[Citation, ...]:
    """The records that the sentences cite, by number; a number that nothing was returned under is left out."""
    claims: dict[int, str] = defaultdict(str)
    for sentence in sentences:
        for n in sentence.citations:
            claims[n] += f" {sentence.text}" if claims[n] else sentence.text
    found = sorted((one for one in evidence if one.n in claims), key=lambda one: one.n)
    first = {one.fact.uuid: one.fact.episodes[0] for one in found if one.fact is not None and one.fact.episodes}
    episodes = {episode.uuid: episode for episode in mirror.episodes(dict.fromkeys(first.values()))}
    return tuple(_citation(one, claims[one.n], episodes, first) for one in found)


def _citation(one: Evidence, claim: str, episodes: Mapping[str, Episode], first: Mapping[str, str]) -> Citation:
    if one.fact is not None:
        episode = episodes.get(first.get(one.id, ""))
        if episode is None:
            return Citation(one.n, one.kind, one.id, quote=one.text)
        start, end = span_of(one.fact, episode.content)
        quote = episode.content[start:end]
        return Citation(one.n, one.kind, one.id, episode.uuid, None, quote, start, end, episode.name)
    if one.chunk is not None:
        start, end = place_of(claim, one.chunk.text) or _span_like(claim, one.chunk.text)
        title = one.document.title if one.document else one.chunk.document_id
        quote = one.chunk.text[start:end]
        return Citation(one.n, one.kind, one.id, None, one.chunk.document_id, quote, start, end, title)
    return Citation(one.n, one.kind, one.id, quote=one.text)


def span_of(fact: Fact, content: str) -> tuple[int, int]:
    """Where a source says a fact: its own words, else the sentence with most of its names and relation."""
    if fact.text and (at := content.find(fact.text)) >= 0:
        return at, at + len(fact.text)
    wanted = dict.fromkeys(folded_words(fact.target), 3.0) | dict.fromkeys(folded_words(fact.source), 2.0)
    wanted |= {word: 1.0 for word in relation_words(fact.relation) if word not in wanted}
    spans = list(sentence_spans(content)) or [(0, len(content))]
    return max(spans, key=lambda span: (_worth(content[span[0] : span[1]], wanted, fact), -span[0]))


def _span_like(claim: str, content: str) -> tuple[int, int]:
    """Return the sentence of a passage that shares most with what an answer claims of it."""
    wanted = set(stems(claim))
    spans = list(sentence_spans(content)) or [(0, len(content))]
    shared = {span: len(wanted.intersection(stems(content[span[0] : span[1]]))) for span in spans}
    return max(spans, key=lambda span: (shared[span], -span[0]))


def _worth(part: str, wanted: Mapping[str, float], fact: Fact) -> float:
    """How much of a fact a part says; a short part that says as much is worth more."""
    words = folded_words(part)
    whole = 3.0 * (fact.target.casefold() in part.casefold()) + 2.0 * (fact.source.casefold() in part.casefold())
    return whole + sum(weight for word, weight in wanted.items() if word in words) - 0.02 * len(words)
