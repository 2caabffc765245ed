"""Finds questions of what two things have alike, or share with one that is named: "Are they in the same club?"."""

import re
from collections.abc import Iterator

from services.analyst.compositions.composition import GAP, UNITS, Composition
from services.analyst.compositions.question_reader import AUXILIARIES, ONE_OF_MANY, OTHERS, SAME, QuestionReader
from services.analyst.parsed_question import DATE
from services.analyst.question_cues import HAVE
from services.analyst.tense_and_change import tense_of

_SAME = re.compile(rf" the {SAME} (?P<noun>(?!as |that |way )\S+)(?= )")
_SAME_AS = re.compile(
    rf" the {SAME} (?P<noun>(?:(?!as )\S+ ){{1,2}})as(?P<one> (?:the )?M)(?: (?:does|did|do|is|was|has))? $"
)
_SAME_AS_THAT = re.compile(
    r"^ (?:is|was|are|were)(?P<one> .*) the same as"
    r"(?P<two>(?: (?:that|the one|those) (?:of|for))?(?: the)? M(?: 's)?) $"
)
_TIMES = re.compile(r"(?: ,)? D(?= )")
_PEOPLE = frozenset(("person", "people", "man", "woman"))
_SAME_TIME_AS = re.compile(
    rf"(?: on| in)? the {SAME} (?P<noun>day|date|month|year) as(?P<two>(?: the)? M)(?: did| was| is)? $"
)


class MatchingReader(QuestionReader):
    """Finds the questions whose answers have to be alike."""

    def matching(self) -> Iterator[Composition]:
        """ "Are A and B in the same club?", "Did the same firm sponsor A and B?": what is asked of each."""
        match = _SAME.search(self.template.text)
        if match is None or self.texts[0] not in AUXILIARIES or "and" not in self.texts:
            return
        start, end = self.span(match)
        start -= match["noun"] in UNITS and self.texts[start - 1] in ("on", "in")
        two = self.texts.index("and") + 1
        spans = ((self._start_before(two - 1), two - 1), (two, self._end(two)))
        rest = [at for at in range(1, len(self.tokens)) if not start <= at < end]
        before, behind = ([at for at in rest if at < spans[0][0]], [at for at in rest if at >= spans[1][1]])
        names = tuple(self.text_of(*span) for span in spans)
        if not all(names) or self.texts[-1] == "not":
            return
        asked = f"{self._asked(match['noun'])} {self.all_of(before)}"
        parts = tuple(f"{asked} {name} {self.all_of(behind)}?" for name in names)
        yield Composition("alike", parts, names, joint=match["noun"], decides=True)

    def at_one_time(self) -> Iterator[Composition]:
        """ "Was A accepted on the same day as B?": when it was, of each."""
        match = _SAME_TIME_AS.search(self.template.text)
        if match is None or self.texts[0] not in AUXILIARIES:
            return
        first = self.span(match)[0]
        one, two = self.named(0, first), self.named(*self.span(match, "two"))
        if one:
            at, end = self.tokens_of(one[0])
            names = (one[0].name, two[0].name)
            parts = tuple(
                f"when {self.text_of(0, at)} {name} {self.text_of(end, first)}?".replace("  ", " ") for name in names
            )
            yield Composition("alike", parts, names, joint=match["noun"], decides=True)

    def equal(self) -> Iterator[Composition]:
        """ "Is the type of A the same as that of B?": what it is, of each."""
        match = _SAME_AS_THAT.search(self.template.text)
        if match is None:
            return
        first, last = self.span(match, "one")
        one, two = (self.named(*self.span(match, group)) for group in ("one", "two"))
        if len(one) == len(two) == 1:
            at = self.tokens_of(one[0])
            names = tuple(mention.name for mention in (*one, *two))
            parts = (f"{self.text_of(first, at[0])} {name}{self.text_of(at[1], last)}" for name in names)
            yield Composition("alike", tuple(f"what is {part}?" for part in parts), names, decides=True)

    def same_as(self) -> Iterator[Composition]:
        """ "Does A have the same owner as B?": what it is, of each."""
        match = _SAME_AS.search(self.template.text)
        if match is None or self.texts[0] not in AUXILIARIES or match["noun"].strip() in UNITS:
            return
        start, _ = self.span(match)
        one, two = self.named(0, start), self.named(*self.span(match, "one"))
        if len(one) == len(two) == 1:
            _, end = self.tokens_of(one[0])
            names, behind = (one[0].name, two[0].name), self.text_of(end, start)
            asked = self._asked(match["noun"].strip())
            yield Composition("alike", tuple(f"{asked} {name} {behind}?" for name in names), names, decides=True)

    def sharing_with(self) -> Iterator[Composition]:
        """ "Who has the same owner as B?": who has B's owner, but for B."""
        match = _SAME_AS.search(_TIMES.sub("", self.template.text))
        if match is None or not self.head or self.texts[0] in AUXILIARIES or match["noun"].strip() in UNITS:
            return
        noun, when = match["noun"].strip(), self.all_of(at for at, text in enumerate(self.texts) if text == DATE)
        start = self.texts.index("same") - 1
        end = next(at for at in range(start, len(self.tokens)) if self.tokens[at].mention) + 1
        (one,) = self.named(start, end)
        be = "was" if tense_of(self.template) == "past" else "is"
        others = self.with_changes(((start, end), f"{noun} {GAP}"))
        yield Composition("of", (f"what {be} {one.name}'s {noun} {when}?".replace(" ?", "?"), others), (one.name,))

    def _asked(self, noun: str) -> str:
        auxiliary = ONE_OF_MANY.get(self.texts[0], self.texts[0])
        asking = "when" if noun in UNITS else "who" if noun in _PEOPLE else f"which {noun}"
        return f"{asking} {auxiliary}"

    def _start_before(self, last: int) -> int:
        """Return where the first of two things begins, which ends before `last`."""
        named = self.tokens[last - 1].mention is not None
        first = last - 1
        while first > 1 and not named and self.texts[first] != "the":
            first -= 1
        return first - (named and self.texts[first - 1] == "the")

    def _end(self, first: int) -> int:
        """Return where the second of two things ends: behind a name, or behind a noun and what it is of."""
        nouns = {place for cue in self.question.cues.relations for place in cue.places if cue.hint.form != "verb"}
        at = first + (self.texts[first : first + 1] == ["the"])
        while at < len(self.tokens) and (
            (self.tokens[at].mention and not self.named(first, at)) or self.tokens[at].first in nouns
        ):
            at += 1
        return at

    def sharing(self) -> Iterator[Composition]:
        """ "Who else is in the same club as A?": who is in the one that A is in, but for A."""
        match = _SAME_AS.search(self.template.text)
        if match is None or not self.head or match["noun"].strip() in (*UNITS, "time", "moment"):
            return
        (start, end), (first, last) = self.span(match), self.span(match, "one")
        stated = [at for at in range(self.head, start) if self.texts[at] not in OTHERS]
        opening = self.all_of(at for at in range(self.head) if self.texts[at] not in OTHERS)
        name = self.text_of(first, last)
        inner = f"which {match['noun'].strip()} {name} {self.all_of(stated)}?"
        behind = self.text_of(end, len(self.tokens))
        if stated and self.texts[stated[-1]] in HAVE:
            behind = f"as {match['noun'].strip()} {behind}"  # "have the same delegate"
        outer = f"{opening} {self.all_of(stated)} {GAP} {behind}?"
        yield Composition("of", (inner, outer), tuple(mention.name for mention in self.named(first, last)))
