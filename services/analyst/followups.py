"""Questions that lean on the one before: "and in 2010?", "who wrote it?", "what about PEP 8?", "and before that?"."""

import re
from dataclasses import replace
from datetime import datetime

from services.analyst.intents import wishes
from services.analyst.lexicon import Lexicon
from services.analyst.meanings import Alike
from services.analyst.mentions import Mention
from services.analyst.plan import Plan, Refusal
from services.analyst.question import Question, take_apart
from services.analyst.reading import read
from services.analyst.skeleton import Skeleton, skeleton_of
from services.analyst.time_frame import TimeFrame
from services.analyst.vocabulary import Side
from services.analyst.words import FUNCTION_WORDS
from services.core.answer_records import Topic

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


def read_after(
    text: str, topic: Topic | None, lexicon: Lexicon, now: datetime, alike: Alike | None = None
) -> Plan | Refusal:
    """What a question asks for, with what it leaves out taken from the one before."""
    if topic is None or not topic.entities:
        return read(text, lexicon, now, alike)
    question = take_apart(text, lexicon, now)
    if any(mention.how == "unknown" for mention in question.mentions) or question.when.problem:
        return read(text, lexicon, now)
    own = [
        m for m in question.mentions if not (lexicon.is_value(m.name) or (_leans(text) and _is_mere_value(m, lexicon)))
    ]
    if not own:
        return _of_the_same(text, question, topic, lexicon, now)
    plan = read(text, lexicon, now, alike)
    if isinstance(plan, Refusal) or (_LEANS.search(text) and plan.intent == "overview"):
        swapped = _of_another(question, topic, lexicon)
        return swapped or plan
    return plan


def _of_the_same(text: str, question: Question, topic: Topic, lexicon: Lexicon, now: datetime) -> Plan | Refusal:
    """A question that names nobody is about who was last spoken of; without words of a relation, of the last one."""
    beside = _beside_that(text, question, topic, lexicon)
    if beside is not None:
        return beside
    again = _asked_again(text, question, topic, lexicon) or _asked_otherwise(question, topic, lexicon)
    if again is not None:
        return again
    alone = read(text, lexicon, now)
    if question.mentions and isinstance(alone, Plan) and not _leans(text):
        return alone
    plan = read(_named(text, topic.entities[0]), lexicon, now)
    return plan if isinstance(plan, Refusal) else _carried(text, plan, topic, lexicon)


def _is_mere_value(mention: Mention, lexicon: Lexicon) -> bool:
    """True for a name that nothing is ever said of: it may be what "it" was."""
    return all(on == {"target"} for on in lexicon.sides.get(mention.name, {}).values())


def _leans(text: str) -> bool:
    return bool(_LEANS.search(text) or _PRONOUN.search(text) or _POSSESSIVE.search(text))


def _named(text: str, entity: str) -> str:
    """The question with the pronoun replaced by the name; without one the name is put behind."""
    for pattern, spelled in ((_POSSESSIVE, f"{entity}'s"), (_PRONOUN, entity)):
        if pattern.search(text):
            return pattern.sub(spelled.replace("\\", r"\\"), text, count=1)
    return f"{text.rstrip(' ?.!')} of {entity}?"


def _beside_that(text: str, question: Question, topic: Topic, lexicon: Lexicon) -> Plan | None:
    """ "And before that?": just before, or after, what was last told."""
    if question.mentions or question.when.way != "none" or not topic.relation:
        return None
    intent = "before" if _BEFORE_THAT.search(text) else "after" if _AFTER_THAT.search(text) else None
    if intent is None or question.evidence.told:
        return None
    plan = _of_topic(topic, topic.entities[:1], lexicon)
    way = "after" if intent == "after" else "at"
    return replace(plan, intent=intent, when=replace(plan.when, way=way if topic.as_of else "none"))  # type: ignore[arg-type]


def _asked_again(text: str, question: Question, topic: Topic, lexicon: Lexicon) -> Plan | None:
    """ "And in 2010?": the last question at another date; "and Rejected?": of another value."""
    if question.evidence.told or not topic.relation:
        return None
    if question.mentions:
        return _of_another(question, topic, lexicon)
    if question.when.way == "none" and question.when.known_at is None and not _NOW.search(text):
        return None
    left = [w.low for w in question.words if not any(a <= w.start < b for a, b in question.when.spans)]
    if any(word not in _SMALL for word in left):
        return None
    plan, asked = _of_topic(topic, topic.entities, lexicon), question.when
    when = replace(plan.when, phrase=asked.phrase) if asked.way == "none" and asked.known_at else asked
    return replace(plan, when=replace(when, known_at=asked.known_at or topic.known_at))


_SMALL = FUNCTION_WORDS | {"how", "known", "believed", "well", "since", "until", "before", "after", "between"}


def _asked_otherwise(question: Question, topic: Topic, lexicon: Lexicon) -> Plan | None:
    """ "Since when?", "How did it change?": something else about what was last told."""
    if question.evidence.told or question.evidence.types or question.mentions or not topic.relation:
        return None
    skeleton = skeleton_of(question.words, (), question.when)
    for wish in wishes(
        Skeleton(tuple(replace(t, text="M") if _PRONOUN.fullmatch(t.text) else t for t in skeleton.tokens))
    ):
        left = [
            w
            for at, w in enumerate(question.words)
            if at not in wish.places
            and w.low not in FUNCTION_WORDS
            and not any(a <= w.start < b for a, b in question.when.spans)
        ]
        if wish.intent in ("when", "ended", "how_long", "history", "first", "last") and not left:
            plan = replace(_of_topic(topic, topic.entities, lexicon), intent=wish.intent)
            return plan if question.when.way == "none" else replace(plan, when=question.when)
    return None


def _of_another(question: Question, topic: Topic, lexicon: Lexicon) -> Plan | None:
    """ "What about PEP 8?": the last question of another entity, at the same instants unless a date is given."""
    if question.evidence.told or not topic.relation or not topic.entities:
        return None
    names = [mention.name for mention in question.mentions]
    sides = lexicon.sides.get(topic.entities[0], {}).get(topic.relation, frozenset())
    if not all(lexicon.has(name, topic.relation, side) for name in names for side in sides):
        return None
    left = [
        w.low
        for at, w in enumerate(question.words)
        if not any(m.first <= at < m.last for m in question.mentions)
        and not any(a <= w.start < b for a, b in question.when.spans)
    ]
    if any(word not in _SMALL for word in left):
        return None
    plan = _of_topic(topic, tuple(names), lexicon)
    return plan if question.when.way == "none" else replace(plan, when=question.when)


def _of_topic(topic: Topic, entities: tuple[str, ...], lexicon: Lexicon) -> Plan:
    """The last question's plan, as far as it was kept."""
    when = TimeFrame(known_at=topic.known_at)
    if topic.as_of is not None:
        when = TimeFrame("period" if topic.as_of_2 else "at", topic.as_of, topic.as_of_2, topic.known_at)
    intent = topic.intent if topic.intent in ("value", "count", "history", "is") else "value"
    sides = lexicon.sides.get(topic.entities[0], {}).get(topic.relation, frozenset())
    side: Side = "target" if sides == {"target"} else "source"
    return Plan("value" if intent == "is" else intent, entities, topic.relation, side, when=when)  # type: ignore[arg-type]


def _carried(text: str, plan: Plan, topic: Topic, lexicon: Lexicon) -> Plan:
    """The instants of the question before, where this one has none and does not say "now"."""
    if plan.when.way != "none" or plan.event is not None or _NOW.search(text) or topic.as_of is None:
        return plan
    if plan.intent not in ("value", "is", "count"):
        return plan
    when = replace(
        _of_topic(topic, topic.entities, lexicon).when,
        known_at=plan.when.known_at or topic.known_at,
        spans=plan.when.spans,
    )
    return replace(plan, when=when)
