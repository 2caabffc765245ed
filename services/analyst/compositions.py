"""Questions made of others: which other questions to ask, and how what they list goes together."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from services.analyst.mentions import NameMention
from services.analyst.parsed_question import ParsedQuestion, QuestionTemplate, Token
from services.analyst.question_cues import BE, DO, HAVE
from services.analyst.question_words import SMALL_WORDS
from services.analyst.vocabulary import is_like

Way = Literal["both", "without", "except", "of", "first", "last", "more", "fewer", "longer", "shorter"]

GAP = "\0"
"""Where a question leaves room for the answer to another one."""

_ASKING = frozenset(("which", "what"))
_PEOPLE = frozenset(("who", "whom"))
_ANYBODY = frozenset(("anyone", "anybody", "someone", "somebody", "any", "some"))
_LISTING = frozenset(("list", "name", "show", "give", "find"))
_AUXILIARIES = BE | DO | HAVE
_RELATIVE = frozenset(("who", "that", "which"))
_NEGATIONS = frozenset(("not", "never"))
_PRONOUNS = {"it": "", "its": "'s", "their": "'s", "them": "", "there": ""}
_POSITIVE = {
    "isn't": "is",
    "aren't": "are",
    "wasn't": "was",
    "weren't": "were",
    "hasn't": "has",
    "haven't": "have",
    "hadn't": "had",
    "doesn't": "does",
    "don't": "do",
    "didn't": "did",
}
_NOW = {"was": "is", "were": "are", "had": "has"}
_STILL = frozenset(("any", "more", "anymore", "longer", "no", "still", "yet", "now", "today"))
_JOINED = re.compile(
    r"(?P<all> (?:both|between))?(?P<one> (?:the )?M)(?: as well as| and also| and|(?: ,)? and)"
    r"(?P<two> (?:the )?M)(?= )"
)
_TOGETHER = re.compile(r" (?:both|together|jointly|alike)(?= )| in common(?= )")
_SHARING = re.compile(r" (?:share|shared|as well as)(?= )")
_EXCEPT = re.compile(
    r"(?: ,)? (?:besides|except(?:ing)?(?: for)?|apart from|aside from|other than|excluding|not counting|not including"
    r"|leaving out)(?: the)?(?P<names> M(?:(?: ,)?(?: and| or)? M)*)(?: ,)?(?= )"
)
_ALTERNATIVES = re.compile(r"(?: ,)?(?: either)?(?P<one> (?:the )?M) or(?P<two> (?:the )?M)(?= )")
_MEASURES: tuple[tuple[Way, re.Pattern[str]], ...] = (
    ("first", re.compile(r" (?:first|earlier|earliest|sooner|sooner than)(?= )")),
    ("last", re.compile(r" (?:last|later|latest|more recently|most recently)(?= )")),
    ("longer", re.compile(r" (?:(?:for )?(?:the )?longe(?:r|st)(?: time)?)(?= )")),
    ("shorter", re.compile(r" (?:(?:for )?(?:the |a )?shorte(?:r|st)(?: time)?)(?= )")),
    ("more", re.compile(r" (?:the )?(?:more|most|larger number of|greater number of)(?= )")),
    ("fewer", re.compile(r" (?:the )?(?:fewer|fewest|less|least)(?= )")),
)
_THAN = re.compile(r" than(?P<two> (?:the )?M)(?= )")
_AGES: tuple[tuple[Way, re.Pattern[str]], ...] = (
    ("first", re.compile(r"^ (?:is|was)(?P<one> (?:the )?M) older than(?P<two> (?:the )?M) $")),
    ("last", re.compile(r"^ (?:is|was)(?P<one> (?:the )?M) (?:younger|newer) than(?P<two> (?:the )?M) $")),
)
_SECOND = r"(?P<two> (?:the )?M)(?: (?:did|was|were|is|had))?(?= $)"
_ORDERS: tuple[tuple[Way, re.Pattern[str]], ...] = (
    ("first", re.compile(rf" (?:before|earlier than|sooner than){_SECOND}")),
    ("last", re.compile(rf" (?:after|later than){_SECOND}")),
)
_MOST_MODIFIERS = 4


@dataclass(frozen=True, slots=True)
class Composition:
    """Other questions, and how what they list goes together.

    "both" is what all of them list, "without" what the first lists and the others do not, "except" what the one lists
    but for `names`; "of" asks the second, which has a gap, of what the first lists. The others compare what is found
    for each of `names`: whose is first, or more. `counts` tells that a number is asked for, `decides` a yes or no.
    """

    way: Way
    parts: tuple[str, ...]
    names: tuple[str, ...] = ()
    counts: bool = False
    decides: bool = False


def compositions(question: ParsedQuestion, *, explicit: bool = False) -> Iterator[Composition]:
    """Return the ways to take a question for one that is made of others, the most telling first; where it is
    `explicit`, only those that it has a word for.
    """
    reader = _Reader(question)
    yield from reader.joining_names()
    if explicit:
        return
    yield from reader.excepting()
    yield from reader.comparing()
    yield from reader.joining_verbs()
    yield from reader.splitting()
    yield from reader.nesting()


@dataclass(frozen=True)
class _Reader:
    """Finds the questions within one."""

    question: ParsedQuestion

    @property
    def _template(self) -> QuestionTemplate:
        return self.question.template

    @property
    def _tokens(self) -> Sequence[Token]:
        return self._template.tokens

    @cached_property
    def _texts(self) -> Sequence[str]:
        return [token.text for token in self._tokens]

    def _text_of(self, first: int, last: int) -> str:
        """Return the words of the tokens from `first` to before `last`, as they stand in the question."""
        words, tokens = self.question.words, self._tokens
        start = tokens[first].first if first < len(tokens) else len(words)
        end = tokens[last].first if last < len(tokens) else len(words)
        return "".join(word.gap + word.text for word in words[start:end]).strip(" ,;:")

    def _span(self, match: re.Match[str], group: str | int = 0) -> tuple[int, int]:
        """Return the first and the last but one of the tokens that a group of a match covers."""
        tokens = self._template.matched(match, group) if match[group].strip() else ()
        first = self._tokens.index(tokens[0]) if tokens else 0
        return first, first + len(tokens)

    def _with(self, *changes: tuple[tuple[int, int], str]) -> str:
        """Return the question with other words in the place of some tokens."""
        parts, at = [], 0
        for (first, last), text in sorted(changes):
            parts += [self._text_of(at, first), text]
            at = last
        return " ".join(part for part in (*parts, self._text_of(at, len(self._tokens))) if part)

    def _named(self, first: int, last: int) -> list[NameMention]:
        return [token.mention for token in self._tokens[first:last] if token.mention is not None]

    # -- but for some, and which of two

    def excepting(self) -> Iterator[Composition]:
        """ "Besides A", "other than A": all but those."""
        if match := _EXCEPT.search(self._template.text):
            names = [name for mention in self._named(*self._span(match, "names")) for name in mention.names]
            yield Composition("except", (self._with((self._span(match), "")),), tuple(names))

    def comparing(self) -> Iterator[Composition]:
        """ "Who was first, A or B?", "Has A more than B?", "Was A accepted before B?": the same asked of each."""
        text = self._template.text
        for way, pattern in _AGES:
            if match := pattern.search(text):
                names = tuple(self._named(*self._span(match, group))[0].name for group in ("one", "two"))
                yield Composition(way, tuple(f"When was {name} founded?" for name in names), names, decides=True)
        for way, pattern in _ORDERS:
            match = pattern.search(text)
            if match and self._texts[0] in _AUXILIARIES and (first := self._named(0, self._span(match)[0])):
                yield from self._each(way, [first[0], *self._named(*self._span(match))], [self._span(match)], True)
        for way, pattern in _MEASURES:
            if measure := pattern.search(text):
                yield from self._measured(way, measure)

    def _measured(self, way: Way, measure: re.Match[str]) -> Iterator[Composition]:
        text, own = self._template.text, self._span(measure)
        if either := _ALTERNATIVES.search(text):
            spans = (self._span(either), own)
            yield from self._each(way, self._named(*spans[0]), spans, False)
        elif (than := _THAN.search(text)) and self._texts[0] in _AUXILIARIES:
            first = self._named(0, self._span(than)[0])
            if first:
                spans = (self._span(than), own)
                yield from self._each(way, [first[0], *self._named(*spans[0])], spans, True)

    def _each(
        self, way: Way, mentions: Sequence[NameMention], spans: Sequence[tuple[int, int]], decides: bool
    ) -> Iterator[Composition]:
        """Ask what is measured of each name: when, how long or how many."""
        if len(mentions) != 2:
            return
        first, names = self._tokens_of(mentions[0]), tuple(mention.name for mention in mentions)
        asking = {"more": "how many", "fewer": "how many", "longer": "how long", "shorter": "how long"}.get(way, "when")
        rest = [at for at in range(len(self._tokens)) if not any(start <= at < end for start, end in spans)]
        rest = [at for at in rest if not first[0] <= at < first[1]]
        start = 0
        if self._texts[0] in _AUXILIARIES:
            start = 1
        elif self._texts[0] in _ASKING | _PEOPLE:
            start = self._head
        auxiliary = self._texts[0] if start == 1 and self._texts[0] in _AUXILIARIES else "did"
        noun = [at for at in rest if asking == "how many" and at == spans[1][1]]
        words = self._all(at for at in rest if at >= start and at not in noun)
        counted = f"{asking} {self._all(noun)}".strip()
        parts = tuple(f"{counted} {auxiliary} {name} {words}?" for name in names)
        yield Composition(way, parts, names, decides=decides)

    def _all(self, places: Iterable[int]) -> str:
        return " ".join(self._text_of(at, at + 1) for at in places if self._texts[at] != ",")

    def _tokens_of(self, mention: NameMention) -> tuple[int, int]:
        at = next(at for at, token in enumerate(self._tokens) if token.mention is mention)
        return at, at + 1

    # -- what several list

    def joining_names(self) -> Iterator[Composition]:
        """ "Both A and B", "A and B together": what is listed for each."""
        text = self._template.text
        match = _JOINED.search(text)
        if match is None or not (_TOGETHER.search(text) or _SHARING.search(text)):
            return
        spans = [(self._span(found), "") for found in _TOGETHER.finditer(text)]
        spans += [(self._span(found), "have") for found in _SHARING.finditer(text) if "share" in found[0]]
        start, end = self._span(match, "all")[0] if match["all"] else self._span(match, "one")[0], self._span(match)[1]
        spans = [(span, word) for span, word in spans if not start <= span[0] < end]
        named = [self._text_of(*self._span(match, group)) for group in ("one", "two")]
        parts = tuple(self._questions([*spans, ((start, end), name)]) for name in named)
        yield Composition("both", parts, counts=self._counts)

    def _questions(self, changes: Sequence[tuple[tuple[int, int], str]]) -> str:
        text = self._with(*changes)
        if self._texts[0] in _AUXILIARIES and self._texts[1:2] and self._texts[1] in _ANYBODY:
            return re.sub(r"^(\w+) \w+", r"who \1", text)
        return text

    def joining_verbs(self) -> Iterator[Composition]:
        """ "Which has she both sponsored and delegated?": what is listed by each verb."""
        texts = self._texts
        for at in range(1, len(texts) - 1):
            if texts[at] != "and" or self._tokens[at - 1].mention or self._tokens[at + 1].mention:
                continue
            both = next((before for before in range(at) if texts[before] == "both"), at - 1)
            first = both + 1 if texts[both] == "both" else both
            dropped = [((both, both + 1), "")] if texts[both] == "both" else []
            one = self._with(*dropped, ((at, at + 2), ""))
            two = self._with(*dropped, ((first, at + 1), ""))
            yield Composition("both", (one, two), counts=self._counts)

    @property
    def _counts(self) -> bool:
        return " how many " in self._template.text or " number of " in self._template.text

    @cached_property
    def _head(self) -> int:
        """How many tokens open the question and say what is listed: "which PEPs", "who", "list the players"."""
        texts = self._texts
        if not texts:
            return 0
        if texts[0] in _PEOPLE:
            return 1 + (texts[1:2] == ["else"])
        if texts[0] in _AUXILIARIES and len(texts) > 1 and texts[1] in _ANYBODY:
            return 2
        if texts[0] in _ASKING | _LISTING or texts[:2] == ["how", "many"]:
            return self._noun_end(1 + (texts[0] == "how"))
        return 0

    def _noun_end(self, first: int) -> int:
        """Return where the noun ends that tells of what kind is listed; 0 where none does."""
        types, head = self.question.cues.types, 0
        for at in range(first, min(first + _MOST_MODIFIERS, len(self._tokens))):
            token = self._tokens[at]
            if token.text in _AUXILIARIES:
                break
            if token.first in types or token.text in ("people", "person", "everyone", "everybody"):
                head = at + 1
            elif head:
                break
        return head

    @cached_property
    def _asked(self) -> str:
        """What is listed, as a question asks for it."""
        texts, head = self._texts, self._head
        if texts[0] in _PEOPLE:
            return "who"
        if texts[0] in _AUXILIARIES:
            return f"who {texts[0]}"
        noun = self._text_of(1 + (texts[0] == "how"), head)
        return "who" if noun.split()[-1] in ("everyone", "everybody", "people", "person") else f"which {noun}"

    def splitting(self) -> Iterator[Composition]:
        """ "Which PEPs that A wrote are Final?", "… but not B", "… without being C": two conditions on one thing."""
        if not self._head and self._texts[:1] in (["which"], ["what"]):
            yield from self._split(1, "who were")
        elif self._head:
            yield from self._split(self._head, self._asked)

    def _split(self, head: int, asked: str) -> Iterator[Composition]:
        for at in range(head + 1, len(self._tokens)):
            if not self._says_what(head, at) or not (
                self._tokens[at - 1].mention or self._joins(at) or self._texts[at - 1] == "D"
            ):
                continue
            start = head + (self._texts[head] in _RELATIVE)
            left, right = self._text_of(start, at), self._right(at, left=(start, at))
            if right is None:
                continue
            denied, words = right
            left = re.sub(r"\bboth ", "", left)
            parts = (f"{asked} {left}?", f"{asked} {words}?")
            yield Composition("without" if denied else "both", parts, counts=self._counts)

    def _says_what(self, first: int, last: int) -> bool:
        """True for tokens with a name and with what is said of it: no "did A"."""
        tokens = self._tokens[first:last]
        says = any(token.mention is None and token.text not in _AUXILIARIES | {","} for token in tokens)
        return says and any(token.mention is not None for token in tokens)

    def _joins(self, at: int) -> bool:
        return self._texts[at] in ("and", "but", "without", "yet", ",", "also") or self._texts[at] in _RELATIVE

    def _right(self, at: int, left: tuple[int, int]) -> tuple[bool, str] | None:
        """Return whether the second of two conditions is denied, and its words."""
        texts, last = self._texts, len(self._tokens)
        denied = False
        while at < last and texts[at] in (",", "and", "but", "yet", "also", "then", "still", *_RELATIVE):
            at += 1
        if at < last and texts[at] == "without":
            denied, at = True, at + 1 + (texts[at + 1 : at + 2] == ["ever"])
            if texts[at : at + 1] in (["being"], ["having"]):
                return True, f"{'is' if texts[at] == 'being' else 'has'} {self._text_of(at + 1, last)}"
        words: list[str] = []
        for place in range(at, last):
            text = texts[place]
            if place < at + 4 and (text in _NEGATIONS or text.endswith("n't") or (text == "no" and words)):
                denied = True
                words.append(_POSITIVE.get(text, ""))
            elif text in _PRONOUNS:
                name = self._text_of(*self._tokens_of(self._named(*left)[0]))
                words.append(f"{name}{_PRONOUNS[text]}")
            elif text != ",":
                words.append(self._text_of(place, place + 1) if place + 1 < last else self._text_of(place, last))
        return self._completed(denied, [word for word in words if word], (at, last), left)

    def _completed(
        self, denied: bool, words: list[str], span: tuple[int, int], left: tuple[int, int]
    ) -> tuple[bool, str] | None:
        """Fill in what the second condition leaves out: "but not B", "but are not any more"."""
        named = self._named(*span)
        says = [word for word in words if word.lower() not in SMALL_WORDS | _STILL]
        if not says and denied:
            own = (self._text_of(at, at + 1) for at in range(*left))
            return True, " ".join(_NOW.get(word.lower(), word) for word in own)
        if len(words) == 1 and len(named) == 1 and denied:
            last = max(at for at in range(*left) if self._tokens[at].mention)
            return True, " ".join((self._text_of(left[0], last), words[0], self._text_of(last + 1, left[1]))).strip()
        return (denied, " ".join(words)) if says else None

    # -- what is asked of the answer to another question

    def nesting(self) -> Iterator[Composition]:
        """ "The owner of the club that A coaches": another question's answer stands in a gap."""
        for first, text in enumerate(self._texts if not self._counts else ()):
            if text == "the":
                yield from self._clauses(first)
            if text == "the":
                yield from self._possessions(first)
            if text == "'s" and first and self._tokens[first - 1].mention:
                yield from self._belongings(first - 1)

    def _clauses(self, first: int) -> Iterator[Composition]:
        """ "The club that A coaches", "the PEP superseding B": asked as "which club …"."""
        noun = self._noun_end(first)
        if not noun or noun >= len(self._tokens) or first == 0:
            return
        relative = self._texts[noun] in _RELATIVE
        kind = self.question.cues.types.get(self._tokens[noun - 1].first, "")
        asked = "who" if is_like(kind, "person") else f"which {self._text_of(first + 1, noun)}"
        for last in range(noun + 1, len(self._tokens) + 1):
            if self._named(noun, last) and (last == len(self._tokens) or last > noun + 1):
                inner = f"{asked} {self._text_of(noun + relative, last)}?"
                yield from self._nested(first, last, inner)

    def _possessions(self, first: int) -> Iterator[Composition]:
        """ "The home ground of A"."""
        for of in range(first + 2, min(first + 6, len(self._tokens))):
            if self._texts[of] in ("of", "for", "at"):
                last = next((at for at in range(of + 1, len(self._tokens)) if self._tokens[at].mention), None)
                if last is not None and last <= of + 2:
                    yield from self._nested(first, last + 1, f"what is {self._text_of(first, last + 1)}?")
                    yield from self._nested(first, last + 1, f"who is {self._text_of(first, last + 1)}?")
                return

    def _belongings(self, name: int) -> Iterator[Composition]:
        """ "A's home ground"."""
        for last in range(name + 3, min(name + 6, len(self._tokens)) + 1):
            inner = self._text_of(name, last)
            yield from self._nested(name, last, f"what is {inner}?")
            yield from self._nested(name, last, f"who is {inner}?")

    def _nested(self, first: int, last: int, inner: str) -> Iterator[Composition]:
        outer = self._with(((first, last), GAP))
        if any(word.lower() not in SMALL_WORDS | {GAP} for word in outer.strip("?. ").split()):
            yield Composition("of", (inner, outer))
