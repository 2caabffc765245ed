"""Answers to questions made of others: each part is looked up, then what they list is put together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from services.analyst import answer_builder
from services.analyst.answer_lines import proves
from services.analyst.combined_parts import combined, is_later, left_open
from services.analyst.composed_parts import (
    LISTING,
    OF_ALL,
    UNDECIDED,
    Composed,
    Piece,
    any_in,
    as_listed,
    names_in,
    only_of,
    uuids_in,
)
from services.analyst.compositions import GAP, Composition, Way, compositions
from services.analyst.compound_questions import without_tail
from services.analyst.dated_parts import DatingMoment, dated_by
from services.analyst.fact_kinds import FactSelection
from services.analyst.graph_lexicon import Lexicon
from services.analyst.intents import OF_TIME
from services.analyst.interpretation import read
from services.analyst.parsed_question import parse_question
from services.analyst.query_plan import QueryPlan, Refusal
from services.analyst.question_cues import OF_ONE_PERSON
from services.analyst.question_words import listed
from services.analyst.time_frame import TimeFrame
from services.analyst.vocabulary import is_momentary, is_of_people, other
from services.core import time_rule
from services.core.answer_records import Answer, Sentence, citation_numbers
from services.core.fact_periods import spells_of
from services.tools.toolbox import Toolbox

_OF_PEOPLE = OF_ONE_PERSON | {"person", "man", "woman"}
_MOST_NESTED = 10
"""Of more names than these no further question is asked."""


@dataclass(frozen=True)
class Composer:
    """Looks up questions made of others; `select` gives the facts for a plan."""

    lexicon: Lexicon
    now: datetime
    select: Callable[[QueryPlan], FactSelection]
    plans: dict[str, QueryPlan | Refusal] = field(default_factory=dict)
    """What each part was read as: several ways to take a question apart share some."""

    def _read(self, text: str) -> QueryPlan | Refusal:
        if text not in self.plans:
            self.plans[text] = read(text, self.lexicon, self.now)
        return self.plans[text]

    def compose(self, text: str, *, explicit: bool = False, depth: int = 0) -> Composed | None:
        """Return what a question made of others lists; None where it is not understood so, or nothing is."""
        text = without_tail(text)
        for composition in compositions(parse_question(text, self.lexicon, self.now), explicit=explicit):
            if found := self._found(composition, depth):
                return found
        return None

    def _found(self, composition: Composition, depth: int) -> Composed | None:
        if composition.way == "of":
            return self._of_each(composition, depth) if self._can_mean(composition) else None
        own: Mapping[Way, Callable[[Composition], Composed | None]] = {
            "dated": self._dated,
            "so": self._chosen,
            "not_so": self._chosen,
            "all_so": self._all_so,
            "always": self._always,
            "never": self._none_of,
            "any": self._any_one,
        }
        if composition.way == "again" and composition.decides:
            return self._returned(composition)
        if (answered := own.get(composition.way)) is not None:
            return answered(composition)
        if any(GAP in part for part in composition.parts) or not all(
            self._reads(part, "", depth) for part in composition.parts
        ):
            return None
        parts = [self._listed(part, depth) for part in composition.parts]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        return combined(composition, known, self.now)

    def _whether(self, text: str) -> tuple[bool, Piece] | None:
        """Return whether something is so, and what tells it; None where that is open."""
        plan = self._read(text)
        if not isinstance(plan, QueryPlan) or not _decides(plan):
            return None
        selection = self.select(plan)
        if selection.kind == "open":
            return None
        shown = (*selection.facts, *selection.undated) or selection.known
        is_so = not selection.denied and proves(plan, selection)
        return (is_so, as_listed(plan, selection, shown)) if shown else None

    def _all_so(self, composition: Composition) -> Composed | None:
        """Tell whether all of the parts are so."""
        verdicts = [(part, one) for part in composition.parts if (one := self._whether(part)) is not None]
        if len(verdicts) < len(composition.parts):
            return None
        pieces = [piece for _, (_, piece) in verdicts]
        are_all = all(is_so for _, (is_so, _) in verdicts)
        if are_all and composition.joint == "later":
            first, second = (Composed((), (piece,)) for piece in pieces)
            in_order = is_later(first, second)
            return left_open(pieces) if in_order is None else Composed((), tuple(pieces), "Yes." if in_order else "No.")
        denied = (self._instead(part) for part, (is_so, _) in verdicts if not is_so)
        return Composed((), (*pieces, *filter(None, denied)), "Yes." if are_all else "No.")

    def _instead(self, part: str) -> Piece | None:
        """Return who or what it is that something was denied of: the founder of what A did not found."""
        asked = self._read(part)
        assert isinstance(asked, QueryPlan), "a part that was read"
        if asked.symmetric or asked.side == "source":
            return None
        plan = replace(asked, intent="history", subjects=(asked.value,), side="source", value="", change="")
        selection = self.select(plan)
        return (plan, selection) if any_in((plan, selection)) else None

    def _returned(self, composition: Composition) -> Composed | None:
        """Tell whether something was so a second time, and later than what the second part says."""
        verdicts = [one for part in composition.parts if (one := self._whether(part)) is not None]
        if len(verdicts) < len(composition.parts):
            return None
        (is_so, (plan, selection)), *rest = verdicts
        again = tuple(fact for spell in spells_of(selection.facts)[1:] for fact in spell) if is_so else ()
        pieces, later = [piece for _, piece in verdicts], Composed((), ((plan, replace(selection, facts=again)),))
        if composition.joint == "when":
            return later if again and not rest else None
        orders = [is_later(Composed((), (piece,)), later) if was_so else False for was_so, piece in rest]
        if (again and None in orders) or (not again and selection.undated):
            return left_open(pieces)
        return Composed((), tuple(pieces), "Yes." if again and all(orders) else "No.")

    def _always(self, composition: Composition) -> Composed | None:
        """Tell whether a relation never led anywhere else; None where nothing is recorded."""
        asked = self._read(composition.parts[0])
        if not isinstance(asked, QueryPlan) or asked.intent != "is" or not asked.value or asked.symmetric:
            return None
        plan = replace(asked, intent="history", value="", change="")
        selection = self.select(plan)
        names = names_in(plan, selection)
        goes_on = asked.tense == "past" or any(time_rule.true_at(fact, selection.at) for fact in selection.facts)
        is_so = names == (asked.value,) and goes_on
        return Composed(names, ((plan, selection),), "Yes." if is_so else "No.") if names else None

    def _any_one(self, composition: Composition) -> Composed | None:
        """Tell that nobody is what a question asks for, with who was last; None where nobody ever was."""
        plan = self._read(composition.parts[0])
        selection = self.select(plan) if isinstance(plan, QueryPlan) and plan.intent in ("value", "all") else None
        if not isinstance(plan, QueryPlan) or selection is None or selection.facts or selection.undated:
            return None
        over = [fact for fact in selection.known if fact.invalid_at and fact.invalid_at <= selection.at.as_of]
        if not over:
            return None
        end = max(fact.invalid_at for fact in over if fact.invalid_at)
        shown = replace(selection, kind="history", facts=tuple(fact for fact in over if fact.invalid_at == end))
        return Composed((), ((replace(plan, intent="history"), shown),), "No.")

    def _chosen(self, composition: Composition) -> Composed | None:
        """Return those of a list of whom something is so, or is not; None where that is open of any of them."""
        chosen: dict[str, Piece] = {}
        for name, part in zip(composition.names, composition.parts, strict=True):
            verdict = self._whether(part)
            if verdict is None:
                return None
            if verdict[0] == (composition.way == "so"):
                chosen[name] = verdict[1]
        if not chosen:
            return None
        return Composed(tuple(chosen), tuple(chosen.values()), f"{listed(tuple(chosen))}.")

    def _none_of(self, composition: Composition) -> Composed | None:
        """Return those of a kind of whom something is not recorded, with what else the graph says of them."""
        plans = [self._read(part) for part in composition.parts]
        listed_by = [plan for plan in plans if isinstance(plan, QueryPlan) and plan.intent in ("value", "all")]
        if len(listed_by) < len(plans) or not all(plan.relation for plan in listed_by):
            return None
        plan, listing = listed_by[0], {name for one in listed_by for name in names_in(one, self.select(one))}
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
        plan = self._read(text)
        if isinstance(plan, QueryPlan) and plan.relation:
            selection = self.select(plan)
            return None if selection.kind == "open" else Composed(names_in(plan, selection), ((plan, selection),))
        return self.compose(text, depth=depth + 1) if depth < 1 else None

    def _of_each(self, composition: Composition, depth: int) -> Composed | None:
        """Ask the outer question of each name that the inner one lists."""
        inner, outer = composition.parts
        plan = self._read(inner)
        if isinstance(plan, QueryPlan) and plan.relation and plan.intent in LISTING:
            if not any(self._reads(outer, name, depth) for name in self._possible(plan)):
                return None
        elif depth:
            return None
        found = self._listed(inner, depth)
        if found is None or not 0 < len(found.names) <= _MOST_NESTED:
            return None
        if any(_decides(self._read(outer.replace(GAP, name))) for name in found.names):
            return self._any_so(composition, found)
        of_each = [self._listed(outer.replace(GAP, name), depth) for name in found.names]
        known = [one for one in of_each if one is not None and any(any_in(piece) for piece in one.pieces)]
        if not known or any(one is None for one in of_each):
            return None
        relations = {one.pieces[-1][0].relation for one in (found, *known)}
        if composition.names and len(relations) > 1:
            return None  # who shares it has to have it by the same relation
        names = dict.fromkeys(name for one in known for name in one.names if name not in composition.names)
        shown_already = {uuid for piece in found.pieces for uuid in uuids_in(piece)}
        further = [piece for one in known for piece in one.pieces if not uuids_in(piece) <= shown_already]
        is_of_time = all(one.pieces[-1][0].intent in OF_TIME for one in known)
        if composition.pronoun and not further and not is_of_time:
            return None  # what was found first answers no second question
        if composition.names:
            further = [only_of(piece, tuple(names)) for piece in further] if names else []
        return Composed(tuple(names), (*found.pieces, *further)) if names or not composition.names else None

    def _any_so(self, composition: Composition, found: Composed) -> Composed | None:
        """Tell whether something is so of what was found, or of any where any will do."""
        outer = composition.parts[1]
        verdicts = {name: self._whether(outer.replace(GAP, name)) for name in found.names}
        known = {name: verdict for name, verdict in verdicts.items() if verdict is not None}
        kept = {name: piece for name, (is_so, piece) in known.items() if is_so}
        if (len(found.names) > 1 and not composition.decides) or (not kept and len(known) < len(verdicts)):
            return None
        shown = kept or {name: piece for name, (_, piece) in known.items()}
        pieces = (*shown.values(), *(only_of(piece, tuple(shown)) for piece in found.pieces))
        return Composed((), pieces, "Yes." if kept else "No.")

    def _dated(self, composition: Composition) -> Composed | None:
        """Ask the second question at the time of which the first one tells."""
        inner = self._read(composition.parts[0])
        if not isinstance(inner, QueryPlan) or not _tells_time(inner):
            return None
        event = self.select(inner)
        moment = dated_by(inner, event, composition.joint)
        outer = self._read(composition.parts[1].replace(GAP, moment.spelled)) if moment else None
        if moment is None or not isinstance(outer, QueryPlan) or not outer.relation:
            return None
        change = outer.change or ("begins" if composition.joint in ("day", "date", "moment") else "")
        outer = replace(outer, when=moment.of(outer.when), change=change)
        if moment.has_no_order(outer.when.way) and (turned := self._turned_within(moment, outer)):
            return left_open((turned, (inner, event)))
        selection = self._of_subject(inner, outer, self.select(outer))
        names = tuple(name for name in names_in(outer, selection) if name not in composition.names)
        piece = only_of((outer, selection), names) if composition.names else (outer, selection)
        if not names or not any_in(piece):
            return None
        return Composed(names, (piece, (inner, event)))

    def _of_subject(self, inner: QueryPlan, outer: QueryPlan, selection: FactSelection) -> FactSelection:
        """ "Who was the captain when A won it?": the captain of A, where A is of those that have one."""
        kinds = self.lexicon.relations[outer.relation].types(other(outer.side))
        own = [name for name in inner.subjects if kinds[self.lexicon.type_of(name)] * 2 > kinds.total()]
        if outer.intent not in OF_ALL or not own:
            return selection
        return selection.only(lambda fact: not {fact.source, fact.target}.isdisjoint(own))

    def _turned_within(self, moment: DatingMoment, plan: QueryPlan) -> Piece | None:
        """Return what began or ended of what a plan asks for in the year or month of an event, if anything did."""
        history = replace(plan, intent="history", value="", change="", when=TimeFrame())
        selection = self.select(history)
        turned = tuple(filter(moment.is_of, selection.facts))
        return (history, replace(selection, facts=turned, undated=())) if turned else None

    def _can_mean(self, composition: Composition) -> bool:
        """False for a pronoun that may mean a name of the first part as well, or that is of people and this is not."""
        if not composition.pronoun:
            return True
        plan = self._read(composition.parts[0])
        if not isinstance(plan, QueryPlan) or not plan.relation:
            return False
        entry, pronoun = self.lexicon.relations[plan.relation], composition.pronoun.lower()
        are_people = any(is_of_people(kind) for kind, _ in entry.types(other(plan.side)).most_common(1))
        means_people = any(word in _OF_PEOPLE for word in pronoun.removesuffix("'s").split())
        is_clear = not entry.joins_alike or composition.joint == "subject"
        return is_clear and are_people == means_people

    def _possible(self, plan: QueryPlan) -> Sequence[str]:
        """Return names that may stand in the gap: those that the plan's subject was ever joined with."""
        if not plan.subjects:
            own = (pair[0] for pair in self.lexicon.targets if pair[1] == plan.relation)
            return [name for name, _ in plan.most[:_MOST_NESTED]] or list(own)[:1]
        beside = (self.lexicon.names_beside(subject, plan.relation, plan.side) for subject in plan.subjects)
        return sorted(frozenset[str]().union(*beside))[:_MOST_NESTED]

    def _reads(self, outer: str, name: str, depth: int) -> bool:
        text = outer.replace(GAP, name)
        if isinstance(self._read(text), QueryPlan):
            return True
        return depth < 1 and any(True for _ in compositions(parse_question(text, self.lexicon, self.now)))


def _decides(plan: QueryPlan | Refusal) -> bool:
    """True for a question that yes or no answers."""
    return isinstance(plan, QueryPlan) and plan.intent in ("is", "history") and bool(plan.value)


def _tells_time(plan: QueryPlan) -> bool:
    """True for when something was, and for what happened at once: whoever founded it did so at that time."""
    happened = plan.intent == "value" and (plan.change == "begins" or is_momentary(plan.relation))
    return plan.when.way == "none" and (plan.intent in ("when", "ended") or happened)


def composed_answer(found: Composed, toolbox: Toolbox, lexicon: Lexicon) -> Answer:
    """Build the answer to a question made of others: what follows from its parts, then what was found for each."""
    pieces = list[Piece]()
    for piece in found.pieces:
        if not uuids_in(piece) or not any(uuids_in(piece) <= uuids_in(before) for before in pieces):
            pieces.append(piece)
    whole = answer_builder.joined(
        [answer_builder.answer(plan, selection, toolbox, lexicon) for plan, selection in pieces]
    )
    if not found.lead:
        return whole
    decided = found.lead in ("Yes.", "No.", UNDECIDED)  # what follows bears it out
    numbers = () if decided else tuple(dict.fromkeys(n for sentence in whole.sentences for n in sentence.citations))
    led = f"{found.lead}{citation_numbers(numbers)}"
    moved = [replace(s, start=s.start + len(led) + 2, end=s.end + len(led) + 2) for s in whole.sentences]
    first = Sentence(found.lead, numbers, None if decided else "supported", start=0, end=len(led))
    return replace(whole, text=f"{led}\n\n{whole.text}", sentences=(first, *moved))
