"""Who does the items of each kind of job."""

from functools import cache

from services.core.job_records import Job
from services.jobs.processor import Processor


def processor_of(job: Job) -> Processor:
    """The processor of a job, by its kind and options. Each is imported when it is needed: some take long to import."""
    match job.kind:
        case "import":
            from services.jobs.import_job import ImportProcessor

            return ImportProcessor()
        case "documents":
            from services.jobs.documents_job import DocumentsProcessor

            return DocumentsProcessor(job.options)
        case "dates":
            from services.jobs.dates_job import DatesProcessor

            return DatesProcessor()
        case "crawl":
            return _crawler()


@cache
def _crawler() -> Processor:
    """One for the process: it keeps to the pace of each host, whichever job asks for a page."""
    from services.jobs.crawl_job import CrawlProcessor

    return CrawlProcessor()
