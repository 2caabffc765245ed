"""What was asked, done and said in one turn of a conversation."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from services.core.models import Chunk, Document, Fact, Instants

CitationKind = Literal["fact", "chunk", "result"]
Mark = Literal["supported", "uncited", "contradicted", "beside", "quoted"]
MARK_WORDS: Mapping[Mark, str] = {
    "supported": "supported",
    "uncited": "no source",
    "contradicted": "contradicted",
    "beside": "off topic",
    "quoted": "quoted",
}
"""What each mark is called wherever it is read: `beside` is what its records bear out, but nobody asked; `quoted` the
words of a document, which may answer what was asked."""
MARK_SIGNS: Mapping[Mark, str] = {"supported": "✓", "uncited": "∅", "contradicted": "✕", "beside": "≠", "quoted": "❝"}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One line of a trace: what was called with what, what came back, and what it cost.

    `kind` is "model" for a request to a model; the tools that it asked for have its id as `parent_id`. `output` is a
    document for JSON, uncut. `summary` is what one line says of it ("8 facts"). `cost` is in US dollars, None where no
    price is configured.
    """

    id: str
    tool: str
    input: Mapping[str, Any]
    started_at: datetime
    kind: Literal["tool", "model"] = "tool"
    parent_id: str | None = None
    output: Any = None
    summary: str = ""
    error: str | None = None
    ms: float = 0.0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


FailureKind = Literal["", "agent", "endpoint", "graph", "unexpected"]
"""Why there is no whole answer: the agent ended without one, the model's endpoint or the graph cannot be used, or a
fault of ours."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A record that a tool returned in this turn, under the number that answers cite it by.

    `at` are the instants of the calls that returned it, first to last. A fact is as it was known at the first. A
    `result` is a call as a whole, with the `rows` that it returned: it stands for counts, paths and tables; `id` is
    then the call's, and `asked` its input. Without `is_whole` its rows are the best that a search found: how many they
    are says nothing about the world.
    """

    n: int
    kind: CitationKind
    id: str
    at: tuple[Instants, ...]
    text: str
    fact: Fact | None = None
    chunk: Chunk | None = None
    document: Document | None = None
    rows: tuple[Mapping[str, Any], ...] = ()
    total: int = 0
    is_whole: bool = True
    asked: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Citation:
    """A number in an answer, and what it stands for. `quote` is what the source of that `title` says.

    It stands there from `start` to `end`, in characters of the episode's content or of the chunk's text; both are None
    where there is no source text.
    """

    n: int
    kind: CitationKind
    id: str
    episode_id: str | None = None
    document_id: str | None = None
    quote: str = ""
    start: int | None = None
    end: int | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, at `start` to `end` of its text, with the numbers that it cites.

    `mark` is None where it claims nothing ("Nothing was found."). `by` is the number of the record that contradicts it,
    `undated` tells that what supports it has no date, and `reason` says in words why it has its mark.
    """

    text: str
    citations: tuple[int, ...] = ()
    mark: Mark | None = None
    by: int | None = None
    undated: bool = False
    reason: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, with the clocks of the time bar. None of an instant is now; a date in the question beats the bar."""

    question: str
    as_of: datetime | None = None
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """What a follow-up carries over: what was last spoken of, and when. Names are as the graph writes them.

    `intent` is what was asked of it, in the words of the analyst without a model ("count", "history").
    """

    entities: tuple[str, ...] = ()
    relation: str = ""
    as_of: datetime | None = None
    as_of_2: datetime | None = None
    known_at: datetime | None = None
    intent: str = ""


PartKind = Literal["entity", "relation", "value", "condition", "order", "period", "known_at"]
"""What a part of a question says: whom it is about, what is asked of it, what else must be so, which one, and when."""


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """A part of a question as it was understood. `name` is what the graph calls it, `words` what the question calls it.

    `carried` tells that the question leaves it out, and that it was taken from the one before.
    """

    kind: PartKind
    name: str
    words: str = ""
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done instead of a question that was declined: ask `question`, or search for it. `label` names it.

    A "question" leaves out what was not understood, a "relation" is one that the entity has, a "name" is one that is
    spelled like a name that the graph lacks, and a "search" looks in the documents.
    """

    kind: Literal["question", "relation", "name", "search"]
    label: str
    question: str


DeclineKind = Literal["", "not_understood", "unknown_name", "nothing_found"]
"""Why an answer was declined: words were not understood, a name is not in the graph, or the graph has no such fact."""

DECLINE_WORDS: Mapping[DeclineKind, str] = {
    "": "nothing found",
    "nothing_found": "nothing found",
    "not_understood": "not understood",
    "unknown_name": "not understood",
}
"""What a declined answer is called wherever it is read: what was looked up and is not recorded, and what was not."""
DECLINE_SIGNS: Mapping[DeclineKind, str] = {
    "": "∅",
    "nothing_found": "∅",
    "not_understood": "?",
    "unknown_name": "?",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to a question. `text` is the whole of it, with citations as [n].

    `at` are the instants that it holds at, `as_of_2` the second of a comparison or the end of a period. `dated_by` are
    the words of the question that the date was taken from. `declined` says that it was not understood, or that the
    graph has nothing; `hint` then says what may help. `model` is empty where no model spoke. `understood` are the parts
    of the question as they were read, `not_understood` the words that were not, `offers` what can be done instead, and
    `offers_in_words` says the same where nobody can click on them.
    """

    text: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    at: Instants
    declined: bool = False
    as_of_2: datetime | None = None
    dated_by: str = ""
    hint: str = ""
    follow_ups: tuple[str, ...] = ()
    topic: Topic = field(default_factory=Topic)
    calls: tuple[ToolCall, ...] = ()
    model: str = ""
    prompt_version: str = ""
    stop_reason: str = ""
    declined_for: DeclineKind = ""
    understood: tuple[QuestionPart, ...] = ()
    not_understood: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    offers_in_words: str = ""


def citation_numbers(numbers: Iterable[int]) -> str:
    """Return the numbers that a sentence cites, as they stand behind it: " [1] [2]"."""
    return "".join(f" [{n}]" for n in numbers)
