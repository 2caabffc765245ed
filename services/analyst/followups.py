"""Questions that lean on the one before: "and in 2010?", "who wrote it?", "what about PEP 8?", "and before that?"."""

import re
from collections.abc import Set
from dataclasses import dataclass, replace
from datetime import datetime

from services.analyst.fact_lookup import TICK
from services.analyst.graph_lexicon import Lexicon
from services.analyst.intents import Intent, intent_matches
from services.analyst.interpretation import read
from services.analyst.parsed_question import NAME, ParsedQuestion, QuestionTemplate, parse_question
from services.analyst.query_plan import QueryPlan, Refusal
from services.analyst.question_words import FUNCTION_WORDS, LIGHT_WORDS, SMALL_WORDS, places_of
from services.analyst.relative_times import relative_time
from services.analyst.time_frame import TimeFrame, Way
from services.analyst.vocabulary import Side
from services.core.answer_records import PartKind, Topic

_PRONOUN = re.compile(r"\b(?:it|he|she|they|him|them|that one|this one|the same one)\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"\b(?:its|his|her|their)\b", re.IGNORECASE)
_LEANS = re.compile(r"^\s*(?:and|what about|how about|what of|but|also|or|so|then|same for|now|ok)\b", re.IGNORECASE)
_BEFORE_THAT = re.compile(
    r"\b(?:before|prior to|preceding) (?:that|this|then|it|them)\b|\b(?:previously|earlier)\b|^\W*(?:and )?before\W*$",
    re.IGNORECASE,
)
_AFTER_THAT = re.compile(
    r"\b(?:after|following) (?:that|this|then|it|them)\b|\b(?:afterwards?|next|later|thereafter)\b"
    r"|^\W*(?:and )?(?:after|then)\W*$",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|today|currently|at present|these days|nowadays)\b", re.IGNORECASE)


_PRESENT = re.compile(
    r"^\W*(?:(?:and|but|so|also)\s+)?(?:who|whose|what|where|(?:what|which|whose|how many)\s+\w+(?:\s+\w+)?)?\s*"
    r"(?:is|are|does|do)\b",
    re.IGNORECASE,
)
_FROM_BEFORE = "the previous question"
"""Where a date was taken from that a question leaves out."""
_OF_ONE_FACT = ("when", "ended", "how_long", "history", "first", "last")
_SMALL = FUNCTION_WORDS | {"how", "known", "believed", "well", "since", "until", "before", "after", "between"}


def read_after(
    text: str, topic: Topic | None, lexicon: Lexicon, now: datetime, *, continued: bool = False
) -> QueryPlan | Refusal:
    """Read what a question asks for, with what it leaves out taken from the one before.

    One that is `continued` is the second part of a question, whose date the first may have.
    """
    if topic is None or not topic.entities:
        return read(text, lexicon, now)
    question = parse_question(text, lexicon, now)
    if any(mention.how == "unknown" for mention in question.mentions) or question.when.problem:
        return read(text, lexicon, now)
    follow_up = _FollowUp(text, question, topic)
    if continued and (dated := follow_up.with_date) and follow_up.repeated() is None:
        return follow_up.in_order(read_after(dated, topic, lexicon, now))
    plan = _read_with(follow_up, now, continued=continued)
    return plan if isinstance(plan, Refusal) else follow_up.with_carried(plan)


def _read_with(follow_up: "_FollowUp", now: datetime, *, continued: bool) -> QueryPlan | Refusal:
    """Read a question after another: of who was last spoken of, of somebody else, or by itself."""
    text, lexicon = follow_up.text, follow_up.question.lexicon
    if not follow_up.has_subject:
        return follow_up.repeated() or _of_the_same(follow_up, now)
    plan = read(text, lexicon, now)
    if isinstance(plan, Refusal) or (_LEANS.search(text) and plan.intent == "overview"):
        return follow_up.of_another() or plan
    return follow_up.at_the_same_time(plan) if continued else plan


def _of_the_same(follow_up: "_FollowUp", now: datetime) -> QueryPlan | Refusal:
    """Read a question that names nobody as one about who was last spoken of."""
    lexicon = follow_up.question.lexicon
    alone = read(follow_up.text, lexicon, now)
    if follow_up.question.mentions and isinstance(alone, QueryPlan) and not follow_up.leans:
        return alone
    if follow_up.asks_nothing or (follow_up.has_own_noun and not follow_up.leans):
        return alone if isinstance(alone, Refusal) else Refusal("I couldn't read this as a question about the graph.")
    plan = read(follow_up.with_name, lexicon, now)
    return plan if isinstance(plan, Refusal) else follow_up.at_the_same_time(plan)


@dataclass(frozen=True)
class _FollowUp:
    """A question after another, whose topic was kept."""

    text: str
    question: ParsedQuestion
    topic: Topic

    @property
    def leans(self) -> bool:
        """True for a question that cannot stand alone."""
        return any(pattern.search(self.text) for pattern in (_LEANS, _PRONOUN, _POSSESSIVE))

    @property
    def has_subject(self) -> bool:
        """True where it names what it is about, and not only a value, which may be what "it" was."""
        lexicon = self.question.lexicon
        named = [m.name for m in self.question.mentions if not lexicon.is_value(m.name)]
        sides = (lexicon.sides.get(name, {}).values() for name in named)
        return any(not self.leans or any(on != {"target"} for on in own) for own in sides)

    @property
    def has_own_noun(self) -> bool:
        """True for a noun that calls no relation: "the latest PEP"."""
        cues = self.question.cues
        return bool(cues.types.keys() - places_of(cues.relations))

    @property
    def asks_nothing(self) -> bool:
        """True for small words alone: "hello", "ok"."""
        is_dated = self.question.when.way != "none" or _NOW.search(self.text)
        points = _PRONOUN.search(self.text) or _POSSESSIVE.search(self.text)
        return not is_dated and not points and self._says_nothing_more(small=SMALL_WORDS)

    def with_carried(self, plan: QueryPlan) -> QueryPlan:
        """Mark which parts of a plan the question leaves out."""
        named = {name for mention in self.question.mentions for name in mention.names}
        left_out: dict[PartKind, bool] = {
            "entity": bool(plan.subjects) and not named & set(plan.subjects),
            "relation": plan.relation == self.topic.relation and not plan.words.get(plan.relation),
            "period": self.question.when.way == "none" and plan.when.first is not None and plan.event is None,
        }
        carried = frozenset(kind for kind, is_left_out in left_out.items() if is_left_out)
        words = {name: words for name, words in plan.words.items() if name not in plan.subjects or name in named}
        when = replace(plan.when, phrase=_FROM_BEFORE) if "period" in carried else plan.when
        return replace(plan, carried=carried, words=words, when=when)

    @property
    def with_date(self) -> str:
        """The question with a date for words that point to that of the question before; empty where none do."""
        if self.topic.as_of is None or (relative := relative_time(self.text, self.question.lexicon)) is None:
            return ""
        return relative.dated(self.topic.as_of, self.topic.as_of_2)

    def in_order(self, plan: QueryPlan | Refusal) -> QueryPlan | Refusal:
        """Return a plan for before or after the question before; of the same thing, for who came next to the answer."""
        if isinstance(plan, Refusal) or plan.intent != "value" or plan.subjects != self.topic.entities:
            return plan
        return (plan.relation == self.topic.relation and self._beside_that()) or plan

    @property
    def with_name(self) -> str:
        """The question with the pronoun replaced by the name; without one the name is put behind."""
        name = self.topic.entities[0]
        for pattern, spelled in ((_POSSESSIVE, f"{name}'s"), (_PRONOUN, name)):
            if pattern.search(self.text):
                return pattern.sub(spelled.replace("\\", r"\\"), self.text, count=1)
        return f"{self.text.rstrip(' ?.!')} of {name}?"

    def repeated(self) -> QueryPlan | None:
        """Return the last question's plan with what this one changes of it; None where it is another question."""
        if not self._is_of_the_relation:
            return None
        if self.question.mentions:
            return self.of_another()
        return self._beside_that() or self._at_another_time() or self._asked_otherwise()

    def of_another(self) -> QueryPlan | None:
        """ "What about PEP 8?": the last question of another entity, at the same instants unless a date is given."""
        lexicon, relation = self.question.lexicon, self.topic.relation
        names = tuple(mention.name for mention in self.question.mentions)
        fits = all(lexicon.has(name, relation, side) for name in names for side in self._sides)
        if not (self._is_of_the_relation and fits and self._says_nothing_more()):
            return None
        return self._dated(self._last_plan(names))

    def at_the_same_time(self, plan: QueryPlan) -> QueryPlan:
        """Give a plan the instants of the question before, where this one has none and does not say "now"."""
        if plan.when.way != "none" or plan.event is not None or self.topic.as_of is None:
            return plan
        if plan.intent not in ("value", "is", "count") or _NOW.search(self.text) or _PRESENT.search(self.text):
            return plan
        known_at = plan.when.known_at or self.topic.known_at
        return replace(plan, when=replace(self._last_time, known_at=known_at, spans=plan.when.spans))

    @property
    def _is_of_the_relation(self) -> bool:
        words = self.question.words
        cues = [
            cue for cue in self.question.cues.relations if any(words[at].low not in LIGHT_WORDS for at in cue.places)
        ]
        return bool(self.topic.relation) and not cues

    @property
    def _sides(self) -> frozenset[Side]:
        """The sides of the last relation that the last entity stands on."""
        return self.question.lexicon.sides.get(self.topic.entities[0], {}).get(self.topic.relation, frozenset())

    @property
    def _last_time(self) -> TimeFrame:
        topic = self.topic
        way: Way = "none" if topic.as_of is None else "period" if topic.as_of_2 else "at"
        return TimeFrame(way, topic.as_of, topic.as_of_2, topic.known_at)

    def _last_plan(self, entities: tuple[str, ...]) -> QueryPlan:
        """Return the last question's plan, as far as it was kept."""
        intent: Intent = (
            "count" if self.topic.intent == "count" else "history" if self.topic.intent == "history" else "value"
        )
        side: Side = "target" if self._sides == {"target"} else "source"
        return QueryPlan(intent, entities, self.topic.relation, side, when=self._last_time)

    def _dated(self, plan: QueryPlan) -> QueryPlan:
        return plan if self.question.when.way == "none" else replace(plan, when=self.question.when)

    def _says_nothing_more(self, explained: frozenset[int] = frozenset(), small: Set[str] = _SMALL) -> bool:
        """True where each word is part of a name or a date, explained, or small."""
        known = explained | self.question.cues.taken
        return all(word.low in small for at, word in enumerate(self.question.words) if at not in known)

    def _beside_that(self) -> QueryPlan | None:
        """ "And before that?": just before, or after, what was last told."""
        if self.question.when.way != "none":
            return None
        plan = self._last_plan(self.topic.entities[:1])
        if _BEFORE_THAT.search(self.text):
            return replace(plan, intent="before", when=replace(plan.when, way="at" if self.topic.as_of else "none"))
        if _AFTER_THAT.search(self.text):
            end = plan.when.first if plan.when.last is None else plan.when.last - TICK
            when = replace(plan.when, first=end, way="after" if self.topic.as_of else "none")
            return replace(plan, intent="after", when=when)
        return None

    def _at_another_time(self) -> QueryPlan | None:
        """ "And in 2010?": the last question at another date."""
        asked, plan = self.question.when, self._last_plan(self.topic.entities)
        if (asked.way, asked.known_at) == ("none", None) and not _NOW.search(self.text):
            return None
        if not self._says_nothing_more():
            return None
        when = replace(plan.when, phrase=asked.phrase) if asked.way == "none" and asked.known_at else asked
        return replace(plan, when=replace(when, known_at=asked.known_at or self.topic.known_at))

    def _asked_otherwise(self) -> QueryPlan | None:
        """ "Since when?", "How did it change?": something else about what was last told."""
        tokens = (replace(t, text=NAME) if _PRONOUN.fullmatch(t.text) else t for t in self.question.template.tokens)
        intents = () if self.question.cues.types else intent_matches(QuestionTemplate(tuple(tokens)))
        for asking in intents:
            if asking.intent in _OF_ONE_FACT and self._says_nothing_more(asking.places, FUNCTION_WORDS):
                return self._dated(replace(self._last_plan(self.topic.entities), intent=asking.intent))
        return None
