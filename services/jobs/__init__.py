"""Jobs that feed the graph and survive a restart: their queue, their runner, and what each kind does."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.jobs.bulk_actions import BulkResult, discard_all, save_ticked, undo_job, undoable
    from services.jobs.crawl_job import start_crawl
    from services.jobs.dates_job import found_by, latest_reading, read_dates_again
    from services.jobs.demo import LABEL, label_workspace, load_demo
    from services.jobs.documents_job import confirm, discard, keep, reviewed, text_item
    from services.jobs.import_job import import_item
    from services.jobs.queue import Jobs
    from services.jobs.source_texts import SourceTexts, count_unfinished, read_again, unfinished_items
    from services.jobs.texts import file_items
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "LABEL",
    "BulkResult",
    "Jobs",
    "SourceTexts",
    "confirm",
    "count_unfinished",
    "discard",
    "discard_all",
    "file_items",
    "found_by",
    "import_item",
    "keep",
    "label_workspace",
    "latest_reading",
    "load_demo",
    "read_again",
    "read_dates_again",
    "reviewed",
    "save_ticked",
    "start_crawl",
    "text_item",
    "undo_job",
    "undoable",
    "unfinished_items",
]
