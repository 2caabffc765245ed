"""Answers to questions made of others: each part is looked up, then what they list is put together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.analyst import answer_builder
from services.analyst.answer_lines import proves
from services.analyst.compositions import GAP, Composition, Way, compositions
from services.analyst.durations import Range, extreme_of, held_for, start_range
from services.analyst.fact_kinds import FactSelection
from services.analyst.fact_order import dated_and_undated, name_on
from services.analyst.figures import figure_of, is_of_figures
from services.analyst.graph_lexicon import Lexicon
from services.analyst.interpretation import read
from services.analyst.parsed_question import parse_question
from services.analyst.query_plan import QueryPlan
from services.analyst.question_cues import OF_ONE_PERSON
from services.analyst.question_words import listed
from services.analyst.vocabulary import is_of_people, other
from services.core.answer_records import Answer, Sentence, citation_numbers
from services.core.models import Fact
from services.tools.toolbox import Toolbox

_LISTING = frozenset(
    ("value", "count", "former", "first", "last", "nth", "longest", "most", "all", "before", "after", "ended")
)
"""Intents whose answer is what stands on the other side of the plan's facts."""
_OF_PEOPLE = OF_ONE_PERSON | {"person", "man", "woman"}
_MOST_NESTED = 3
"""Of more names than these no further question is asked."""
_MOST: frozenset[Way] = frozenset(("last", "more", "longer"))
_WON: dict[Way, str] = {
    "first": "first",
    "last": "last",
    "more": "the most",
    "fewer": "the fewest",
    "longer": "the longest",
    "shorter": "the shortest",
}

Piece = tuple[QueryPlan, FactSelection]
"""A plan with what was selected for it."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What a question made of others lists: names, what shows it, and what is said before that."""

    names: tuple[str, ...]
    pieces: tuple[Piece, ...]
    lead: str = ""


@dataclass(frozen=True)
class Composer:
    """Looks up questions made of others; `select` gives the facts for a plan."""

    lexicon: Lexicon
    now: datetime
    select: Callable[[QueryPlan], FactSelection]

    def compose(self, text: str, *, explicit: bool = False, depth: int = 0) -> Composed | None:
        """Return what a question made of others lists; None where it is not understood so, or nothing is."""
        for composition in compositions(parse_question(text, self.lexicon, self.now), explicit=explicit):
            if found := self._found(composition, depth):
                return found
        return None

    def _found(self, composition: Composition, depth: int) -> Composed | None:
        if composition.way == "of":
            inner, outer = composition.parts
            return self._of_each(inner, outer, depth) if self._can_mean(composition) else None
        if any(GAP in part for part in composition.parts):
            return None
        if composition.way in ("so", "not_so"):
            return self._chosen(composition)
        if composition.way == "never":
            return self._none_of(composition)
        if not all(self._reads(part, "", depth) for part in composition.parts):
            return None
        parts = [self._listed(part, depth) for part in composition.parts]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if composition.way in ("both", "without", "except", "fellows"):
            return _put_together(composition, known)
        return _compared(composition, known, self.now)

    def _chosen(self, composition: Composition) -> Composed | None:
        """Return those of a list of whom something is so, or is not; None where that is open of any of them."""
        chosen: dict[str, Piece] = {}
        for name, part in zip(composition.names, composition.parts, strict=True):
            plan = read(part, self.lexicon, self.now)
            if not isinstance(plan, QueryPlan) or plan.intent != "is" or not plan.value or plan.subjects == ():
                return None
            selection = self.select(plan)
            shown = (*selection.facts, *selection.undated) or selection.known
            if not shown:
                return None
            if (not selection.denied and proves(plan, selection)) == (composition.way == "so"):
                chosen[name] = _as_listed(plan, selection, shown)
        if not chosen:
            return None
        return Composed(tuple(chosen), tuple(chosen.values()), f"{listed(tuple(chosen))}.")

    def _none_of(self, composition: Composition) -> Composed | None:
        """Return those of a kind of whom something is not recorded, with what else the graph says of them."""
        plan = read(composition.parts[0], self.lexicon, self.now)
        if not isinstance(plan, QueryPlan) or not plan.relation or plan.intent not in ("value", "all"):
            return None
        listing = names_in(plan, self.select(plan))
        kept = [name for name in composition.names if name not in listing]
        shown = {name: self._shown(name, plan) for name in kept}
        pieces = tuple(piece for piece in shown.values() if piece is not None)
        if not listing or not pieces:
            return None
        without = [name for name, piece in shown.items() if piece is None]
        lead = f"{len(kept):,}: {listed(kept)}" if composition.counts else listed(kept)
        lead += f"; the graph has no fact about {listed(without)}" if without else ""
        return Composed(tuple(kept), pieces, f"{lead}.")

    def _shown(self, name: str, asked: QueryPlan) -> Piece | None:
        """Return what the graph has of a name instead: other facts of the relation, else those of another one."""
        side = asked.side if asked.intent == "all" else other(asked.side)
        for relation in (asked.relation, *self.lexicon.sides.get(name, {})):
            on = side if relation == asked.relation else next(iter(sorted(self.lexicon.sides[name][relation])))
            plan = QueryPlan("history", (name,), relation, on)
            selection = self.select(plan)
            if selection.facts or selection.undated:
                return plan, selection
        return None

    def _listed(self, text: str, depth: int) -> Composed | None:
        """Return what one part lists."""
        plan = read(text, self.lexicon, self.now)
        if isinstance(plan, QueryPlan) and plan.relation:
            selection = self.select(plan)
            return Composed(names_in(plan, selection), ((plan, selection),))
        return self.compose(text, depth=depth + 1) if depth < 1 else None

    def _of_each(self, inner: str, outer: str, depth: int) -> Composed | None:
        """Ask the outer question of each name that the inner one lists."""
        plan = read(inner, self.lexicon, self.now)
        if isinstance(plan, QueryPlan) and plan.relation and plan.intent in _LISTING:
            if not any(self._reads(outer, name, depth) for name in self._possible(plan)):
                return None
        elif depth:
            return None
        found = self._listed(inner, depth)
        if found is None or not 0 < len(found.names) <= _MOST_NESTED:
            return None
        of_each = [self._listed(outer.replace(GAP, name), depth) for name in found.names]
        known = [one for one in of_each if one is not None and any(_any(piece) for piece in one.pieces)]
        if not known or any(one is None for one in of_each):
            return None
        names = dict.fromkeys(name for one in known for name in one.names)
        shown_already = {uuid for piece in found.pieces for uuid in _uuids_in(piece)}
        further = (piece for one in known for piece in one.pieces if not _uuids_in(piece) <= shown_already)
        return Composed(tuple(names), (*found.pieces, *further))

    def _can_mean(self, composition: Composition) -> bool:
        """False for a pronoun that may mean a name of the first part as well, or that is of people and this is not."""
        if not composition.pronoun:
            return True
        plan = read(composition.parts[0], self.lexicon, self.now)
        if not isinstance(plan, QueryPlan) or not plan.relation:
            return False
        entry, pronoun = self.lexicon.relations[plan.relation], composition.pronoun.lower()
        are_people = any(is_of_people(kind) for kind, _ in entry.types(other(plan.side)).most_common(1))
        means_people = any(word in _OF_PEOPLE for word in pronoun.removesuffix("'s").split())
        return not entry.joins_alike and are_people == means_people

    def _possible(self, plan: QueryPlan) -> Sequence[str]:
        """Return a name that may stand in the gap: one that the plan's subject was ever joined with."""
        joined = (next(iter(sorted(self._joined(subject, plan))), "") for subject in plan.subjects or ("",))
        return [name for name in joined if name][:1]

    def _joined(self, subject: str, plan: QueryPlan) -> frozenset[str]:
        targets = self.lexicon.targets
        if plan.side == "source":
            return targets.get((subject, plan.relation), frozenset())
        return frozenset(source for (source, of), to in targets.items() if of == plan.relation and subject in to)

    def _reads(self, outer: str, name: str, depth: int) -> bool:
        text = outer.replace(GAP, name)
        if isinstance(read(text, self.lexicon, self.now), QueryPlan):
            return True
        return depth < 1 and any(True for _ in compositions(parse_question(text, self.lexicon, self.now)))


def composed_answer(found: Composed, toolbox: Toolbox, lexicon: Lexicon) -> Answer:
    """Build the answer to a question made of others: what follows from its parts, then what was found for each."""
    whole = answer_builder.joined(
        [answer_builder.answer(plan, selection, toolbox, lexicon) for plan, selection in found.pieces]
    )
    if not found.lead:
        return whole
    decided = found.lead in ("Yes.", "No.")  # what follows bears it out
    numbers = () if decided else tuple(dict.fromkeys(n for sentence in whole.sentences for n in sentence.citations))
    led = f"{found.lead}{citation_numbers(numbers)}"
    moved = [replace(s, start=s.start + len(led) + 2, end=s.end + len(led) + 2) for s in whole.sentences]
    first = Sentence(found.lead, numbers, None if decided else "supported", start=0, end=len(led))
    return replace(whole, text=f"{led}\n\n{whole.text}", sentences=(first, *moved))


def names_in(plan: QueryPlan, selection: FactSelection) -> tuple[str, ...]:
    """Return what a selection lists: the names on the other side than the subject's."""
    side = plan.side if plan.intent in ("most", "all") else other(plan.side)
    return tuple(dict.fromkeys(name_on(fact, side) for fact in _own(plan, selection)))


def _as_listed(plan: QueryPlan, selection: FactSelection, shown: Sequence[Fact]) -> Piece:
    """Return what a yes or no was told by, to be listed without it."""
    dated, undated = dated_and_undated(shown)
    return replace(plan, intent="value", value=""), replace(
        selection, kind="history", facts=dated, undated=undated, denied=False
    )


def _own(plan: QueryPlan, selection: FactSelection) -> list[Fact]:
    facts = (*selection.facts, *selection.undated)
    of_plan = [fact for fact in facts if fact.relation == plan.relation]
    if plan.intent in ("most", "all") or plan.symmetric or plan.negated:
        return of_plan
    return [fact for fact in of_plan if name_on(fact, plan.side) in plan.subjects]


def _uuids_in(piece: Piece) -> set[str]:
    return {fact.uuid for fact in (*piece[1].facts, *piece[1].undated)}


def _any(piece: Piece) -> bool:
    return bool(piece[1].facts or piece[1].undated)


def _put_together(composition: Composition, parts: Sequence[Composed]) -> Composed | None:
    """Keep what all parts list, or what the first does and the others do not; and what shows it."""
    first, *rest = parts
    if not all(_lists(part) for part in parts) or not first.names:
        return None
    if composition.way == "fellows" and not set(composition.names) <= set(first.names):
        return None
    if composition.way == "both":
        kept = [name for name in first.names if all(name in part.names for part in rest)]
    else:
        denied = {*composition.names, *(name for part in rest for name in part.names)}
        kept = [name for name in first.names if name not in denied]
    if not kept:
        return None
    shown = parts if composition.way == "both" else [first]
    pieces = tuple(_only(piece, kept) for part in shown for piece in part.pieces)
    lead = f"{len(kept):,}." if composition.counts else ""
    return Composed(tuple(kept), tuple(piece for piece in pieces if _any(piece)), lead)


def _lists(part: Composed) -> bool:
    return all(plan.intent in _LISTING for plan, _ in part.pieces[-1:])


def _only(piece: Piece, kept: Sequence[str]) -> Piece:
    """Return a piece with those facts alone that speak of what is kept."""
    plan, selection = piece
    if not set(names_in(plan, selection)) & set(kept):
        return piece
    facts, undated = (
        tuple(fact for fact in own if {fact.source, fact.target} & set(kept))
        for own in (selection.facts, selection.undated)
    )
    listing = replace(plan, intent="value") if plan.intent == "count" else plan
    return listing, replace(selection, facts=facts, undated=undated)


# -- comparisons


def _compared(composition: Composition, parts: Sequence[Composed], now: datetime) -> Composed | None:
    if not any(_any(piece) for part in parts for piece in part.pieces):
        return None  # nothing is recorded of any of them, which makes none alike
    measured = [_measure(composition.way, part, now) for part in parts]
    values = [value for value in measured if value is not None]
    figures = [figure for part in parts for name in part.names if (figure := figure_of(name))]
    is_of_figures = composition.way in ("more", "fewer")
    if len(values) != len(composition.names) or (is_of_figures and len({figure.unit for figure in figures}) > 1):
        return None
    ranges = dict(zip(composition.names, values, strict=True))
    won = extreme_of(ranges, greatest=composition.way in _MOST)
    if not won:
        return None
    pieces = tuple(piece for part in parts for piece in part.pieces)
    if composition.decides:
        lead = "Yes." if won == [composition.names[0]] else "No."
    elif len(won) > 1:
        lead = f"{' and '.join(won)} alike."
    else:
        lead = f"{won[0]} {_WON[composition.way]}."
    return Composed(tuple(won), pieces, lead)


def _measure(way: Way, part: Composed, now: datetime) -> Range | None:
    """Return between which values what a part tells of lies: when it began, how long it held, or how many it lists."""
    plan, selection = part.pieces[-1]
    facts = _own(plan, selection)
    if way in ("first", "last", "longer", "shorter"):
        if not facts or any(fact.valid_at is None for fact in facts):
            return None
        return _earliest(facts) if way in ("first", "last") else held_for(facts, now)
    if not is_of_figures(part.names):
        return Range(len(part.names), len(part.names))
    figure = figure_of(part.names[0]) if len(part.names) == 1 else None
    return Range(figure.value, figure.value) if figure else None


def _earliest(facts: Sequence[Fact]) -> Range:
    starts = [start_range(fact) for fact in facts]
    return Range(min(one.least for one in starts), min(one.most for one in starts))
