"""Questions of several parts: "Who wrote it, and what was its status in 2018?" is two, each read after the other."""

import re
from dataclasses import replace
from datetime import datetime

from services.analyst.followups import read_after
from services.analyst.graph_lexicon import Lexicon
from services.analyst.query_plan import QueryPlan, Refusal
from services.analyst.question_cues import OF_ONE_PERSON
from services.analyst.vocabulary import is_of_people, other
from services.core.answer_records import Offer, Topic

_ASKING = (
    r"(?:(?:(?:of|in|at|for|to|on|by|from) )?(?:whom|what|which)|who|whose|where|when|how|since when"
    r"|is|was|were|are|did|does|do|has|have|had|tell me|show me)"
)
_JOINT = re.compile(rf"(?:[,;]?\s+(?:and|but)(?:\s+(?:also|then))?|[?;](?:\s+and)?)\s+(?={_ASKING}\b)", re.IGNORECASE)
_OPENING = r"(?:who|whose|what|which|where|when|how|since when)"
_LIST_OF_QUESTIONS = re.compile(
    rf"(?=(?:who|whose|what|which|where|how)\b)(?P<first>[^,?]+), (?P<second>{_OPENING}\b[^,?]+)"
    rf",? and (?P<last>{_OPENING}\b[^?]+)\??",
    re.IGNORECASE,
)
"""Three questions in a row: "Who wrote it, who sponsored it, and when was it accepted?"."""
_ELLIPTIC = re.compile(
    r"^(?:who|what|which|where|how)\s+(?:in|on|at|by|before|after|as of|since|from|then)\b", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:it|its|he|she|they|his|her|their)\b", re.IGNORECASE)
_LEAST_WORDS = 3
LONGEST = 120
"""So many words are read as a question; more are a text."""


def is_too_long(text: str) -> bool:
    """True for a text that is read as no question."""
    return len(text.split()) > LONGEST


def read_each(text: str, topic: Topic | None, lexicon: Lexicon, now: datetime) -> tuple[QueryPlan, ...] | Refusal:
    """Read what each part of a question asks for; the first that is not understood is why all of it is not."""
    if is_too_long(text):
        return Refusal(
            f"The question is longer than {LONGEST} words.", "Ask about one thing at a time, in fewer words."
        )
    parts = questions_in(text)
    plans: list[QueryPlan] = []
    for part in parts:
        if plans and (open_word := _open_pronoun(part, plans[-1], lexicon)):
            meant = plans[-1].subjects[0] if plans[-1].subjects else "one thing"
            return Refusal(
                f"“{open_word}” can mean either {meant} or the answer to the first part of the question.",
                words=(open_word,),
            )
        plan = read_after(part, topic, lexicon, now, continued=bool(plans))
        if isinstance(plan, Refusal):
            rest = tuple(Offer("question", other, other) for other in parts if other != part)
            return replace(plan, offers=(*rest, *plan.offers))
        if plans:  # what the part before says is no question before
            phrase = plans[-1].when.phrase if "period" in plan.carried else plan.when.phrase
            plan = replace(plan, carried=frozenset(), when=replace(plan.when, phrase=phrase))
        plans.append(plan)
        topic = topic_of(plan)
    return tuple(plans)


def _open_pronoun(part: str, before: QueryPlan, lexicon: Lexicon) -> str:
    """Return a pronoun that can stand for the subject of the part before as well as for its answer."""
    alike = bool(before.relation) and lexicon.relations[before.relation].joins_alike
    pronoun = _PRONOUN.search(part)
    if pronoun is None or not before.relation:
        return ""
    if pronoun[0].lower() in OF_ONE_PERSON and not any(is_of_people(lexicon.type_of(name)) for name in before.subjects):
        answers = lexicon.relations[before.relation].types(other(before.side)).most_common(1)
        return pronoun[0] if any(is_of_people(kind) for kind, _ in answers) else ""
    return pronoun[0] if alike and not (before.value or before.symmetric) else ""


def questions_in(text: str) -> tuple[str, ...]:
    """Return the parts of a question that are questions by themselves; all of it where it is one."""
    row = _LIST_OF_QUESTIONS.fullmatch(text.strip())
    parts = [part.strip() for part in (row.groups() if row else _JOINT.split(text))]
    return tuple(parts) if all(map(_stands_alone, parts)) else (text,)


def _stands_alone(part: str) -> bool:
    """False for what leans on the part before it: "and when?", "and who in 2012?"."""
    asks = re.search(rf"\b{_ASKING}\b", part, re.IGNORECASE)
    return asks is not None and len(part.split()) >= _LEAST_WORDS and not _ELLIPTIC.search(part)


def topic_of(plan: QueryPlan) -> Topic:
    """Return what a plan leaves for the question after it."""
    when = plan.when
    until = when.last if when.way == "period" else when.second
    return Topic(plan.subjects, plan.relation, when.first, until, when.known_at, plan.intent)
