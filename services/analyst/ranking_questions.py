"""Questions that rank the whole graph: who has the most of something, more than some number, the greatest figure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.analyst.graph_lexicon import RelationEntry
from services.analyst.parsed_question import ParsedQuestion
from services.analyst.query_plan import QueryPlan
from services.analyst.question_words import places_of, stems
from services.analyst.relation_choice import (
    RelationChoice,
    choices_of_counted,
    choices_of_kind,
    choices_of_nouns,
    is_untold,
)
from services.analyst.sql_cues import ADJECTIVES, adjective_of
from services.analyst.tense_and_change import change_asked, is_perfect, tense_of
from services.analyst.vocabulary import type_groups
from services.language.numbers import number
from services.language.relation_names import relation_words

_MOST = re.compile(r" (?:the )?(?:most(?: number of)?|(?:largest|greatest|highest|biggest) number of)(?: different)? ")
_MOST_OFTEN = re.compile(r" (?:the )?most (?:often|frequently|times) ")
_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)"
_MORE_THAN = re.compile(rf" more than (?P<number>{_NUMBER})(?: different)? ")
_AT_LEAST = re.compile(rf" (?:at least (?P<number>{_NUMBER})|(?P<or>{_NUMBER}) or more)(?: different)? ")
_CHANGED = re.compile(r" (?:(?:has|have|had) (?:ever )?)?changed (?:its|his|her|their)(?= )")
_EXTREMES = {
    "highest": re.compile(r" (?:the )?(?:biggest|largest|highest|greatest|most)(?: number of)? "),
    "lowest": re.compile(r" (?:the )?(?:smallest|lowest|fewest|least)(?: number of)? "),
}
_LONGEST = re.compile(
    r" (?:for )?(?:the )?(?P<rank>longest|shortest)"
    r"(?: (?P<single>single|uninterrupted|unbroken|continuous|consecutive))*"
    r"(?:[ -](?:serving|lasting|running|standing))?"
    r"(?: (?P<spell>spells?|terms?|stints?|stretch|reigns?)| time| tenure| period)?"
    r"(?: in (?:office|charge|the (?:job|post|role)))?(?= )"
)
_BY = re.compile(r" by (?:the )?number of ")
_SURE = 0.9

Ranking = tuple[QueryPlan, RelationChoice, frozenset[int]]
"""A plan, its relation, and the places of the words that rank."""


def rankings(question: ParsedQuestion) -> Iterator[Ranking]:
    """Return what a question that names nobody may rank, now or at an instant, or what it asks of all that happened."""
    if question.mentions:
        return
    yield from _events(question)
    if question.when.way not in ("none", "at"):
        return
    text = question.template.text
    yield from _by_figures(question)
    yield from _by_adjectives(question)
    yield from _by_time(question)
    if match := _MOST_OFTEN.search(text):
        for plan, choice, places in _by_number(question, match, 0):
            yield replace(plan, rank="often"), choice, places
    elif match := _MOST.search(text):
        yield from _by_number(question, match, 0)
    elif match := _MORE_THAN.search(text):
        yield from _by_number(question, match, _count(match["number"]) + 1)
    elif match := _CHANGED.search(text):
        yield from _by_number(question, match, 2)
    elif match := _AT_LEAST.search(text):
        yield from _by_number(question, match, _count(match["number"] or match["or"]))


def _events(question: ParsedQuestion) -> Iterator[Ranking]:
    """ "Who discovered a comet in 2001?": what began in a time, by verbs of what happens."""
    if question.when.way in ("none", "pair"):
        return
    for choice in choices_of_kind(question.cues):
        changed = change_asked(question, choice)
        if changed.change == "begins":
            most = question.lexicon.busiest(choice.relation, choice.side)
            plan = QueryPlan("events", relation=choice.relation, side=choice.side, when=question.when, most=most)
            yield replace(plan, change="begins"), choice, changed.places


def _count(text: str) -> int:
    return int(number(text))


def _by_number(question: ParsedQuestion, match: re.Match[str], least: int) -> Iterator[Ranking]:
    places = places_of(question.template.matched(match))
    past = is_perfect(question.template) or tense_of(question.template) == "past"
    figures = question.lexicon.leading_to_figures  # what leads to figures is ranked by them, not by how many there are
    for choice in (*choices_of_kind(question.cues), *choices_of_counted(question.cues, max(places) + 1)):
        if choice.relation in figures:
            continue
        most = question.lexicon.busiest(choice.relation, choice.side)
        plan = QueryPlan("most", relation=choice.relation, side=choice.side, rank="most", when=question.when, most=most)
        yield replace(plan, least=least, perfect=past and question.when.way == "none"), choice, places


def _by_time(question: ParsedQuestion) -> Iterator[Ranking]:
    """ "Who was director for the longest time?", "Which club had the shortest spell in the league?"."""
    match = _LONGEST.search(question.template.text)
    if match is None or question.when.way != "none":
        return
    places = places_of(question.template.matched(match))
    rank = f"{match['rank']} term" if match["single"] or match["spell"] else match["rank"]
    for choice in (*choices_of_kind(question.cues), *choices_of_nouns(question.cues)):
        most = question.lexicon.busiest(choice.relation, choice.side)
        yield QueryPlan("longest", relation=choice.relation, side=choice.side, rank=rank, most=most), choice, places


def _by_figures(question: ParsedQuestion) -> Iterator[Ranking]:
    """ "The largest stadium", "which firm employs the fewest people?": the only figure of such, or the one named."""
    text, by = question.template.text, _BY.search(question.template.text)
    ways = ((rank, match) for rank, pattern in _EXTREMES.items() if (match := pattern.search(text)))
    for rank, match in ways:
        places = places_of((*question.template.matched(match), *(question.template.matched(by) if by else ())))
        for choice in _figures(question):
            plan = QueryPlan("most", relation=choice.relation, side="source", rank=rank, when=question.when)
            yield plan, choice, places


def _by_adjectives(question: ParsedQuestion) -> Iterator[Ranking]:
    """ "The dearest wine", "the most expensive one": the figures that an adjective compares by."""
    words = question.words
    for place, word in enumerate(words):
        is_spelled = word.low in ("most", "least") and place + 1 < len(words)
        adjective = words[place + 1].low if is_spelled else adjective_of(word.low, "est")
        for choice, ascending in _measured(question, adjective, place + 1 + is_spelled):
            rank = "lowest" if ascending != (word.low == "least") else "highest"
            plan = QueryPlan("most", relation=choice.relation, side="source", rank=rank, when=question.when)
            yield plan, choice, frozenset((place, place + is_spelled))


def _measured(question: ParsedQuestion, adjective: str, noun: int) -> Iterator[tuple[RelationChoice, bool]]:
    """Return the one relation to figures that an adjective compares by, and whether less of it is more."""
    lexicon, found = question.lexicon, list[tuple[RelationEntry, bool]]()
    for name in sorted(lexicon.leading_to_figures):
        of_it = [
            one
            for one in ADJECTIVES.get(adjective, ())
            if set(one.column) <= set(stems(" ".join(relation_words(name))))
        ]
        found += [(lexicon.relations[name], one.ascending) for one in of_it[:1]]
    typed = frozenset(question.cues.types)
    for entry, ascending in found if len(found) == 1 else ():
        kinds = {question.cues.types[at] for at in typed}
        if all(entry.source_types[kind] for kind in kinds):
            own = places_of(cue for cue in question.cues.relations if cue.relation == entry.name)
            own |= typed or _untold_noun(question, entry, range(noun, min(noun + 1, len(question.words))))
            yield RelationChoice(entry.name, "source", _SURE, own, _SURE, sure=True), ascending


def _untold_noun(question: ParsedQuestion, entry: RelationEntry, places: Iterable[int]) -> frozenset[int]:
    """Return the places of a noun for those that have figures, where the graph does not say of what kind they are: no
    noun for a kind of things that are called so in any graph."""
    words = [question.words[at].stem for at in places]
    is_of_others = any(word in group for word in words for group in type_groups())
    return frozenset() if is_of_others or not is_untold(entry, "source") else frozenset(places)


def _figures(question: ParsedQuestion) -> Iterator[RelationChoice]:
    """Return the relation to figures that words tell, or that alone is of what the question asks for."""
    cues, relations = question.cues, question.lexicon.relations.values()
    of_figures = question.lexicon.leading_to_figures
    leading = [entry for entry in relations if entry.name in of_figures]
    typed = frozenset(cues.types)
    of_kind = [one for one in leading if set(cues.types.values()) & set(one.source_types)]
    named = [one for one in leading if any(cue.relation == one.name for cue in cues.relations)]
    for entry in named or (of_kind if len(of_kind) == 1 else ()):
        own = places_of(cue for cue in cues.relations if cue.relation == entry.name)
        own |= typed or _untold_noun(question, entry, [at for at in cues.asked_noun if at not in own])
        yield RelationChoice(entry.name, "source", _SURE, own, _SURE, sure=True)
