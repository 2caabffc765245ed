"""The one way into a graph: change-sets, corrections, the import, and workspaces."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.writing import change_sets, corrections, workspaces
    from services.writing.edits import Line, LineKind, Scope, Undone
    from services.writing.importer import preview_import
    from services.writing.linking import rebuild_section_types
    from services.writing.plan import Plan, plan_import
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "Line",
    "LineKind",
    "Plan",
    "Scope",
    "Undone",
    "change_sets",
    "corrections",
    "plan_import",
    "preview_import",
    "rebuild_section_types",
    "workspaces",
]
