"""Dates that one place of a text tells of what another states: the year of a work, a life in brackets."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from services.extraction.rules.clause_dates import Times, of_verb, tense_of
from services.extraction.rules.date_expressions import date_expressions
from services.extraction.rules.findings import Finding, SentenceReading

if TYPE_CHECKING:
    from spacy.tokens import Token

_OFFICE = ("helm", "office", "post", "role", "reins", "job", "position", "chair")
_MADE = ("DIRECTED", "PERFORMED_IN", "AUTHORED", "CREATED")
_HELD = ("WON", "PARTICIPATED_IN")
_FULL_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_YEAR = rf"(?P<year>{_FULL_YEAR})"
_LAST = rf"(?P<last>{_FULL_YEAR})"
_WORKS = (
    r"(?:film|movie|novel|novella|album|book|play|opera|paper|comedy|drama|documentary|serial|series|thriller|"
    r"western|single|song|memoir|poem|painting|musical|short|game|sculpture|essay|sequel|remake|adaptation|biography|"
    r"monograph|article)"
)
_IS_WORK = re.compile(
    rf"\b(?:is|was) (?:an?|the)(?: (?!{_FULL_YEAR})\w+){{0,2}} {_YEAR}\b"
    rf"(?:[ \"“”]+[\w'’&-]+){{0,9}}? {_WORKS}\b(?! ['’]s)",
    re.IGNORECASE,
)
_CAME_OUT = (
    r"\b(?:appeared|premiered|came out|first (?:shown|posted|published)|(?:was|were|is|,) (?:first )?"
    r"(?:published|released|shown|posted))\b"
)
_LIFE = r"[\"“”']?,? ?\((?P<life>(?=[^()]{0,200}\d{4})[^()]{4,200})\)"
_REACH = 400
"""How many characters before "is a 1943 film" the name may stand."""


class TextDates:
    """The dates of a whole text for what it states without one."""

    def __init__(self, text: str, reference: datetime | None) -> None:
        self._text = text
        self._reference = reference
        self._starts: dict[tuple[str, str], datetime] = {}

    def note(self, reading: SentenceReading) -> None:
        """Note what a sentence dates without stating it: "he died in 1990", "they wed in May", "she starts in June"."""
        for one in reading.dates:
            verb = one.verb
            if verb is not None and one.when.kind in ("at", "since") and one.when in of_verb(reading.dates, verb):
                coming = one.when.ahead if tense_of(verb) in ("future", "present") else None
                self._note(reading, verb, coming or one.when.first)

    def _note(self, reading: SentenceReading, verb: "Token", day: datetime) -> None:
        if verb.lemma_ in ("wed", "marry") and not any(c.dep_ == "dobj" for c in verb.children):
            self._starts.setdefault(("", "MARRIED_TO"), day)
        offices = [one for one in (*reading.earlier, *reading.found) if one.relation == "HAS_ROLE"]
        for who in reading.refer_all([c for c in verb.children if c.dep_ == "nsubj"]):
            if verb.lemma_ == "die":
                self._starts.setdefault((who.name, "DIED_IN"), day)
            elif _takes_office(verb):
                for role in [one for one in offices if one.source.name == who.name][-1:]:
                    self._starts.setdefault((who.name, role.target.name), day)

    def filled(self, found: Sequence[Finding]) -> list[Finding]:
        """Return the findings in order, with the dates that the text tells elsewhere."""
        weddings = sum(one.relation == "MARRIED_TO" and one.times == Times() for one in found)
        starts = {key: day for key, day in self._starts.items() if key[0] or weddings == 1}  # whose is told by nothing
        dated = [self._filled(one, starts) for one in found]
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

    def _filled(self, one: Finding, starts: Mapping[tuple[str, str], datetime]) -> Finding:
        day: datetime | None = None
        if one.relation in ("BORN_IN", "DIED_IN"):
            day = self._of_life(one)
        elif one.times == Times() and one.relation in _MADE:
            day = self._of_work(one.target.name)
        elif one.times == Times() and one.relation in _HELD:
            day = self._of_event(one.target.name)
        if one.times == Times() and day is None:
            keys = ((one.source.name, one.relation), (one.source.name, one.target.name), ("", one.relation))
            day = next((starts[key] for key in keys if key in starts), None)
        return one if day is None else replace(one, times=Times(day))

    def _of_work(self, name: str) -> datetime | None:
        """Return the year of a work: "X (1943)", "X is a 1943 film", "X was published in 1943"."""
        called = re.escape(name)
        if match := re.search(rf"(?<!\w){called} ?[\"“”']? ?\( ?(?:\w+ )?{_YEAR}(?: [\w ]+)?\)", self._text):
            return _first_of(match["year"])
        named = re.compile(rf"(?<!\w){called}(?!\w)(?!.*[.!?]\s+[A-Z])")
        for match in _IS_WORK.finditer(self._text):
            before = self._text[max(0, match.start() - _REACH) : match.start()].rpartition("\n")[2]
            if named.search(before):
                return _first_of(match["year"])
        if match := re.search(rf"(?<!\w){called}[\"“”']?[^.;\n]{{0,60}}?{_CAME_OUT}([^.;\n]*)", self._text):
            return next(
                (one.first for one in date_expressions(match[1], self._reference)[:1] if one.kind == "at"), None
            )
        return None

    def _of_event(self, name: str) -> datetime | None:
        """Return the year in the name of an award or an event, or right beside it: "the 2021 Lindqvist Medal"."""
        called = re.escape(name)
        match = re.match(rf"{_YEAR}\b|.*\b{_LAST}$", name) or re.search(
            rf"\b{_YEAR} {called}(?!\w)|(?<!\w){called}(?: of| for)? {_LAST}\b", self._text
        )
        return _first_of(match["year"] or match["last"]) if match else None

    def _of_life(self, one: Finding) -> datetime | None:
        """Return the day of birth or of death in a life in brackets, where the text tells it not or less exactly."""
        last, given = re.escape(one.source.name.split()[-1]), one.times.valid_at
        for match in re.finditer(rf"(?<!\w){last}{_LIFE}", self._text):
            life = next(iter(date_expressions(match["life"], self._reference)), None)
            if life is not None and life.kind == "between":
                day = life.first if one.relation == "BORN_IN" else life.last
                if given is None or (day is not None and given == datetime(day.year, 1, 1, tzinfo=UTC)):
                    return day
        return None


def _takes_office(verb: "Token") -> bool:
    """Return True for "She'll take the helm in May", "starts on Monday"."""
    objects = [c.lower_ for c in verb.children if c.dep_ == "dobj"]
    return verb.lemma_ in ("take", "assume") and objects[0] in _OFFICE if objects else verb.lemma_ == "start"


def _first_of(year: str) -> datetime:
    return datetime(int(year), 1, 1, tzinfo=UTC)
