"""What `FactRevisions` makes of a fact's only row, in the two cases that most rows of most files are.

Each function answers only where it is sure, and property tests hold its answers to `FactRevisions`.
"""

from datetime import datetime

from services.core.import_rows import Row
from services.core.models import STATEMENTS, Fact, Precision
from services.core.precision import finer
from services.writing.statements import created, is_part, words


def opened(uuid: str, ends: tuple[str, str], row: Row, at: datetime, episodes: tuple[str, ...]) -> Fact:
    """The record that `row`, said `at` that instant, opens where none is stored; not for one that `needs_history`."""
    (
        _,
        source,
        relation,
        target,
        text,
        _,
        _,
        valid_at,
        invalid_at,
        _,
        expired,
        withdrawn,
        believed,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        start_precision,
        end_precision,
        ended_unknown,
        attributes,
    ) = row
    if ended_unknown and expired is None and invalid_at is None:
        expired = at
    if withdrawn is not None and expired is None:
        expired, believed = withdrawn, invalid_at
    return Fact(
        uuid,
        *ends,
        source,
        relation,
        target,
        text or words(source, relation, target),
        valid_at,
        invalid_at,
        at,
        expired,
        withdrawn,
        believed,
        None,
        episodes,
        attributes,
        start_precision,
        end_precision,
        ended_unknown,
    )


def needs_history(row: Row) -> bool:
    """True when the fields of a record alone would not tell what the row said, or who ended the fact."""
    explicit = row.expired_at is not None or row.withdrawn_at is not None
    return bool(row.ending or row.ending_uuid) or (row.believed_invalid_at is not None and not explicit)


def repeats(fact: Fact, row: Row, at: datetime, episodes: tuple[str, ...]) -> bool:
    """True when `row`, said `at` that instant, is sure to change nothing of `fact`, the only record that is stored."""
    explicit = row.expired_at is not None or row.withdrawn_at is not None
    stated_later = at > created(fact) and fact.withdrawn_at is None
    return (
        (at == fact.created_at if row.created_at else stated_later and not explicit)
        and row.expired_at in (None, fact.expired_at)
        and row.withdrawn_at in (None, fact.withdrawn_at)
        and row.believed_invalid_at in (None, fact.believed_invalid_at)
        and (row.withdrawn_at is None or fact.expired_at is not None)
        and _is_no_finer(row.valid_at_precision, fact.valid_at_precision)
        and _repeats_end(fact, row)
        and row.fact in ("", fact.text)
        and not (row.ending or row.ending_uuid)
        and set(episodes) <= set(fact.episodes)
        and STATEMENTS not in fact.attributes
        and is_part(row.attributes, fact.attributes)
    )


def _repeats_end(fact: Fact, row: Row) -> bool:
    """True when the row gives no end, or the very one of the record, no more exactly."""
    if row.invalid_at is None:
        return not row.ended_unknown or fact.ended_unknown
    return (
        row.invalid_at == fact.invalid_at
        and row.ended_unknown >= fact.ended_unknown
        and _is_no_finer(row.invalid_at_precision, fact.invalid_at_precision)
    )


def _is_no_finer(given: Precision, held: Precision) -> bool:
    return given in ("instant", held) or finer(given, held) == held
