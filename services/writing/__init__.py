"""The one way into a graph: change-sets, corrections, the import, and workspaces."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.writing import (
        change_sets,
        corrections,
        damage_check,
        lost_changes,
        restore_missing_records,
        undoing,
        workspaces,
    )
    from services.writing.edits import Line, LineKind, Scope, Undone
    from services.writing.fact_origins import origin_of, with_origins
    from services.writing.import_plan import ImportPlan, plan_import
    from services.writing.importer import preview_import
    from services.writing.linking import rebuild_section_types
    from services.writing.memory_import import MemoryPlan, import_records, preview_records
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "ImportPlan",
    "Line",
    "LineKind",
    "MemoryPlan",
    "Scope",
    "Undone",
    "change_sets",
    "corrections",
    "damage_check",
    "import_records",
    "lost_changes",
    "origin_of",
    "plan_import",
    "preview_import",
    "preview_records",
    "rebuild_section_types",
    "restore_missing_records",
    "undoing",
    "with_origins",
    "workspaces",
]
