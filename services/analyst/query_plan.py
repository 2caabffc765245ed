"""What a question asks for, once it is understood; and why it could not be."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.analyst.intents import Intent
from services.analyst.lengths import Unit
from services.analyst.tense_and_change import Change, Tense
from services.analyst.time_frame import TimeFrame
from services.analyst.vocabulary import Side
from services.core.answer_records import DeclineKind, Offer, PartKind


@dataclass(frozen=True, slots=True)
class DatingEvent:
    """The start (or the end) of a fact, which stands for a date: "when PEP 484 became Final"."""

    entity: str
    relation: str
    side: Side
    value: str
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """A further fact that what is listed must have: `name` on `side` of `relation`; `negated`, another name."""

    relation: str
    side: Side
    name: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What a question asks for: facts of `relation` that have a subject on `side`, by the table of decision 0009.

    `value` is the name on the other side; `symmetric` tells that either side will do; `other` is the far end of a path.
    No relation is every fact of the subject.
    `or_past` tells that the past is meant where nothing holds any more of the subjects, which are neither people nor
    values; `change` that what began ("became Final in 2010") or ended is asked for, in place of what held; `perfect`
    are past ones too ("has been"); `negated` tells that what has another value than the subject is asked for ("not
    private"). `most` are those who may have the most facts of the relation, with how many they can have; all who have
    `least` of them are asked for, where that is not 0. `counts` tells that the number of all is asked for as well,
    `is_over` that only what has ended is. `unit` is what a length is wanted in; `among` are the only answers, where a
    noun tells which ("which rowing club"). `words` are what the question calls its names and its relation;
    `carried` are the kinds of its parts that were taken from the question before.
    """

    intent: Intent
    subjects: tuple[str, ...] = ()
    relation: str = ""
    side: Side = "source"
    value: str = ""
    symmetric: bool = False
    rank: str = ""
    conditions: tuple[Condition, ...] = ()
    when: TimeFrame = field(default_factory=TimeFrame)
    event: DatingEvent | None = None
    other: str = ""
    perfect: bool = False
    negated: bool = False
    most: tuple[tuple[str, int], ...] = ()
    least: int = 0
    counts: bool = False
    is_over: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    carried: frozenset[PartKind] = frozenset()
    change: Change = ""
    or_past: bool = False
    tense: Tense = "present"
    unit: Unit = ""
    among: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a question was not understood, and what could be asked instead.

    `words` were not understood; `plan` is what the rest of it asks for, as far as that was read.
    """

    message: str
    hint: str = ""
    kind: DeclineKind = "not_understood"
    words: tuple[str, ...] = ()
    plan: QueryPlan | None = None
    offers: tuple[Offer, ...] = ()
    offers_in_words: str = ""
