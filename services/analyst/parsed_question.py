"""A question taken apart: what it is wrapped in, its words, names, dates, and what its words say of relations."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from services.analyst.fuzzy import closest_word, is_slip
from services.analyst.graph_lexicon import Lexicon
from services.analyst.mentions import NameMention, mentions_in
from services.analyst.ourselves import with_ourselves
from services.analyst.prefaces import without_preface
from services.analyst.question_cues import BE, QuestionCues
from services.analyst.question_words import SMALL_WORDS, QuestionWord, WordSpan, places_of, stem, words_of
from services.analyst.time_frame import TimeFrame, time_frame
from services.language.inflection import is_past

_CUES = frozenset(("final", "first", "last", "initial", "original", "former", "next", "previous", "current"))
_BECOME = frozenset(("become", "becomes", "became", "becoming"))
_ADVERBS = frozenset(("still", "now", "already", "currently", "also", "yet", "a", "an", "only", "again"))
_MOST_DOUBTS = 3
NAME, DATE = "M", "D"


@dataclass(frozen=True, slots=True)
class Token(WordSpan):
    """A word, a name or a date of the template."""

    text: str
    mention: NameMention | None = None


@dataclass(frozen=True)
class QuestionTemplate:
    """The tokens of a question, and their text: names are `M`, dates `D`, commas stand by themselves."""

    tokens: tuple[Token, ...]

    @cached_property
    def text(self) -> str:
        """The tokens in a row, between blanks."""
        return "".join(f" {token.text}" for token in self.tokens) + " "

    def matched(self, match: re.Match[str], group: str | int = 0) -> tuple[Token, ...]:
        """Return the tokens that a match of `text` touches: as many as there are blanks before its ends."""
        first, last = match.span(group)
        return self.tokens[self.text.count(" ", 0, first + 1) - 1 : self.text.count(" ", 0, last - 1)]

    def part(self, first: int, last: int) -> "QuestionTemplate":
        """The tokens from `first` to before `last`."""
        return QuestionTemplate(self.tokens[first:last])

    def without(self, first: int, last: int) -> "QuestionTemplate":
        """The tokens before `first` and from `last` on."""
        return QuestionTemplate(self.tokens[:first] + self.tokens[last:])

    @property
    def mentions(self) -> list[NameMention]:
        """The names, in order."""
        return [token.mention for token in self.tokens if token.mention is not None]

    @property
    def places(self) -> frozenset[int]:
        """The words that it is made of."""
        return places_of(self.tokens)


def _template_of(
    words: Sequence[QuestionWord], mentions: Sequence[NameMention], dated: frozenset[int]
) -> QuestionTemplate:
    """Return the template of a question whose dates stand at some places."""
    named = {place: mention for mention in mentions for place in mention.places}
    tokens: list[Token] = []
    for place, word in enumerate(words):
        mention = named.get(place)
        if mention is not None and place > mention.first:
            continue
        if tokens and re.search(r"[,;:]", word.gap):
            tokens.append(Token(place, place, ","))
        if mention is not None:
            tokens.append(Token(place, mention.last, NAME, mention))
        elif place not in dated:
            tokens.append(Token(place, place + 1, word.low))
        elif not tokens or tokens[-1].text != DATE:
            tokens.append(Token(place, place + 1, DATE))
    return QuestionTemplate(tuple(tokens))


@dataclass(frozen=True)
class ParsedQuestion:
    """A question before it is decided what it asks."""

    words: tuple[QuestionWord, ...]
    mentions: tuple[NameMention, ...]
    when: TimeFrame
    lexicon: Lexicon

    @cached_property
    def dated(self) -> frozenset[int]:
        """The places of the words of dates."""
        inside = [range(*span) for span in self.when.spans]
        return frozenset(at for at, word in enumerate(self.words) if any(word.start in span for span in inside))

    @cached_property
    def template(self) -> QuestionTemplate:
        """Its words around names and dates."""
        return _template_of(self.words, self.mentions, self.dated)

    @cached_property
    def cues(self) -> QuestionCues:
        """What its words say of relations and types."""
        return QuestionCues(self.words, self.mentions, self.dated, self.lexicon)


def parse_question(text: str, lexicon: Lexicon, now: datetime) -> ParsedQuestion:
    """Find the words, names and dates of a question."""
    text = unwrapped(text)
    if (question := without_preface(text, lexicon)) != text:
        text = unwrapped(question)
    words = words_of(text)
    mentions = with_ourselves(words, mentions_in(words, lexicon), lexicon)
    words = _respelt_words(words, SMALL_WORDS | lexicon.words, places_of(mentions))
    return ParsedQuestion(words, mentions, time_frame(text, _masked(text, words, mentions), now), lexicon)


def masked(text: str, lexicon: Lexicon) -> str:
    """Return a question with its names blotted out, each place as it was."""
    words = words_of(text)
    return _masked(text, words, mentions_in(words, lexicon))


def ways_to_name(question: ParsedQuestion) -> Iterator[ParsedQuestion]:
    """Return the question, then it without those values that may be verbs or cues ("replaced", "final")."""
    doubtful = [m for m in question.mentions if _is_doubtful(question, m)][:_MOST_DOUBTS]
    if not any(_is_done_by(question, mention) for mention in doubtful):
        yield question
    for mention in doubtful:
        yield replace(question, mentions=tuple(m for m in question.mentions if m is not mention))


def _masked(text: str, words: Sequence[QuestionWord], mentions: Iterable[NameMention]) -> str:
    """The text with its names blotted out, so that no date is read in them."""
    for mention in mentions:
        start, end = words[mention.first].start, words[mention.last - 1].end
        text = text[:start] + "X" * (end - start) + text[end:]
    return text


def _is_done_by(question: ParsedQuestion, mention: NameMention) -> bool:
    """True for "superseded by": that is no value, unless a date follows ("accepted by 2022")."""
    followed = [word.low for word in question.words[mention.last : mention.last + 1]]
    return followed == ["by"] and mention.last not in question.dated


def _is_doubtful(question: ParsedQuestion, mention: NameMention) -> bool:
    word = question.words[mention.first]
    if mention.last != mention.first + 1 or (word.is_capitalised and mention.first > 0):
        return False
    if word.low in _CUES and question.words[mention.first - 1].low in _BECOME | BE:
        return False  # "those that are final"
    if not (is_past(word.low) or word.low.endswith("ing")) and _is_predicate(question, mention.first):
        return False  # "those that are still drafts"
    if word.low not in _CUES and mention.last in question.cues.types:
        return False  # "draft PEPs"
    return word.stem in question.lexicon.words or word.low in _CUES or _is_done_by(question, mention)


def _is_predicate(question: ParsedQuestion, place: int) -> bool:
    """True for a word that "is" leads to, whatever adverbs and articles stand between."""
    before = [word.low for word in question.words[:place]]
    while before and before[-1] in _ADVERBS:
        before.pop()
    return before[-1:] != [] and before[-1] in BE


# -- what it is wrapped in

_ME = r"(?:tell|show|give|remind|inform|help|let)\ (?:me|us)(?:\ know)?"
_LEARN = r"to\ (?:know|see|find\ out|learn|ask)"
_RECORDS = r"(?:graph|data|database|records?|knowledge\ (?:graph|base))"
_BEFORE = re.compile(
    rf"""^\W*(?:(?:
    would\ you\ mind\ (?:telling|showing|giving|reminding)\ (?:me|us)
    |please|kindly|pls|(?:hi|hello|hey)(?:\ there)?|greetings|good\ (?:morning|day|afternoon|evening)|ok|okay
    |so|well|um+|like|(?:a\ )?(?:very\ )?quick\ (?:question|one|check|query)|question|just\ curious|just\ checking
    |do\ tell(?:\ me)?|i(?:'m|\ am)\ curious
    |would\ it\ be\ (?:right|fair|correct|true|accurate)\ to\ say(?:\ that)?(?=\ )
    |i\ (?:was|am)\ wondering|i'm\ wondering|i\ wonder|wondering
    |(?:could|can|would|will)\ (?:you|u|someone|anybody|anyone)(?:\ (?:please|kindly|maybe|possibly))?(?:\ {_ME})?
    (?:\ (?:find(?:\ out)?|check|look\ up|say|figure\ out|confirm|verify|determine))?
    |i(?:\ would|'d|’d)\ (?:like|love|want)\ {_LEARN}|i\ (?:want|need|asking)\ {_LEARN}
    |(?:please\ )?{_ME}(?:\ please)?|do\ you\ (?:happen\ to\ )?know|does\ anyone\ know|any\ idea|is\ it\ known
    |(?:state|specify|provide|identify|indicate|report|supply|retrieve|fetch|display)
    (?=\ (?:the|all|every|each|who|whose|what|which|when|where)\b)
    |(?:i\ )?need|(?:please\ )?(?:summari[sz]e|outline|recap|enumerate|detail|describe)|(?:list|name)(?=\ the\ )
    |help\ me\ (?:find|understand)
    |find\ out|look\ up|(?:may|can|could)\ i\ (?:ask|know|see|get|have)|what\ i\ want\ to\ know\ is|my\ question\ is
    |according\ to\ (?:the\ |our\ |your\ )?{_RECORDS}(?!\s+(?:of|on|at|as|from|in|dated)\b)
    |in\ (?:the|this|our)\ (?:graph|database|data)|from\ the\ (?:graph|data|records)(?!\s+of)
    )\b[\s,:;.!-]*)+""",
    re.IGNORECASE | re.VERBOSE,
)
_BESIDE_NUMBER = re.compile(
    r"""(?:(?<=\d\ )|(?<=\d(?:st|nd|rd|th)\ )|(?<=\d(?:st|nd|rd|th)\ of\ ))[a-z]{4,}(?=[\s,.]+\d)
    |\b[a-z]{5,}(?=\ \d{1,2}(?:st|nd|rd|th)?\b,?\ \d{4})|\b[a-z]{5,}(?=\ \d{4}\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_THAT_IS = re.compile(
    r"\b(?:i\.\s?e\.?|e\.\s?g\.?|(?<!what )i mean|in other words|(?<=, )that is(?: to say)?(?=,)),?",
    re.IGNORECASE,
)
_IS_IT_SO = re.compile(
    r"^\W*is it (?:really |indeed |actually )?(?:correct|true|right|accurate|the case|a fact)(?: to say)? that\b",
    re.IGNORECASE,
)
_WITHOUT_APOSTROPHE = re.compile(r"\b(who|what|where|when|how)s\b(?!['’])", re.IGNORECASE)
_TAG = re.compile(
    r",\s*(?:(?:did|does|do|has|have|had|is|are|was|were)(?:n[’']t)?\s+(?:it|he|she|they|there)"
    r"|am i right|right|correct)\s*\?*\s*$",
    re.IGNORECASE,
)
""" "…, did it?": what stands before is asked for as a yes or no."""
_DENIED = re.compile(
    r"\b(?:(?<=did )|(?<=does )|(?<=has )|(?<=is )|(?<=was )|(?<=were )|(?<=had ))not\b|\bnever\b", re.IGNORECASE
)
_STAFF = re.compile(r"\b(?:members of (?:the )?(?:staff|crew|team)|(?:staff|crew|team) members)\b", re.IGNORECASE)
_OR_NOT = re.compile(r"\s+or (?:what|not|no)\b(?=[\s?.!]*(?:,|$))", re.IGNORECASE)
_SAYING_AGAIN = " namely "
_MONTHS = ("january", "february", "march", "april", "august", "september", "october", "november", "december")
_ASKING = ("what", "which", "when", "where", "who", "the", "was", "were", "did", "does", "how", "many")


def unwrapped(question: str) -> str:
    """The question without what is merely polite; all of it where nothing else is left."""
    question = _IS_IT_SO.sub("whether", _WITHOUT_APOSTROPHE.sub(r"\1's", question))
    question = _STAFF.sub("people", question)
    bare = _with_months(_OR_NOT.sub(" ", _THAT_IS.sub(_SAYING_AGAIN, _untagged(question))))
    while (match := _BEFORE.match(bare)) and match.end():
        rest = bare[match.end() :]
        if not re.search(r"\w", rest):
            return question
        bare = rest
    return bare


def _untagged(question: str) -> str:
    """A statement with a question behind it, as a question: "It never was accepted, was it?", "whether it ever was"."""
    tag = _TAG.search(question)
    if tag is None or re.match(r"\s*(?:who|what|which|where|when|how|whose|whom)\b", question, re.IGNORECASE):
        return question
    return f"whether {_DENIED.sub('ever', question[: tag.start()])}?"


def _with_months(question: str) -> str:
    """Months that are misspelt beside a number are put right."""
    return _BESIDE_NUMBER.sub(lambda match: closest_word(match[0].lower(), _MONTHS) or match[0], question)


def _respelt_words(
    words: Sequence[QuestionWord], known: frozenset[str], named: frozenset[int]
) -> tuple[QuestionWord, ...]:
    """Words with slips in the smallest ones put right: "wht" is "what", "teh" is "the"."""
    return tuple(
        _respelt(word) if place not in named and word.low not in known and not word.is_number else word
        for place, word in enumerate(words)
    )


def _respelt(word: QuestionWord) -> QuestionWord:
    right = next((right for right in _ASKING if is_slip(word.low, right)), "")
    return replace(word, low=right, stem=stem(right)) if right else word
