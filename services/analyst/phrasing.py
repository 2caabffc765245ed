"""How facts are said: a sentence each, in the tense that their end calls for, with their dates."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime, time

from services.analyst.vocabulary import Side, is_momentary, taken_apart
from services.core import clock, date_wording
from services.core.models import Fact
from services.language import inflection
from services.language.inflection import plural, without_s

_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_PAST_OF_ITS_OWN = frozenset(
    (
        "worked",
        "lived",
        "studied",
        "invested",
        "graduated",
        "moved",
        "participated",
        "served",
        "belonged",
        "reported",
        "played",
        "resided",
        "attended",
        "joined",
        "left",
        "acquired",
        "founded",
        "bought",
        "sold",
        "won",
        "wrote",
        "led",
        "died",
        "married",
        "created",
        "published",
        "released",
        "signed",
        "visited",
    )
)
_OF_MANY = {"is": "are", "has": "have", "does": "do", "goes": "go"}
_ADJECTIVE = re.compile(r"(?:(?<!m)ent|ant|ble|ful|ous|lar|[tg]ic)$")
_NOUNS_IN_S = re.compile(r"(?:ss|us|is)$")


def sentence(fact: Fact, spelled: Callable[[datetime], str]) -> str:
    """A fact with its dates, written by `spelled`: "PEP 484 has status Final, since 2022-03-04." """
    is_event = _is_event(fact)
    when = date_wording.when(fact, spelled, is_event=is_event)
    if fact.ended_unknown:
        return f"{_past(fact)}{' ' if fact.valid_at else '; '}{when}."
    if fact.invalid_at is not None and not is_planned(fact.invalid_at):
        return f"{_past(fact)} {when}."
    if fact.invalid_at is not None:
        return f"{_present(fact)} {when}."
    return f"{_present(fact)}{' ' if is_event else ', '}{when}." if when else f"{_present(fact)} (undated)."


def date_of(value: datetime) -> str:
    """The day of an instant, in UTC."""
    return f"{clock.instant(value):%Y-%m-%d}"


def day(value: datetime) -> str:
    """An instant in UTC as a reader writes it: the date alone, where it is the start of a day."""
    value = clock.instant(value)
    return value.strftime("%Y-%m-%d" if value.time() == time() else "%Y-%m-%d %H:%M:%S UTC")


def is_planned(end: datetime) -> bool:
    """True for an end that is still to come."""
    return end > clock.now()


def repeated(fact: Fact, times: int) -> str:
    """Say how often something was so: "Ada was mayor of Leeds twice."."""
    often = {1: "once", 2: "twice"}.get(times, f"{times} times")
    return f"{_past(fact)} {often}."


def relation_words(relation: str) -> str:
    """A relation as a verb that follows its source: "has status", "works for", "is located in"."""
    name = taken_apart(relation)
    if not name.words:
        return "is connected to"
    first = name.words[0]
    of_state = name.by or (name.stative and (first not in _PAST_OF_ITS_OWN or first == "married"))
    verb = first in _PAST_OF_ITS_OWN or first.endswith("ed") or (first.endswith("s") and not _NOUNS_IN_S.search(first))
    if first in ("has", "had", "is", "was", "are", "born"):
        lead = "was " if first == "born" else ""
    elif first in ("on", "in", "at", "under", "behind", "with") or of_state or _is_of(name.words):
        lead = "is "
    else:
        lead = "" if verb else "has "
    return lead + " ".join(name.words)


def _is_of(words: Sequence[str]) -> bool:
    """True for what somebody is: "member of", "allergic to"."""
    is_adjective = words[-1] in ("to", "for", "with", "from", "on") and _ADJECTIVE.search(words[0]) is not None
    return len(words) > 1 and (words[-1] == "of" or is_adjective)


def noun_of(relation: str) -> str:
    """What a relation leads to in a noun, where its name has one: "status"; empty for verbs."""
    name = taken_apart(relation)
    if name.words and (name.words[0] in ("has", "have") or relation_words(relation).startswith("has ")):
        return " ".join(word for word in name.words if word not in ("has", "have"))
    return ""


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 PEP", "4 people"."""
    noun = noun if noun.isupper() else noun.lower()
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def count_sentence(relation: str, side: Side, subject: str, number: int, noun: str, *, past: bool) -> str:
    """How many things stand on the other side of a subject's relation: "4 people lived in Leeds"."""
    verb, _, rest = relation_words(relation).partition(" ")
    own = noun_of(relation)
    if side == "source":
        kept = [word for word in rest.split() if word not in noun]  # "targets version 2 versions"
        counts = [counted(number, own)] if own else [*kept, noun]
        return " ".join((subject, past_of(verb) if past else verb, *counts))
    if past:
        verb = "were" if verb == "is" and number != 1 else past_of(verb)
    elif number != 1:
        verb = _of_many(verb)
    return " ".join(part for part in (noun, verb, rest, subject) if part)


def _of_many(verb: str) -> str:
    """A verb of several: "have", "work"."""
    if verb in _OF_MANY:
        return _OF_MANY[verb]
    past = past_of(verb)
    return without_s(verb) if past != verb else verb


def _generated(fact: Fact) -> bool:
    """True where the graph has no words of its own for a fact, or they leave out a name or tell a date in words.

    Those of the record stand behind them, so that a sentence with dates would tell them twice.
    """
    own = _undated_text(fact).casefold()
    if not own.startswith(f"{fact.source} ".casefold()) or fact.target.casefold() not in own:
        return True
    if _YEAR.search(own.replace(fact.source.casefold(), "").replace(fact.target.casefold(), "")):
        return True
    return own in (
        f"{fact.source} {' '.join(taken_apart(fact.relation).words)} {fact.target}".casefold(),
        f"{fact.source} {fact.relation} {fact.target}".casefold(),
    )


def _present(fact: Fact) -> str:
    if _generated(fact):
        return f"{fact.source} {relation_words(fact.relation)} {fact.target}"
    return _undated_text(fact)


def _past(fact: Fact) -> str:
    """The fact in the past: its verb is turned where it is the first word after the source's name."""
    text = _present(fact)
    if text.casefold().startswith(fact.source.casefold() + " "):
        verb, _, rest = text[len(fact.source) + 1 :].partition(" ")
        return f"{fact.source} {past_of(verb)} {rest}"
    return text


def past_of(verb: str) -> str:
    """Return the past of a verb in the third person; any other word is returned as it is."""
    if verb in ("is", "was", "are"):
        return "were" if verb == "are" else "was"
    if not verb.endswith("s") or _NOUNS_IN_S.search(verb) or not verb.islower():
        return verb
    return inflection.past_of(without_s(verb))


def _is_event(fact: Fact) -> bool:
    """True for what happened once: "acquired", "was born in"."""
    return _generated(fact) and is_momentary(fact.relation)


def _undated_text(fact: Fact) -> str:
    """A fact's own words without a date at their end that the record's dates say better."""
    text = " ".join(fact.text.split()).rstrip(".")
    return re.sub(
        r",?\s+(?:since|from|on)\s+\d{4}(?:-\d\d){0,2}(?:\s*(?:to|until|-|–)\s*\d{4}(?:-\d\d){0,2})?$", "", text
    )
