"""Whether a clause says no where a fact says yes, and whether it is right in that."""

from services.language.inflection import stem
from services.verification.evidence_index import IndexedFact, TurnInstants
from services.verification.sentence_clauses import SentenceClause
from services.verification.word_classes import NEGATORS, REFUSALS


def is_turned(clause: SentenceClause, fact: IndexedFact) -> bool:
    """True when a clause is negated and the fact is not, or the other way round."""
    claimed = [negator for negator in clause.negators() if negator not in fact.vocabulary]
    own = [word for word in fact.relation if word in NEGATORS or stem(word) in REFUSALS]
    if any(date.role in ("until", "before") for date in clause.dates) and claimed == ["not"]:
        return False
    return len(claimed) % 2 != len(own) % 2


def was_not_so(clause: SentenceClause, fact: IndexedFact, turn: TurnInstants) -> bool:
    """True where a plain "not" is right, since the fact did not hold at the date, or does not now."""
    if clause.negators() != ["not"]:
        return False
    if clause.dates and all(date.role == "since" for date in clause.dates):
        return fact.has_ended(turn)
    if clause.dates:
        return all(not fact.holds(d.first, d.last, turn) for d in clause.dates) and fact.start() is not None
    return clause.tense in ("present", "perfect") and fact.has_ended(turn)
