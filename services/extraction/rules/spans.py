"""Dates that one place of a text tells of what another states: the year of a work, a life in brackets, a last day."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from services.extraction.rules.date_expressions import DateExpression, date_expressions
from services.extraction.rules.findings import Finding, SentenceReading
from services.extraction.rules.times import Dated, Times, of_verb, tense_of
from services.extraction.rules.word_categories import known

if TYPE_CHECKING:
    from spacy.tokens import Token

_OFFICE = ("helm", "office", "post", "role", "reins", "job", "position", "chair")
_GETS = ("buy", "inherit", "acquire", "purchase", "adopt", "get", "rescue")
_DEALS = ("deal", "acquisition", "takeover", "purchase", "sale", "transaction", "merger")
_CLOSES = ("close", "complete", "sign", "finalise", "finalize")
_KIN = known("kin_child") | known("kin_partner") | known("kin_sibling") | {"father", "mother", "dad", "mum", "mom"}
_MADE = ("DIRECTED", "PERFORMED_IN", "AUTHORED", "CREATED")
_HELD = ("WON", "PARTICIPATED_IN")
FULL_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_YEAR = rf"(?P<year>{FULL_YEAR})"
_LAST = rf"(?P<last>{FULL_YEAR})"
_WORKS = (
    r"(?:film|movie|novel|novella|album|book|play|opera|paper|comedy|drama|documentary|serial|series|thriller|"
    r"western|single|song|memoir|poem|painting|musical|short|game|sculpture|essay|sequel|remake|adaptation|biography|"
    r"monograph|article)"
)
_IS_WORK = re.compile(
    rf"\b(?:is|was) (?:an?|the)(?: (?!{FULL_YEAR})\w+){{0,2}} {_YEAR}\b"
    rf"(?:[ \"“”]+[\w'’&-]+){{0,9}}? {_WORKS}\b(?! ['’]s)",
    re.IGNORECASE,
)
_WORK_CALLED = re.compile(
    rf"(?:\b(?:the|his|her|their|its|of a|in a)|\w['’]s) {_YEAR}(?: [\w-]+){{0,4}}? {_WORKS},? ?[\"“”'‘]?(?= ?[A-Z])",
    re.IGNORECASE,
)
_LIFE = r"[\"“”']?,? ?\((?P<life>(?=[^()]{0,200}\d{4})[^()]{4,200})\)"
_BORN = re.compile(r"(?:^|[;,] ?)(?:née? [\w ]+[,;] )?(?:born|b\.)\s", re.IGNORECASE)
_DIED = re.compile(r"(?:died|d\.|†)\s", re.IGNORECASE)
_REACH = 400
"""How many characters before "is a 1943 film" the name may stand."""
_CAME_OUT = (
    r"\b(?:appeared|premiered|came out|first (?:shown|posted|published)|(?:was|were|is|,) (?:first )?"
    r"(?:published|released|shown|posted))\b"
)


Days = Mapping[tuple[str, str], datetime]
"""By a name and a relation or another name; no name where it is not told whose."""


class TextDates:
    """The dates of a whole text, with its title, for what it states without one."""

    def __init__(self, text: str, title: str, reference: datetime) -> None:
        self.text = text
        self.title = title
        self.reference = reference
        self._deaths: dict[str, datetime] = {}
        self._starts: dict[tuple[str, str], datetime] = {}
        self._ends: dict[tuple[str, str], datetime] = {}

    def note(self, reading: SentenceReading) -> None:
        """Notes what a sentence dates without stating it: "he died in 1990", "the deal was closed on 30 June"."""
        for one in reading.dates:
            if (
                one.verb is not None
                and one.when.kind in ("at", "since")
                and one.when in of_verb(reading.dates, one.verb)
            ):
                self._note(reading, one, one.verb)
        for one in reading.dates:
            self._last_day(reading, one)

    def _note(self, reading: SentenceReading, one: Dated, verb: "Token") -> None:
        objects = [c for c in verb.children if c.dep_ == "dobj"]
        coming = tense_of(verb) in ("future", "present")
        day = one.when.ahead if coming and one.when.ahead is not None else one.when.first
        for who in reading.refer_all([c for c in verb.children if c.dep_ == "nsubj"]):
            if verb.lemma_ == "die":
                self._deaths.setdefault(who.name, day)
            elif _takes_office(verb, objects):
                offices = [one for one in (*reading.earlier, *reading.found) if one.relation == "HAS_ROLE"]
                for role in [one for one in offices if one.source.name == who.name][-1:]:
                    self._starts.setdefault((who.name, role.target.name), day)
        self._of_objects(reading, verb, objects, day)
        if verb.lemma_ in ("wed", "marry") and not objects:
            self._starts.setdefault(("", "MARRIED_TO"), day)
        if verb.lemma_ in _CLOSES and _is_deal(verb):
            self._starts.setdefault(("", "ACQUIRED"), day)

    def _of_objects(self, reading: SentenceReading, verb: "Token", objects: "list[Token]", day: datetime) -> None:
        """ "They adopted him in May", "she lost her father in 2010"."""
        if verb.lemma_ in _GETS and objects and objects[0].pos_ == "PRON":
            for what in reading.refer_all(objects):
                self._starts.setdefault((what.name, "OWNS"), day)
        if verb.lemma_ == "lose" and objects and objects[0].lower_ in _KIN:
            for who in reading.refer_all(objects):
                self._deaths.setdefault(who.name, day)
                self._ends.setdefault((who.name, "MARRIED_TO"), day)

    def _last_day(self, reading: SentenceReading, one: Dated) -> None:
        """ "Her last day is 30 April", "Today is Grete's last day"."""
        days = [
            t for t in reading.sentence if t.lower_ == "day" and any(c.lower_ in ("last", "final") for c in t.children)
        ]
        if one.verb is None or one.verb.lemma_ != "be" or not days or one.verb not in (days[0].head, days[0].head.head):
            return
        for owner in reading.refer_all([c for c in days[0].children if c.dep_ == "poss"]):
            for relation in ("WORKS_FOR", "last role"):
                self._ends.setdefault((owner.name, relation), one.when.ahead or one.when.first)

    def filled(self, found: Sequence[Finding]) -> list[Finding]:
        """The findings in order, with the dates that the text tells elsewhere."""
        starts, ends = dict(self._starts), dict(self._ends)
        roles = Counter(one.source.name for one in found if one.relation in ("HAS_ROLE", "WORKS_FOR"))
        for one in found:
            if one.relation == "HAS_ROLE" and roles[one.source.name] == 1 and (one.source.name, "last role") in ends:
                ends[(one.source.name, "HAS_ROLE")] = ends[(one.source.name, "last role")]
        for relation in ("MARRIED_TO", "ACQUIRED"):
            if sum(one.relation == relation and one.times == Times() for one in found) != 1:
                starts.pop(("", relation), None)  # it may be another one's
        dated = [self._filled(one, starts, ends) for one in found]
        begun: dict[str, set[datetime]] = {}
        for one in dated:
            if one.relation in ("HAS_ROLE", "LEADS", "MEMBER_OF") and one.times.valid_at:
                begun.setdefault(one.source.name, set()).add(one.times.valid_at)
        return [
            replace(one, times=Times(min(begun[one.source.name])))
            if one.relation == "SUCCEEDED" and one.times == Times() and len(begun.get(one.source.name, ())) == 1
            else one
            for one in dated
        ]

    def _filled(self, one: Finding, starts: Days, ends: Days) -> Finding:
        """A finding with the date that the text tells elsewhere."""
        name, other, relation = one.source.name, one.target.name, one.relation
        day: datetime | None = None
        if relation in ("BORN_IN", "DIED_IN"):
            day = self._of_life(one)
            if day is None and relation == "DIED_IN" and one.times == Times():
                day = self._deaths.get(name)
            return replace(one, times=Times(day)) if day is not None else one
        if one.times == Times():
            if relation in _MADE:
                day = self._of_work(other)
            elif relation in _HELD:
                day = self._of_event(other)
            elif relation == "HAS_STATUS":
                day = self._of_status(other)
            day = day or _first(starts, (name, relation), (other, relation), (name, other), ("", relation))
        end = _first(ends, (name, relation), (other, relation))
        if relation == "LIVES_IN" and one.times.valid_at is not None and name in self._deaths:
            end = self._deaths[name]
        start = one.times.valid_at or day
        if one.times.invalid_at is not None or (start is not None and end is not None and end < start):
            end = None
        if day is None and end is None:
            return one
        return replace(one, times=one.times.filled(Times(day, end, end is not None)))

    def _of_work(self, name: str) -> datetime | None:
        """The year of a work: "X is a 1943 film", "X (1943)", "the 1943 film X"; the title may tell it as well."""
        called = re.escape(name)
        if match := re.search(
            rf"(?<!\w){called} ?[\"“”']? ?\( ?(?:\w+ )?{_YEAR}(?: [\w ]+)?\)", f"{self.text}\n{self.title}"
        ):
            return _first_of(match["year"])
        for match in _WORK_CALLED.finditer(self.text):
            if re.match(rf"[ \"“”'‘]*{called}(?!\w)", self.text[match.end() :]):
                return _first_of(match["year"])
        for match in _IS_WORK.finditer(self.text):
            before = self.text[max(0, match.start() - _REACH) : match.start()].rpartition("\n")[2]
            if re.search(rf"(?<!\w){called}(?!\w)", before) and not re.search(r"[.!?]\s+[A-Z]", _after(before, name)):
                return _first_of(match["year"])
        if match := re.search(rf"(?<!\w){called}[\"“”']?[^.;\n]{{0,60}}?{_CAME_OUT}([^.;\n]*)", self.text):
            return next((one.first for one in date_expressions(match[1], self.reference)[:1] if one.kind == "at"), None)
        return None

    def _of_status(self, state: str) -> datetime | None:
        """The day beside a state in a line of fields: "Status: done (18 July 2024)"."""
        match = re.search(rf"\b(?:Status|State): *{re.escape(state)}(?: \(|, | )([^\n;)]*)", self.text, re.IGNORECASE)
        whens = date_expressions(match[1], self.reference) if match is not None else []
        return whens[0].first if whens and whens[0].start == 0 and whens[0].kind in ("at", "since") else None

    def _of_event(self, name: str) -> datetime | None:
        """The year in the name of an award or an event, or right beside it: "the 2021 Lindqvist Medal"."""
        if match := re.match(rf"{_YEAR}\b|.*\b{_LAST}$", name):
            return _first_of(match["year"] or match["last"])
        called = re.escape(name)
        beside = re.search(rf"\b{_YEAR} {called}(?!\w)|(?<!\w){called}(?: of| for)? {_LAST}\b", self.text)
        if beside:
            return _first_of(beside["year"] or beside["last"])
        if re.search(rf"\b[Ll]ast year['’]s {called}(?!\w)", self.text):
            return next((one.first for one in date_expressions("last year", self.reference)), None)
        return None

    def _of_life(self, one: Finding) -> datetime | None:
        """The day of birth or of death in brackets after a name, where the place is told without it or less exactly."""
        last = re.escape(one.source.name.split()[-1])
        for match in re.finditer(rf"(?<!\w){last}{_LIFE}", self.text):
            day = _in_life(match["life"], one.relation == "BORN_IN", self.reference)
            known_day = one.times.valid_at
            if day is not None and (
                known_day is None or (known_day.year == day.year and known_day.month == known_day.day == 1)
            ):
                return day
        return None


def _takes_office(verb: "Token", objects: "list[Token]") -> bool:
    """ "She'll take the helm in May", "starts on Monday"."""
    if not objects:
        return verb.lemma_ == "start"
    return verb.lemma_ in ("take", "assume") and objects[0].lower_ in _OFFICE


def _is_deal(verb: "Token") -> bool:
    """True for "the deal was closed", and for "closed" without a word of what was."""
    about = [c for c in verb.children if c.dep_ in ("nsubj", "nsubjpass")]
    return not about or about[0].lemma_ in _DEALS


def _first(days: Days, *keys: tuple[str, str]) -> datetime | None:
    return next((days[key] for key in keys if key in days), None)


def _after(before: str, name: str) -> str:
    return before[before.rfind(name) + len(name) :]


def _first_of(year: str) -> datetime:
    return datetime(int(year), 1, 1, tzinfo=UTC)


def _in_life(text: str, is_birth: bool, reference: datetime) -> datetime | None:
    whens: list[DateExpression] = date_expressions(text, reference)
    if not whens:
        return None
    first = whens[0]
    if first.kind == "between":
        return first.first if is_birth else first.last
    if is_birth:
        return first.first if _BORN.search(text[: first.start + 5]) else None
    died = next((one for one in whens if _DIED.search(text[: one.start + 3])), None)
    return died.first if died is not None else None
