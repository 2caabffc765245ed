"""The analyst without a model: reads a question by rules, asks the tools, and answers with the facts themselves."""

from dataclasses import replace
from datetime import datetime

from services.analyst import answer_builder
from services.analyst.changes_in_graph import changes_in_graph
from services.analyst.composed_answers import Composer, composed_answer
from services.analyst.compound_questions import is_too_long, read_each
from services.analyst.fact_selection import FactSelector
from services.analyst.graph_lexicon import Lexicon, Lexicons
from services.analyst.offers import relations_of
from services.analyst.parsed_question import parse_question
from services.analyst.query_plan import QueryPlan, Refusal
from services.analyst.quoted_passages import with_quotes
from services.analyst.rewordings import rewordings
from services.analyst.table_answer import from_tables
from services.analyst.time_frame import TimeFrame, time_frame
from services.analyst.vocabulary import Synonyms
from services.core import clock
from services.core.answer_records import Answer, Asked, Offer, Topic
from services.core.errors import AsofError
from services.core.models import Instants
from services.mirror.mirror import Mirror
from services.tools.tool import Context
from services.tools.toolbox import Toolbox

_IN_DOCUMENTS = "The graph's facts do not cover the contents of the documents."
_LEXICONS = Lexicons()
"""Kept for as long as the mirrors that they were made of."""


class Analyst:
    """Answers questions about any graph without a model.

    `synonyms` are what a workspace calls its types and relations besides their names.
    """

    def __init__(self, synonyms: Synonyms | None = None) -> None:
        self._synonyms = synonyms or Synonyms()

    def answer(self, asked: Asked, toolbox: Toolbox, topic: Topic | None = None) -> Answer:
        """The answer with its sentences and what they cite. Raises `MirrorUnavailable`."""
        answer = self._in_other_words(asked, toolbox, topic)
        if answer.declined:
            changed = self._changes(asked, toolbox)
            if (found := changed or from_tables(asked, toolbox)) is not None:
                return found
        if not answer.declined or not (answer.topic.intent == "document" or toolbox.context.mirror.has_documents()):
            return answer
        searched = Offer("search", "Search the documents for this question", asked.question)
        answer = replace(answer, offers=(*answer.offers, searched))
        quoted = with_quotes(answer, asked.question, toolbox, self._of_documents(asked, toolbox))
        if quoted is not answer:
            return quoted
        return replace(answer, offers_in_words=f"{answer.offers_in_words} {searched.label}.".strip())

    def _changes(self, asked: Asked, toolbox: Toolbox) -> Answer | None:
        """Return what changed in the whole graph, where a question asks for no more; None where no tool can tell."""
        if "compare_times" not in toolbox.tools or is_too_long(asked.question):
            return None
        lexicon = _LEXICONS.of(toolbox.context.mirror, self._synonyms)
        try:
            return changes_in_graph(asked, toolbox, lexicon)
        except AsofError:  # the trace says why
            return None

    def _of_documents(self, asked: Asked, toolbox: Toolbox) -> Context:
        """The instants at which documents are read: the question's words may set the graph's clock, and tell of a time
        other than the time bar's, which later documents may speak of as well."""
        when = self.when(asked.question, toolbox.context.mirror)
        as_of = None if when.first is not None else asked.as_of
        return replace(toolbox.context, as_of=as_of, known_at=when.known_at or asked.known_at)

    def _in_other_words(self, asked: Asked, toolbox: Toolbox, topic: Topic | None) -> Answer:
        """Return the answer to a question, or else to one of its rewordings; why it is declined where there is none."""
        answer = self._answer(asked, toolbox, topic)
        if not answer.declined or is_too_long(asked.question):
            return answer
        lexicon = _LEXICONS.of(toolbox.context.mirror, self._synonyms)
        others = (replace(asked, question=text) for text in rewordings(asked.question, lexicon))
        answers = (self._answer(other, toolbox, topic) for other in others)
        return next((found for found in answers if not found.declined), answer)

    def _answer(self, asked: Asked, toolbox: Toolbox, topic: Topic | None) -> Answer:
        context = replace(toolbox.context, as_of=asked.as_of, known_at=asked.known_at)
        lexicon = _LEXICONS.of(context.mirror, self._synonyms)
        now = clock.now()
        plans = read_each(asked.question, topic, lexicon, now)
        try:
            if isinstance(plans, Refusal):
                answer = answer_builder.refused(plans, _instants(asked, now), topic)
            else:
                answer = answer_builder.joined([self._of_plan(plan, asked, toolbox, lexicon) for plan in plans])
            explicit = not isinstance(plans, Refusal) and not any(plan.conditions for plan in plans)
            return (answer.declined and self._composed(asked, toolbox, lexicon, explicit)) or answer
        except AsofError as error:
            return answer_builder.declined(error.message, error.hint, _instants(asked, now), topic)

    @staticmethod
    def _composed(asked: Asked, toolbox: Toolbox, lexicon: Lexicon, explicit: bool) -> Answer | None:
        """Answer a question that is made of others, where it can be taken for one."""
        if is_too_long(asked.question):
            return None
        composer = Composer(lexicon, clock.now(), lambda plan: FactSelector(toolbox, plan).select())
        found = composer.compose(asked.question, explicit=explicit)
        return composed_answer(found, toolbox, lexicon) if found else None

    @staticmethod
    def _of_plan(plan: QueryPlan, asked: Asked, toolbox: Toolbox, lexicon: Lexicon) -> Answer:
        if plan.intent == "document":
            of_document = Topic(plan.subjects, intent=plan.intent)
            return answer_builder.declined(_IN_DOCUMENTS, "", _instants(asked, clock.now()), of_document)
        return answer_builder.answer(plan, FactSelector(toolbox, plan).select(), toolbox, lexicon)

    def questions_about(self, name: str, mirror: Mirror) -> tuple[Offer, ...]:
        """Return what can be asked of an entity of that name, one question for each of its relations."""
        return tuple(relations_of(name, _LEXICONS.of(mirror, self._synonyms)))

    def when(self, question: str, mirror: Mirror) -> TimeFrame:
        """The dates of a question, names of the graph left out of account, for whoever else answers it."""
        now = clock.now()
        if (undated := time_frame(question, question, now)) == TimeFrame():
            return undated  # names need not be looked for: without them it has no more dates
        return parse_question(question, _LEXICONS.of(mirror, self._synonyms), now).when


def _instants(asked: Asked, now: datetime) -> Instants:
    return Instants(asked.as_of or now, asked.known_at or now)
