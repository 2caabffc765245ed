"""Gives facts the dates that their texts are read to say by now: all of them by one change, which can be undone."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.errors import AlreadyDone, BadInput
from services.core.health_records import DatesRead
from services.core.models import Entity, Fact, GraphWrite
from services.writing.corrections import fact_corrections
from services.writing.corrections.apply import change
from services.writing.corrections.correction_records import Correction, FactChanges
from services.writing.corrections.fact_corrections import Moment, changes_of_fact
from services.writing.edits import Edit, Line
from services.writing.record_times import record_instant

_NAMED = 5
"""So many of the facts that cannot be corrected are named in a problem."""


def preview_redating(workspace: OpenWorkspace, read: Sequence[DatesRead]) -> Correction:
    """What `redate` would do, without doing it. Raises as that does."""
    return _redated(workspace, read, Moment(workspace.name, record_instant(workspace)))


def redate(workspace: OpenWorkspace, read: Sequence[DatesRead], *, user_id: str | None = None) -> str:
    """Withdraw the records with other dates, and record corrected ones; returns the change-set's id.

    What was withdrawn, corrected or ended meanwhile is left out, and what another fact says already is kept as it is,
    which a line says. Raises `AlreadyDone` where nothing is left, and `BadInput` where all that is left is kept.
    """
    return change(workspace, Origin("correction", user_id), lambda moment: _redated(workspace, read, moment))


def _redated(workspace: OpenWorkspace, read: Sequence[DatesRead], moment: Moment) -> Correction:
    stored = workspace.run(workspace.graph.facts(workspace.name, [one.fact_uuid for one in read]))
    facts = {fact.uuid: fact for fact in stored}
    left = [(facts[one.fact_uuid], one) for one in read if one.fact_uuid in facts and one.is_of(facts[one.fact_uuid])]
    found = list(_corrections(workspace, left, moment))
    made = [one for one in found if isinstance(one, Correction)]
    kept = tuple(one for one in found if isinstance(one, Line))
    if not found:
        raise AlreadyDone("There is nothing left to correct.", "Someone changed the facts in the meantime.")
    if not made:
        raise BadInput("There are no dates to correct.", " ".join(line.text for line in kept[:_NAMED]))
    created = tuple(fact for one in made for fact in one.edit.created.facts)
    replaced = tuple(fact for one in made for fact in one.edit.replaced.facts)
    title = made[0].title if len(made) == 1 else f"{len(made):,} facts with corrected dates"
    edit = Edit(created=GraphWrite(facts=created), replaced=GraphWrite(facts=replaced))
    title += f"; {len(kept):,} kept as recorded" if kept else ""
    return Correction(title, edit, (*(line for one in made for line in one.lines), *kept))


def _corrections(
    workspace: OpenWorkspace, found: Sequence[tuple[Fact, DatesRead]], moment: Moment
) -> Iterator[Correction | Line]:
    """One correction for each fact that has other dates; a line for one that another fact stands in the way of."""
    histories: dict[str, list[Fact]] = {}
    for fact, read in found:
        changes = changes_of_fact(fact, moment.now)
        dated = _dated(changes, read)
        if dated == changes:
            continue
        others = histories.get(fact.source_uuid)
        if others is None:
            known = workspace.run(workspace.graph.history(workspace.name, fact.source_uuid))
            others = histories[fact.source_uuid] = list(known)
        ends = Entity(fact.source_uuid, fact.source), Entity(fact.target_uuid, fact.target)
        try:
            made = fact_corrections.edited(fact, dated, ends, others, moment)
        except BadInput as problem:
            yield Line("other", f"{fact_corrections.title_of(fact)} keeps its dates: {problem.message}")
            continue
        others += made.edit.created.facts
        yield made


def _dated(changes: FactChanges, read: DatesRead) -> FactChanges:
    stays = read.ended_unknown and changes.ended_unknown
    return replace(
        changes,
        valid_at=read.valid_at,
        invalid_at=changes.invalid_at if stays else read.invalid_at,
        valid_at_precision=read.valid_at_precision,
        invalid_at_precision=read.invalid_at_precision,
        ended_unknown=read.ended_unknown,
    )
