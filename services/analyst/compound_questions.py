"""Questions of several parts: "Who wrote it, and what was its status in 2018?" is two, each read after the other."""

import re
from dataclasses import replace
from datetime import datetime

from services.analyst.followups import read_after
from services.analyst.graph_lexicon import Lexicon
from services.analyst.intents import OF_TIME
from services.analyst.parsed_question import parse_question
from services.analyst.prefaces import subject_of_preface
from services.analyst.query_plan import QueryPlan, Refusal
from services.analyst.question_cues import OF_ONE_PERSON
from services.analyst.relative_times import relative_time
from services.analyst.time_frame import TimeFrame
from services.analyst.vocabulary import is_momentary, is_of_people, other
from services.core import clock
from services.core.answer_records import Offer, Topic

_ASKING = (
    r"(?:(?:(?:of|in|at|for|to|on|by|from) )?(?:whom|what|which)|who|whose|where|when|how|since when"
    r"|is|was|were|are|did|does|do|has|have|had|tell me|show me)"
)
_JOINT = re.compile(
    rf"(?:[,;]?\s+(?:and|but)(?:\s+also)?|[?;](?:\s+and)?)\s+(?=(?:then\s+)?{_ASKING}\b)", re.IGNORECASE
)
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
_TAIL = re.compile(
    r"(?:(?:at|in|for|of|on|with) )?(?:which|what)(?: (?:ones?|years?|dates?|days?|months?))?\W*", re.IGNORECASE
)
"""What the facts that answer the first part tell anyhow: "and in which years?"."""
_STILL = re.compile(
    r"(?:is|are|was|were|does|do|has|have) (?:it|he|she|they) (?:still|(?:right )?now|today|at present)(?: now)?\W*",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"(?P<asking>(?:who|what) (?:is|was|are|were))(?: the)?(?: (?!of |at |for |in |and )\w+){1,3}"
    r"(?= (?:of|at|for|in) |\W*$)",
    re.IGNORECASE,
)
"""Who has an office, whose name it may share with the next."""
_AT_A_TIME = re.compile(r"\b(?:now|today|currently|at present|these days|\d{4})\W*$", re.IGNORECASE)
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
    if (stated := subject_of_preface(text, lexicon)) is not None:
        topic, text = Topic((stated[0],)), stated[1]
    parts = _completed(without_tail(text), lexicon, now)
    plans: list[QueryPlan] = []
    for part in parts:
        if plans and (open_word := _open_pronoun(part, plans[-1], lexicon)):
            meant = plans[-1].subjects[0] if plans[-1].subjects else "the subject"
            return Refusal(
                f"“{open_word}” can mean either {meant} or the answer to the first part of the question.",
                "Write a name instead.",
                words=(open_word,),
            )
        if plans and _happens_at_a_time(plans[-1]) and (relative := relative_time(part, lexicon)):
            return Refusal(
                "I couldn't read the date in the second part of the question.",
                "Write the date, such as 2018-06-27.",
                words=(relative.words,),
            )
        plan = (plans and _again_now(part, plans[-1])) or read_after(part, topic, lexicon, now, continued=bool(plans))
        if isinstance(plan, Refusal):
            rest = tuple(Offer("question", other, other) for other in parts if other != part)
            return replace(plan, offers=(*rest, *plan.offers))
        if plans:  # what the part before says is no question before
            phrase = plans[-1].when.phrase if "period" in plan.carried else plan.when.phrase
            plan = replace(plan, carried=frozenset(), when=replace(plan.when, phrase=phrase))
        plans.append(plan)
        topic = topic_of(plan)
    return tuple(plans)


def without_tail(text: str) -> str:
    """Return a question without a last part that its first one answers anyhow."""
    first, *others = questions_in(text)
    return first if len(others) == 1 and _TAIL.fullmatch(others[0]) else text


def _completed(text: str, lexicon: Lexicon, now: datetime) -> tuple[str, ...]:
    """Return the parts of a question, the first with the end that it shares with the second: "who was coach and who was
    captain of A in 2015?"."""
    parts = questions_in(text)
    opened = [_OFFICE.match(part) for part in parts]
    if len(parts) != 2 or opened[0] is None or opened[1] is None or opened[0].end() < len(parts[0].rstrip(" ,")):
        return parts
    if opened[0]["asking"].lower() != opened[1]["asking"].lower() or parse_question(parts[0], lexicon, now).mentions:
        return parts
    shared = parts[1][opened[1].end() :]
    return (f"{parts[0].rstrip(' ,')}{shared}", parts[1]) if parse_question(shared, lexicon, now).mentions else parts


def _open_pronoun(part: str, before: QueryPlan, lexicon: Lexicon) -> str:
    """Return a pronoun that can stand for the subject of the part before as well as for its answer."""
    alike = bool(before.relation) and lexicon.relations[before.relation].joins_alike
    pronoun = _PRONOUN.search(part)
    if pronoun is None or not before.relation:
        return ""
    if before.intent == "most" and not before.subjects:
        return pronoun[0]  # the answer, which the composition of both asks of
    if pronoun[0].lower() in OF_ONE_PERSON and not any(is_of_people(lexicon.type_of(name)) for name in before.subjects):
        answers = lexicon.relations[before.relation].types(other(before.side)).most_common(1)
        return pronoun[0] if any(is_of_people(kind) for kind, _ in answers) else ""
    is_clear = before.value or before.symmetric or _is_asked_again(part, before, lexicon)
    return pronoun[0] if alike and not is_clear else ""


def _is_asked_again(part: str, before: QueryPlan, lexicon: Lexicon) -> bool:
    """True for "and who owns it now?" behind who owned something: the same is asked of another time."""
    if before.when.way == "none" or not _AT_A_TIME.search(part):
        return False
    cues = parse_question(part, lexicon, clock.now()).cues.relations
    return any(cue.relation == before.relation for cue in cues)


def _again_now(part: str, before: QueryPlan) -> QueryPlan | None:
    """ "And is he still?": since when what the part before asked is so, or until when it was."""
    if not before.value or before.intent not in ("is", "history") or not _STILL.fullmatch(part.strip()):
        return None
    when = TimeFrame(known_at=before.when.known_at)
    return replace(before, intent="when", when=when, event=None, tense="present", perfect=False, change="")


def _happens_at_a_time(plan: QueryPlan) -> bool:
    """True for what has a time that the question does not say: when something was, what was when something else was."""
    is_of_time = plan.intent in OF_TIME or plan.event is not None
    is_of_change = plan.when.way == "none" and (bool(plan.change) or is_momentary(plan.relation))
    return is_of_time or is_of_change


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
