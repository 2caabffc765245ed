"""Changes by hand: facts, entities and sources corrected on the graph's clock, merged, or deleted."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.writing.corrections.apply import (
        delete,
        edit_entity,
        edit_fact,
        end_fact,
        merge_entities,
        preview_delete,
        preview_edit,
        reinstate_fact,
        withdraw_fact,
    )
    from services.writing.corrections.clean_up import mend_residues, unite, united
    from services.writing.corrections.correction_records import Correction, DeletionScope, EntityChanges, FactChanges
    from services.writing.corrections.entity_corrections import changes_of_entity
    from services.writing.corrections.fact_corrections import (
        Moment,
        before_retired,
        changes_of_fact,
        ended,
        reinstated,
        taken_back,
        title_of,
    )
    from services.writing.corrections.redating import preview_redating, redate
    from services.writing.corrections.restamping import preview_restamp, restamp
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "Correction",
    "DeletionScope",
    "EntityChanges",
    "FactChanges",
    "Moment",
    "before_retired",
    "changes_of_entity",
    "changes_of_fact",
    "delete",
    "edit_entity",
    "edit_fact",
    "end_fact",
    "ended",
    "mend_residues",
    "merge_entities",
    "preview_delete",
    "preview_edit",
    "preview_redating",
    "preview_restamp",
    "redate",
    "reinstate_fact",
    "reinstated",
    "restamp",
    "taken_back",
    "title_of",
    "unite",
    "united",
    "withdraw_fact",
]
