"""Imports of fact tables as items of jobs."""

from collections.abc import Sequence

from services.core.change_records import Origin
from services.core.job_records import ItemEnd, JobItem, NewItem
from services.core.wording import counted
from services.jobs.processor import JobContext
from services.tables.mapping import TableMapping, mapping_of
from services.tables.tables import read_facts
from services.writing.change_sets import writing
from services.writing.importer import edit_of, imported_document, preview_import, summary

_PROBLEMS = 100
"""So many of the bad rows that were left out are listed."""


def import_item(
    name: str,
    digest: str,
    *,
    inclusive_ends: bool = False,
    good_only: bool = False,
    mapping: TableMapping | None = None,
    sheet: str = "",
) -> NewItem:
    """The item that imports an uploaded file of facts, or a `sheet` of one: whole, or its `good_only` rows. `mapping`
    says what its columns mean where their names do not."""
    payload = {
        "upload": digest,
        "name": name,
        "inclusive_ends": inclusive_ends,
        "good_only": good_only,
        "mapping": None if mapping is None else mapping.document(),
        "sheet": sheet,
    }
    return NewItem(name, name, payload)


class ImportProcessor:
    """Imports fact tables, one at a time: each whole, or not at all."""

    at_once = 1

    def process(self, items: Sequence[JobItem], context: JobContext) -> None:
        """Import each file. Raises `BadInput` for one with rows that cannot be taken, unless it is to do without."""
        for item in items:
            self._import(item, context)

    def _import(self, item: JobItem, context: JobContext) -> None:
        asked, workspace, job = item.payload, context.workspace, context.job
        context.report(f"reading {asked['name']}")
        content = workspace.accounts.uploads.get(asked["upload"])
        mapping = None if asked["mapping"] is None else mapping_of(asked["mapping"])
        inclusive, sheet = asked["inclusive_ends"], asked.get("sheet", "")  # older items have none
        table = read_facts(asked["name"], content, inclusive_ends=inclusive, mapping=mapping, sheet=sheet)
        if not asked["good_only"]:
            table.needs_all()

        def tell(done: int, total: int) -> None:
            context.report(f"writing {done:,} of {counted(total, 'record')}", done / total if total else 1.0)

        with writing(workspace, context.cancel) as writer:
            plan = preview_import(workspace, table.rows)
            problems = [{"row": p.number, "column": p.column, "problem": p.reason} for p in table.problems[:_PROBLEMS]]
            end = ItemEnd(item.id, "done", {**imported_document(summary(plan)), "problems": problems})
            if plan.is_empty:
                context.end(end)
                return
            origin = Origin("import", job.user_id, job.id, item.id)
            writer.apply(edit_of(plan), title=table.name, origin=origin, ends=[end], at=plan.recorded_at, progress=tell)
