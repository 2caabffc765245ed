"""What documents say where the facts do not answer: passages that may, quoted with their places."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.core.answer_records import Answer, Sentence, citation_numbers
from services.core.errors import AsofError
from services.core.quotations import quotation
from services.retrieval.passage_quotes import FoundPassage, Quote
from services.tools.tool import Context, ResultItem
from services.tools.toolbox import Toolbox

LEAD = "Passages that may answer your question:"
MOST_QUOTED = 3
MOST_LOOKED_AT = 10
LEAST_SCORE = 0.05
"""Where the best scores less there is nothing to look into; what a question is on is told by its words."""


def with_quotes(answer: Answer, question: str, toolbox: Toolbox, context: Context) -> Answer:
    """Return an answer that has none of its own with what documents say beside it, at the instants of `context`."""
    try:
        found = toolbox.call("search_knowledge", {"query": question, "limit": MOST_LOOKED_AT}, context=context)
    except AsofError:  # the trace says why
        return answer
    read = [
        (item, _passage(item, row))
        for item, row in zip(found.result.items, found.result.rows, strict=True)
        if _is_there(item, context)
    ]
    return _joined(answer, _sentences(question, read, toolbox))


def _is_there(item: ResultItem, context: Context) -> bool:
    """True for a passage of a document that is of no later time than what is asked about."""
    time = item.document.reference_time if item.document else None
    return time is None or context.as_of is None or time <= context.as_of


def _passage(item: ResultItem, row: Mapping[str, Any]) -> FoundPassage:
    assert item.chunk is not None, "search for passages only"
    chunk = item.chunk
    return FoundPassage(chunk.id, chunk.text, row["title"] or "", row["section"] or "", chunk.index, row["score"])


def _sentences(question: str, read: Sequence[tuple[ResultItem, FoundPassage]], toolbox: Toolbox) -> list[Sentence]:
    """The quotes as sentences, the best first."""
    workspace = toolbox.context.workspace
    passages = [passage for _, passage in read]
    if not passages or passages[0].score < LEAST_SCORE:
        return []
    chosen = workspace.services.search.quotes(workspace.name, question, passages, MOST_QUOTED)
    items = {passage.id: item for item, passage in read}
    first = {one.passage_id: one for one in reversed(chosen)}
    return [
        _sentence(items[one.passage_id], one, toolbox, "" if first[one.passage_id] is one else f"from {one.start}")
        for one in chosen
    ]


def _sentence(item: ResultItem, quote: Quote, toolbox: Toolbox, part: str) -> Sentence:
    """A quote with a number of its own, so that its citation has its lines."""
    assert item.chunk is not None, "only passages are quoted"
    title = (item.document.title or item.document.id) if item.document else item.chunk.document_id
    number = toolbox.number("chunk", item.chunk.id, part)
    return Sentence(quotation(item.chunk, title, quote.start, quote.end), (number,), "quoted")


def _joined(answer: Answer, quoted: Sequence[Sentence]) -> Answer:
    """The answer with the quotes behind it, each a paragraph of its own."""
    if not quoted:
        return answer
    text, sentences = answer.text, list(answer.sentences)
    for one in (Sentence(LEAD), *quoted):
        start = len(text) + 2
        text += f"\n\n{one.text}{citation_numbers(one.citations)}"
        sentences.append(replace(one, start=start, end=len(text)))
    return replace(answer, text=text, sentences=tuple(sentences))
