"""Finds questions of those of an office who did something else: "Which minister was advised by A?"."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import Composition
from services.analyst.compositions.question_reader import (
    ASKING,
    AUXILIARIES,
    PEOPLE,
    RELATIVE,
    SAME,
    THE_SAME,
    QuestionReader,
)
from services.analyst.parsed_question import DATE
from services.analyst.question_cues import CURRENT

_LATER = re.compile(r"^(?:has |have |had )?(?:later|afterwards|then|subsequently|went on to|eventually) ?")
_TURNED = re.compile(r"^(?:became|become)\b(?: an?\b)?")
_AGENT = re.compile(r"(?:er|or)s?$")
_LATER_BEHIND = re.compile(r" (?:later|afterwards|subsequently)$")
_WHERE_HE = re.compile(
    rf" the (?:{SAME} )?(?P<noun>\w+) (?:where|that|which|(?:in|at|for) which) (?:he|she|they) (?P<rest>(?:\w+ )+)(?=$)"
)
_BEFORE_NAMES = frozenset(("of", "for", "at", "on", "in"))


class QualifyingReader(QuestionReader):
    """Finds two questions of people: what they are by a noun, and what is said of them besides."""

    def qualifying(self) -> Iterator[Composition]:
        """ "Which current ministers used to be secretaries?": who are ministers, and who used to be secretaries."""
        first = self.opening
        is_now = first < len(self.texts) and self.texts[first] in CURRENT
        start = first + is_now
        end = self._noun_end(start) if first else start
        if end == start:
            return
        last = self._with_name(end)
        rest = last + (last < len(self.texts) and self.texts[last] in RELATIVE)
        says = [text for text in self.texts[rest:] if text not in AUXILIARIES | {",", "also", "D"}]
        if rest >= len(self.texts) or not says:
            return
        noun, rest_of_it = self.text_of(start, last), self.text_of(rest, len(self.tokens))
        dates = [at for at in range(rest, len(self.texts)) if self.texts[at] == DATE]
        when = "" if is_now or len(dates) != 1 else f" {self.text_of(dates[0], dates[0] + 1)}"
        asked = f"who {'are' if is_now else 'were'} the {noun}{when}?"
        second = _LATER.sub("", rest_of_it.removeprefix("also "))
        joint = "later" if _LATER.match(rest_of_it) or _LATER_BEHIND.search(rest_of_it.rstrip("?")) else ""
        second = second if self.question.mentions else _TURNED.sub("were", second)
        if same := THE_SAME.search(f" {second} "):
            second = f"{second[: same.start()]} a {second[same.end() :]}".strip()
            joint = f"same {joint}".strip()
        yield Composition("both", (asked, f"who {_LATER_BEHIND.sub('', second)}?"), counts=self.counts, joint=joint)

    def self_joining(self) -> Iterator[Composition]:
        """ "Who coaches the club where he played?": those who have one and the same thing in two ways."""
        match = _WHERE_HE.search(self.template.text)
        if match is None or self.texts[0] not in PEOPLE | ASKING or self.question.mentions:
            return
        (first, _), (noun, _), (verb, last) = self.span(match), self.span(match, "noun"), self.span(match, "rest")
        kind = self.text_of(noun, noun + 1)
        opening = self.text_of(0, first)
        prepositions = " ".join(text for text in self.texts[verb:last] if text in _BEFORE_NAMES)
        clause = self.text_of(verb, last)
        clause = clause if prepositions else f"{clause} at"
        yield Composition("both", (f"{opening} a {kind}?", f"who {clause} a {kind}?"), joint="same")

    def _noun_end(self, start: int) -> int:
        """Return where a noun for those who have a relation ends: "ministers", "state secretary"."""
        nouns = {
            cue.first: cue.last
            for cue in self.question.cues.relations
            if cue.hint.form == "noun"
            or (cue.hint.form == "verb" and _AGENT.search(self.question.words[cue.first].low))
            or (cue.hint.weight > 1 and cue.last - cue.first > 1)
        }
        if start >= len(self.tokens) or self.tokens[start].first in self.question.cues.types:
            return start
        place = nouns.get(self.tokens[start].first)
        ends = [at for at in range(start, len(self.tokens)) if self.tokens[at].last == place]
        return ends[0] + 1 if ends else start

    def _with_name(self, end: int) -> int:
        """Return where the name ends that the noun has behind it: "director of the M"."""
        if end < len(self.texts) and self.texts[end] in _BEFORE_NAMES:
            for at in range(end + 1, min(end + 3, len(self.tokens))):
                if self.tokens[at].mention is not None or self.tokens[at].first in self.question.cues.types:
                    return at + 1
        return end
