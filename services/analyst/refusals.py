"""Why a question was not understood: the words, the name that the graph lacks, or the relation; and what to ask."""

from collections.abc import Iterator, Sequence

from services.analyst import offers
from services.analyst.parsed_question import ParsedQuestion
from services.analyst.query_plan import QueryPlan, Refusal
from services.analyst.question_words import SMALL_WORDS, QuestionWord, listed, places_of
from services.analyst.tense_and_change import tense_of
from services.analyst.vocabulary import OWN
from services.analyst.whole_sentences import is_whole
from services.core import clock
from services.core.answer_records import DeclineKind, Offer
from services.core.date_wording import day
from services.language.other_languages import other_language
from services.language.relation_names import relation_words

_TO_COME = frozenset(("will", "shall", "going"))
_ASKING = frozenset(("how", "why", "many", "much"))


def refusal(question: ParsedQuestion, plan: QueryPlan | None, left: Sequence[int]) -> Refusal:
    """Say that the words at some places were not understood; `plan` is what the others ask for."""
    words = tuple(question.words[place].text for place in left)
    hint = "" if question.mentions else "Name an entity, spelled as in the graph."
    message, kind = _message(question, left)
    offered = tuple(_offers(question, plan, left))
    return Refusal(message, hint, kind, words, plan or _named(question), offered, _relations_in_words(question))


def _named(question: ParsedQuestion) -> QueryPlan:
    """Whom a question names, and when, where nothing else of it was understood."""
    named = {mention.name: sorted(mention.places) for mention in question.mentions}
    words = {name: " ".join(question.words[place].text for place in places) for name, places in named.items()}
    return QueryPlan("overview", tuple(words), when=question.when, words=words)


def _message(question: ParsedQuestion, left: Sequence[int]) -> tuple[str, DeclineKind]:
    """Say what was not understood, which name the graph lacks, or which relation an entity of it has not."""
    words, quoted = question.words, listed([f"“{question.words[place].text}”" for place in left[:4]])
    if language := _other_language(question):
        return f"This looks like {language}. Asof reads questions in English.", "not_understood"
    if question.cues.has_word("why"):
        return "The graph records no reasons.", "not_understood"
    if tense_of(question.template) == "future" and any(words[place].low in _TO_COME for place in left):
        return f"The graph has no facts about the future (today is {day(clock.now())}).", "not_understood"
    if left and all(place and words[place].is_capitalised for place in left):
        return f"No entity matches {_joined(words, left)}.", "unknown_name"
    if left:
        return f"I didn't understand {quoted}.", "not_understood"
    name = question.mentions[0].name if question.mentions else ""
    own = question.lexicon.sides.get(name, {})
    lacking = (cue for cue in question.cues.relations if cue.hint.weight >= OWN and cue.relation not in own)
    if name and (cue := next(lacking, None)) is not None:
        return f"The graph has no “{' '.join(relation_words(cue.relation))}” fact about {name}.", "nothing_found"
    return "I couldn't read this as a question about the graph.", "not_understood"


def _other_language(question: ParsedQuestion) -> str:
    return other_language(" ".join(word.text for word in question.words))


def _joined(words: Sequence[QuestionWord], places: Sequence[int]) -> str:
    """Return words in quotes, those that stand beside each other together."""
    text = "".join(f" {words[at].text}" if at - 1 in places else f"” or “{words[at].text}" for at in places)
    return f"{text.removeprefix('” or ')}”"


def strange(question: ParsedQuestion) -> tuple[int, ...]:
    """Return the words that say something of which the graph knows nothing at all; else those that say most."""
    known = places_of(question.cues.relations) | question.cues.taken | question.cues.types.keys()
    places = [place for place in range(len(question.words)) if place not in known]
    found = tuple(at for at in places if question.words[at].low not in SMALL_WORDS | _ASKING)
    strong = [cue for cue in question.cues.relations if cue.hint.weight >= OWN]
    own = question.lexicon.sides.get(question.mentions[0].name, {}) if question.mentions else {}
    telling = [cue for cue in strong if cue.relation in own] if strong else question.cues.relations
    return found or tuple(sorted({place for cue in telling for place in cue.places}))


def _relations_in_words(question: ParsedQuestion) -> str:
    """Say which relations the first entity of a question has; "" where it names none that has any."""
    name = question.mentions[0].name if question.mentions else ""
    known = [" ".join(relation_words(relation)) for relation in question.lexicon.sides.get(name, {})]
    return f"Relations of {name}: {', '.join(known[:6])}." if known else ""


def _offers(question: ParsedQuestion, plan: QueryPlan | None, left: Sequence[int]) -> Iterator[Offer]:
    """Return the question without what was not understood, if it is one, what else can be asked, and names alike."""
    if plan is not None and left and is_whole(question, left):
        bare = offers.without(question.words, left)
        yield Offer("question", bare, bare)
    if not _other_language(question):
        yield from offers.names_like(question.words, left, question.lexicon)
    for name in dict.fromkeys(mention.name for mention in question.mentions[:1]):
        yield from offers.relations_of(name, question.lexicon)
