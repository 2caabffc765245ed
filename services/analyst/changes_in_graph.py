"""What began and ended in the whole graph, for a question that names a time and nothing else: "What ended in 2019?" """

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from services.analyst import answer_builder, phrasing
from services.analyst.answer_lines import AnswerLine
from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_order import facts_of
from services.analyst.graph_lexicon import Lexicon
from services.analyst.parsed_question import ParsedQuestion, parse_question
from services.analyst.question_words import SMALL_WORDS
from services.analyst.time_frame import TimeFrame
from services.core import clock
from services.core.answer_records import Answer, Asked, Topic
from services.core.models import ChangeKind, Fact, Instants
from services.tools.toolbox import Called, Toolbox

INTENT = "changes"
_MOST_OF_A_KIND = 5
_TICK = timedelta(microseconds=1)
_KINDS: Mapping[ChangeKind, tuple[str, ...]] = {
    "added": tuple(str.split("add adds added addition additions begin begins began begun start starts started new")),
    "ended": tuple(str.split("end ends ended ending endings stop stops stopped cease ceased over")),
}
"""The words that ask for changes of one kind. What was corrected or re-dated is told by the graph's clock alone."""
_OF_ANY_KIND = frozenset(
    str.split(
        "change changes changed changing differ differs differed different difference differences happen happens "
        "happened happening update updates updated alter altered alterations modification modifications modified"
    )
)
_SCOPE = frozenset(("fact", "facts", "workspace", "between", "how", "many", "since", "after"))
_OF_ONE = frozenset(("who", "whom", "whose", "where", "when", "why", "long"))
"""What is asked of something that a question must name."""
_WORDS: Mapping[ChangeKind, tuple[str, str]] = {
    "added": ("was added", "were added"),
    "ended": ("ended", "ended"),
}


def changes_in_graph(asked: Asked, toolbox: Toolbox, lexicon: Lexicon) -> Answer | None:
    """Return how much changed in the time that a question names, and what first; None where it asks something else."""
    question = parse_question(asked.question, lexicon, clock.now())
    span = _span(question.when)
    kinds = _kinds(question)
    if span is None or not kinds:
        return None
    known_at = question.when.known_at or asked.known_at or clock.now()
    first, second = span
    context = replace(toolbox.context, as_of=None, known_at=question.when.known_at or asked.known_at)
    given = {"first": clock.spell(first), "second": clock.spell(second)}
    called = toolbox.call("compare_times", given, context=context)
    found = called.result.document["totals"]
    totals = {kind: found[kind] for kind in kinds}
    at, topic = Instants(first, known_at), Topic((), "", first, second, question.when.known_at, INTENT)
    if not any(totals.values()):
        what = f"No fact {' or '.join(_WORDS[kind][0] for kind in kinds)}"
        return answer_builder.declined(f"{what} {question.when.phrase}.", "", at, topic)
    lines = [*_counts(totals, question.when.phrase), *_first(called, totals)]
    selection = FactSelection(INTENT, at, tuple(facts_of(called)), until=second, call=called)
    text, sentences = answer_builder.laid_out(lines, selection, toolbox)
    return Answer(text, sentences, (), at, as_of_2=second, dated_by=question.when.phrase, topic=topic)


def _span(when: TimeFrame) -> tuple[datetime, datetime] | None:
    """The two instants to compare; what begins with a year changed in it."""
    if when.first is None or when.problem or when.way in ("none", "at", "before"):
        return None
    if when.way in ("since", "after"):
        return when.first - _TICK if when.way == "since" else when.first, clock.now()
    if when.second is not None:
        return when.first, when.second
    return (when.first - _TICK, when.last - _TICK) if when.last is not None else None


def _kinds(question: ParsedQuestion) -> tuple[ChangeKind, ...]:
    """The kinds of change that a question asks for; none where it asks for anything else, or of something by name."""
    words = {word.low for place, word in enumerate(question.words) if place not in question.dated}
    of_kinds = {word for kind in _KINDS.values() for word in kind}
    unexplained = words - SMALL_WORDS - _OF_ANY_KIND - _SCOPE - of_kinds
    if question.mentions or unexplained or words & _OF_ONE or not words & (_OF_ANY_KIND | of_kinds):
        return ()
    named = tuple(kind for kind, own in _KINDS.items() if words & set(own))
    return named or tuple(_KINDS)


def _counts(totals: Mapping[ChangeKind, int], phrase: str) -> Iterator[AnswerLine]:
    """Yield a sentence for each kind of which there is something."""
    for kind, number in totals.items():
        if number:
            verb = _WORDS[kind][number != 1]
            yield AnswerLine(f"{phrasing.counted(number, 'fact')} {verb} {phrase}.", result=True)


def _first(called: Called, totals: Mapping[ChangeKind, int]) -> Iterator[AnswerLine]:
    """Yield the first changes of each kind under what leads in to them."""
    facts: Mapping[str, Fact] = {fact.uuid: fact for fact in facts_of(called)}
    for kind, number in totals.items():
        own = [facts[row["uuid"]] for row in called.result.rows if row["kind"] == kind]
        if own:
            first = "" if number <= _MOST_OF_A_KIND else f" (first {_MOST_OF_A_KIND})"
            yield AnswerLine(f"{kind.capitalize()}{first}:", leads=True)
        for fact in own[:_MOST_OF_A_KIND]:
            yield AnswerLine(phrasing.sentence(fact, phrasing.date_of), (fact,))
