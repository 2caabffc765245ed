"""Answers from documents: the passages that speak of everything that the question names, quoted."""

from services.analyst.answer_builder import declined
from services.analyst.query_plan import QueryPlan
from services.analyst.question_words import SMALL_WORDS, key_of, words_of
from services.core.answer_records import Answer, Sentence, Topic
from services.core.models import Chunk, Instants
from services.language.sentences import sentences
from services.retrieval.tokens import stems
from services.tools.tool import ResultItem
from services.tools.toolbox import Toolbox

_LOOKED_AT = 20
_MOST_QUOTED = 2
_LONGEST_QUOTE = 400


def passages(plan: QueryPlan, toolbox: Toolbox, at: Instants) -> Answer:
    """The passages that cover the question's words; declined where none does. Raises what the tool raises."""
    wanted = _wanted(plan)
    if not wanted:
        hint = "Name what they should speak of."
        return declined("I did not understand what to look for in the documents.", hint, at, None)
    called = toolbox.call("search_knowledge", {"query": plan.query, "limit": _LOOKED_AT})
    found = [item.chunk for item in called.result.items if item.chunk is not None and _covers(item, plan, wanted)]
    if not found:
        return declined("The documents say nothing of that.", "", at, None)
    text, quotes = "", []
    for chunk in found[:_MOST_QUOTED]:
        quote = f"“{_quote(chunk, wanted)}”"
        text += "\n\n" if text else ""
        start = len(text)
        text += f"{quote} [{toolbox.number('chunk', chunk.id)}]"
        quotes.append(Sentence(quote, (toolbox.number("chunk", chunk.id),), "supported", start=start, end=len(text)))
    return Answer(text, tuple(quotes), (), at, topic=Topic(plan.subjects))


def _covers(item: ResultItem, plan: QueryPlan, wanted: set[str]) -> bool:
    """True for a passage of the document that is asked, where one is, that has every word that is wanted."""
    assert item.chunk is not None, "only passages are looked at"
    if plan.document:
        title = key_of(item.document.title) if item.document else ()
        name = key_of(plan.document)
        if title[: len(name)] != name:
            return False
    return wanted <= set(stems(item.text))


def _wanted(plan: QueryPlan) -> set[str]:
    """The stems of what a passage has to speak of; the document's own name need not stand in it."""
    content = [w.low for w in words_of(plan.query) if w.low not in SMALL_WORDS]
    own = set(stems(plan.document))
    return {stem for word in content for stem in stems(word)} - own


def _quote(chunk: Chunk, wanted: set[str]) -> str:
    """The sentence of a chunk that says most of it."""
    quotes = [" ".join(sentence.split()) for sentence in sentences(chunk.text)]
    best = max(quotes, key=lambda s: (len(wanted & set(stems(s))), -len(s)), default=chunk.text)
    return best if len(best) <= _LONGEST_QUOTE else best[:_LONGEST_QUOTE].rsplit(" ", 1)[0]
