"""A text read block by block: its notes and sentences, who speaks, and who is spoken of."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.core.draft_records import Schema, SourceText
from services.extraction.rules import custom, dates_between_names, notes, sentence_facts
from services.extraction.rules.clause_dates import Dated, Times, dated
from services.extraction.rules.consequences import concluded
from services.extraction.rules.date_expressions import DateExpression, date_expressions
from services.extraction.rules.dates_from_elsewhere import TextDates
from services.extraction.rules.discourse import Discourse
from services.extraction.rules.factuality import is_doubtful
from services.extraction.rules.findings import Finding, SentenceReading, Transition, is_same
from services.extraction.rules.given_dates import GivenDates
from services.extraction.rules.looking_back import stands_alone
from services.extraction.rules.markup import Block
from services.extraction.rules.mentions import USER, Referent
from services.extraction.rules.name_boundaries import original_text
from services.extraction.rules.transitions import applied

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

_LONGEST = 200
"""A longer sentence is a list or a table that lost its lines; its parse says nothing."""
_INTRODUCED = re.compile(
    r"\b(?:I'm|I am|[Mm]y name is|[Tt]his is|[Ii]t's) ([A-ZÀ-Þ][a-zà-ÿ]+(?: [A-ZÀ-Þ][a-zà-ÿ]+)?)"
    r"(?= again\b|[.,!]| and I\b| from\b)"
)
"""How somebody who writes says who they are."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence that was read: its dates, where its block's letters stand in the text, and its place's number."""

    span: "Span"
    dates: list[Dated]
    letters: Sequence[int]
    place: int
    transitions: Sequence[Transition]

    def has(self, at: int) -> bool:
        """True where the sentence tells what stands at a place in the text."""
        return self.letters[self.span.start_char] <= at <= self.letters[self.span.end_char - 1]

    def offsets(self, start: int, end: int) -> tuple[int, int]:
        """Where a piece of the text stands in the sentence; outside of it for one of another sentence."""
        return (
            bisect_left(self.letters, start) - self.span.start_char,
            bisect_left(self.letters, end) - self.span.start_char,
        )


class TextReading:
    """One text being read. `places` are where the sentences stand in it, `found` what they told and in which.

    `dates_at` are the dates by the number of the place. `unknown` are relations that no rule reads, as `custom.unknown`
    names them.
    """

    def __init__(self, source: SourceText, schema: Schema) -> None:
        self.source = source
        self.relations = frozenset(relation.name for relation in schema.relations)
        self.patterns = custom.patterns(schema)
        self.about = notes.subject_of_fields(source.title, source.text)
        whole = f"{source.text} {source.title} {' '.join(source.before)}"
        self.discourse = Discourse(title=notes.title_name(source.title))
        self.discourse.about_user = bool(re.search(r"\buser\b", whole, re.IGNORECASE))
        self.discourse.speaker = "" if re.search(r"\b[A-Z]{2,}[ -]\d", source.title) else USER
        if introduced := _INTRODUCED.search(source.text):
            self.discourse.speaker = introduced[1]
        self.found: list[tuple[Finding, int]] = []
        self.places: list[tuple[int, int]] = []
        self.unknown: list[str] = []
        self.is_too_long = False
        self.dates = TextDates(source.text, source.reference_time)
        self.dates_at: dict[int, list[DateExpression]] = {}
        self._sentences: list[_Sentence] = []
        self._expressions: list[DateExpression] = []

    def read(self, block: Block, doc: "Doc", is_earlier: bool = False) -> None:
        """Adds what a block tells; of a text of the thread before, only who and what it names is kept."""
        doc.user_data["names"] = block.names
        self.discourse.implied = block.implied
        self.discourse.in_heading = block.form == "heading" or block.as_read.strip() == self.source.title.strip()
        if not is_earlier:
            self._notes(block)
        if re.match(r"(?:TODO|FIXME)\b", block.as_read):
            return
        if block.speaker is not None:
            self.discourse.speaker = block.speaker
            if block.speaker and block.speaker != USER:
                self.discourse.named(block.speaker, "Person", self.discourse.here, 2)
        expressions = date_expressions(doc.text, self.source.reference_time)
        self._expressions += expressions
        for sentence in doc.sents:
            if len(sentence) <= _LONGEST and not notes.is_field(original_text(sentence)):
                self._sentence(block, sentence, dated(sentence, expressions), is_earlier)

    def _notes(self, block: Block) -> None:
        """What the block tells without a sentence."""
        reference, text = self.source.reference_time, block.as_read
        self._place(block, 0, len(block.prose.text))
        for one in notes.fields(text, self.about, self.discourse, reference):
            self.found.append((one, len(self.places) - 1))
            self.dates_at.setdefault(len(self.places) - 1, date_expressions(text, reference))
            if one.source.type == "Person":
                self.discourse.named(one.source.name, "Person", self.discourse.here, 3)

    def _sentence(self, block: Block, sentence: "Span", dates: list[Dated], is_earlier: bool) -> None:
        self.discourse.sentence += 1
        self.discourse.note(list(sentence))
        reference = self.source.reference_time
        reading = SentenceReading(sentence, dates, self.discourse, reference, self.relations, self.patterns)
        reading.earlier = [one for one, _ in self.found[-12:]]
        sentence_facts.read(reading)
        reading.found = dates_between_names.settled(reading)
        self.dates.note(reading)
        if not is_earlier:
            self._place(block, sentence.start_char, sentence.end_char)
            self.dates_at[len(self.places) - 1] = [one.when for one in dates]
            self.found += [(one, len(self.places) - 1) for one in reading.found]
            self.unknown += reading.unknown
            self._sentences.append(
                _Sentence(sentence, dates, block.prose.places, len(self.places) - 1, reading.transitions)
            )

    def _place(self, block: Block, start: int, end: int) -> None:
        """Where a piece of a block stands in the text."""
        places = block.prose.places
        self.places.append((places[start], places[end - 1] + 1 if end > start else places[end]))

    def add(self, source: Referent, relation: str, target: Referent, times: Times) -> None:
        """Keeps a fact that no rule found, with the dates of its sentence, and `times` where that tells none.

        Its sentence is the one of the end that is told later.

        The ends' `at` are where they are told in the text, in characters. What no sentence tells is left out.
        """
        for one in self._sentences:
            if one.has(max(source.at, target.at)):
                if found := self._found(one, source, relation, target, times):
                    self.found.append((found, one.place))
                return

    def _found(
        self, sentence: _Sentence, source: Referent, relation: str, target: Referent, times: Times
    ) -> Finding | None:
        """A fact that a sentence tells, with its dates and the ends and beginnings it tells of."""
        first, last = (
            dates_between_names.head_of(sentence.span, sentence.offsets(end.at, end.at + len(end.name)))
            for end in (source, target)
        )
        held = dates_between_names.near(sentence.dates, first, last, relation, times)
        verb = (
            dates_between_names.verb_between(relation, first, last) if first is not None and last is not None else None
        )
        doubtful = is_doubtful(sentence.span, verb) or (
            not sentence.has(target.at) and self._has_another(source, relation, target)
        )
        one = Finding(source, relation, target, held, is_doubtful=doubtful)
        return applied(sentence.transitions, one, verb)

    def _has_another(self, source: Referent, relation: str, target: Referent) -> bool:
        """True where the sentence of what somebody is said to have tells that another has it."""
        places = [one.place for one in self._sentences if one.has(target.at)]
        return any(
            one.relation == relation
            and place in places
            and is_same(one.target.name, target.name)
            and not is_same(one.source.name, source.name)
            for one, place in self.found
        )

    def in_one_sentence(self, first: int, last: int) -> bool:
        """Return True where a sentence has both places in the text."""
        return any(one.has(first) and one.has(last) for one in self._sentences)

    def stands_alone(self, at: int) -> bool:
        """Return True where the sentence that has a place in the text points back to nothing before it."""
        return any(one.has(at) and stands_alone(one.span) for one in self._sentences)

    def given_dates(self) -> GivenDates:
        """Return how the dates of the text were given."""
        return GivenDates(self._expressions)

    def transitions_of(self, one: Finding) -> list[Transition]:
        """Return what ends a fact or begins it, by whichever sentence."""
        return [each for sentence in self._sentences for each in sentence.transitions if each.concerns(one)]

    def finished(self) -> list[tuple[Finding, int]]:
        """The findings of the whole text, one for each statement, and the number of the place of each."""
        facts = notes.dated_fields([one for one, _ in self.found], self.discourse)
        facts = self.dates.filled(facts)
        return concluded([(one, place) for one, (_, place) in zip(facts, self.found, strict=True)])
