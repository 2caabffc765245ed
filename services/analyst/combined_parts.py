"""How what the parts of a question list goes together: what all have, what is first or more, what is alike."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from datetime import datetime

from services.analyst.composed_parts import (
    UNDECIDED,
    Composed,
    Piece,
    any_in,
    listed_side,
    lists,
    names_in,
    only_of,
    own_facts,
)
from services.analyst.compositions import UNITS, Composition, Way
from services.analyst.date_comparison import began_in_one, began_later
from services.analyst.durations import Range, extreme_of, held_for, start_range
from services.analyst.fact_order import name_on, start_of
from services.analyst.figures import figure_of, is_of_figures
from services.analyst.lengths import length
from services.analyst.question_words import listed
from services.analyst.vocabulary import Side, other
from services.core.fact_periods import held_at_once, spells_of
from services.core.models import Fact

_MOST: frozenset[Way] = frozenset(("last", "more", "longer"))
_WON: dict[Way, str] = {
    "first": "first",
    "last": "last",
    "more": "the most",
    "fewer": "the fewest",
    "longer": "the longest",
    "shorter": "the shortest",
}


def combined(composition: Composition, parts: Sequence[Composed], now: datetime) -> Composed | None:
    """Put together what the parts list; None where that is no answer."""
    if composition.way == "again":
        return _repeated(composition, parts[0])
    if composition.way == "passed":
        return _passed(composition, parts, now)
    if composition.way in ("earliest", "latest"):
        return _extreme(composition, parts[0], now)
    if composition.way == "each":
        return _of_each(parts)
    if composition.way == "alike":
        return _alike(composition, parts)
    if composition.way in ("both", "without", "except", "fellows"):
        return _put_together(composition, parts)
    return _compared(composition, parts, now)


def _of_each(parts: Sequence[Composed]) -> Composed | None:
    """Return what each part lists, one after the other; None where one lists nothing."""
    if not all(part.names and lists(part) for part in parts):
        return None
    names = dict.fromkeys(name for part in parts for name in part.names)
    return Composed(tuple(names), tuple(piece for part in parts for piece in part.pieces))


def _put_together(composition: Composition, parts: Sequence[Composed]) -> Composed | None:
    """Keep what all parts list, or what the first does and the others do not; and what shows it."""
    if not all(lists(part) for part in parts):
        return None
    first, *rest = _of_the_same(parts) if composition.joint.startswith("same") else parts
    if not first.names:
        return None
    if composition.way == "fellows" and not set(composition.names) <= set(first.names):
        return None
    if composition.joint.endswith("later"):
        return _in_order(composition, first, rest[0])
    if composition.way == "both":
        kept = [name for name in first.names if all(name in part.names for part in rest)]
        if composition.joint == "together":
            kept = [name for name in kept if all(_had_at_once(first, part, name) for part in rest)]
    else:
        denied = {*composition.names, *(name for part in rest for name in part.names)}
        kept = [name for name in first.names if name not in denied]
    if not kept:
        pieces = tuple(piece for part in parts for piece in part.pieces)
        return Composed((), pieces, "No.") if composition.decides and all(map(any_in, pieces)) else None
    shown = [first, *rest] if composition.way == "both" else [first]
    pieces = tuple(only_of(piece, kept) for part in shown for piece in part.pieces)
    lead = "Yes." if composition.decides else f"{len(kept):,}." if composition.counts else ""
    return Composed(tuple(kept), tuple(piece for piece in pieces if any_in(piece)), lead)


def _of_the_same(parts: Sequence[Composed]) -> list[Composed]:
    """Return parts with those facts alone that join two names which the other parts join as well."""
    joined = [{frozenset((fact.source, fact.target)) for fact in _facts_in(part)} for part in parts]
    common = frozenset[frozenset[str]]().union(*joined).intersection(*joined)
    return [_of_pairs(part, common) for part in parts]


def _of_pairs(part: Composed, pairs: Set[frozenset[str]]) -> Composed:
    pieces = tuple(
        (plan, selection.only(lambda fact: frozenset((fact.source, fact.target)) in pairs))
        for plan, selection in part.pieces
    )
    return Composed(tuple(dict.fromkeys(name for piece in pieces for name in names_in(*piece))), pieces)


def _in_order(composition: Composition, first: Composed, second: Composed) -> Composed | None:
    """Keep those who had what the second part lists after what the first does, and tell of whom that is open."""
    verdicts = {name: is_later(first, second, name) for name in first.names if name in second.names}
    later = [name for name, verdict in verdicts.items() if verdict]
    unsure = [name for name, verdict in verdicts.items() if verdict is None]
    pieces = [only_of(piece, (*later, *unsure)) for part in (first, second) for piece in part.pieces]
    if unsure and (composition.counts or not later):
        return left_open(pieces)
    lead = f"{listed(later)}; the recorded dates do not settle the question for {listed(unsure)}." if unsure else ""
    lead = f"{len(later):,}." if composition.counts else lead
    return Composed(tuple(later), tuple(filter(any_in, pieces)), lead) if later else None


def _repeated(composition: Composition, part: Composed) -> Composed | None:
    """Keep those who have what a part lists as often as asked, each time after a break."""
    facts = [fact for piece in part.pieces for fact in own_facts(*piece)]
    side = listed_side(part.pieces[-1][0])
    own = {name: [fact for fact in facts if name_on(fact, side) == name] for name in part.names}
    often = {
        name: _number_of_spells(of, other(side) if composition.joint == "same" else side) for name, of in own.items()
    }
    kept = [name for name in part.names if often[name] >= composition.number]
    pieces = tuple(only_of(piece, kept) for piece in part.pieces)
    return Composed(tuple(kept), pieces) if kept and lists(part) else None


def _number_of_spells(facts: Sequence[Fact], side: Side) -> int:
    """Return how often something was had after a break: the most of any that stands on a side."""
    names = {name_on(fact, side) for fact in facts}
    return max((len(spells_of(fact for fact in facts if name_on(fact, side) == name)) for name in names), default=0)


def _extreme(composition: Composition, part: Composed, now: datetime) -> Composed | None:
    """Keep what began first or last of all that a part lists; None where a beginning that is unknown may be it."""
    plan, selection = part.pieces[-1]
    facts, side = own_facts(plan, selection), listed_side(plan)
    if composition.joint == "now":
        facts = [fact for fact in facts if fact.invalid_at is None or fact.invalid_at > now]
    if len(part.pieces) > 1 or not facts or not lists(part) or selection.undated:
        return None
    if (plan.tense == "present") != (composition.joint == "now"):
        return None
    ranges = {at: start_range(fact) for at, fact in enumerate(facts)}
    kept = [name_on(facts[at], side) for at in extreme_of(ranges, greatest=composition.way == "latest")]
    shown = only_of(part.pieces[-1], kept)
    return Composed(tuple(kept), (shown,), f"{listed(kept)}.") if kept else None


def _passed(composition: Composition, parts: Sequence[Composed], now: datetime) -> Composed | None:
    """Tell how long it was from the last time of the first part before the second one's first to that, or when."""
    one, two = (sorted((f for f in _facts_in(part) if f.valid_at), key=start_of) for part in parts)
    pairs = [(before, after) for after in two for before in reversed(one) if start_of(before) < start_of(after)]
    if not pairs:
        return None
    start, end = (start_range(fact) for fact in pairs[0])
    shown = [
        (replace(plan, intent="value"), replace(selection, kind="history", facts=(fact,)))
        for part, fact in zip(parts, pairs[0], strict=True)
        for plan, selection in part.pieces[-1:]
    ]
    if composition.joint == "when":
        plan, selection = parts[-1].pieces[-1]
        turned = {after.uuid for _, after in pairs}
        return Composed((), ((plan, selection.only(lambda fact: fact.uuid in turned)),))
    if start.least != start.most or end.least != end.most:
        return left_open(shown)
    before, after = pairs[0]
    return Composed((), tuple(shown), f"{length(replace(before, invalid_at=after.valid_at), now)}.")


def is_later(one: Composed, two: Composed, name: str = "") -> bool | None:
    """Tell whether what the second part lists, of a name or of any, came after what the first does; None if open."""
    before, after = (
        [fact for fact in _facts_in(part) if name in ("", fact.source, fact.target)] for part in (one, two)
    )
    return _any_of(began_later(second, first) for first in before for second in after)


def _had_at_once(one: Composed, two: Composed, name: str) -> bool:
    """True where two parts list a name by facts that held at the same time."""
    first, second = ([fact for fact in _facts_in(part) if name in (fact.source, fact.target)] for part in (one, two))
    return any(held_at_once(fact, another) for fact in first for another in second)


def _facts_in(part: Composed) -> list[Fact]:
    return [fact for _, selection in part.pieces for fact in (*selection.facts, *selection.undated)]


def _any_of(verdicts: Iterable[bool | None]) -> bool | None:
    """Return whether one of them is so; None where none surely is and one may be."""
    found = set(verdicts)
    return True if True in found else None if None in found else False


def _alike(composition: Composition, parts: Sequence[Composed]) -> Composed | None:
    """Tell whether two parts list the same: what both have, or when something was."""
    if not all(part.names and any(map(any_in, part.pieces)) for part in parts):
        return None
    one, two = parts
    pieces = tuple(piece for part in parts for piece in part.pieces)
    if composition.joint not in UNITS:
        both = tuple(sorted({*one.names} & {*two.names}))
        return Composed(both, pieces, "Yes." if both else "No.")
    same = _any_of(
        began_in_one(composition.joint, first, other) for first in _facts_in(one) for other in _facts_in(two)
    )
    return left_open(pieces) if same is None else Composed((), pieces, "Yes." if same else "No.")


def left_open(pieces: Sequence[Piece]) -> Composed:
    """Return that dates do not tell, with the facts and their dates as they are recorded."""
    return Composed((), tuple(pieces), UNDECIDED)


# -- comparisons


def _compared(composition: Composition, parts: Sequence[Composed], now: datetime) -> Composed | None:
    if not any(any_in(piece) for part in parts for piece in part.pieces):
        return None  # nothing is recorded of any of them, which makes none alike
    if not all(map(_is_of, parts, composition.names)):
        return None
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


def _is_of(part: Composed, name: str) -> bool:
    """True for what was asked of a name itself."""
    plan = part.pieces[-1][0]
    return name in (*plan.subjects, plan.value) or any(name == one.name for one in plan.conditions)


def _measure(way: Way, part: Composed, now: datetime) -> Range | None:
    """Return between which values what a part tells of lies: when it began, how long it held, or how many it lists."""
    plan, selection = part.pieces[-1]
    facts = own_facts(plan, selection)
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
