"""The part of the view that each page adds, so that the address of any page can be read."""

from components.ask.ask_view import AskView
from components.connect.connect_view import ConnectView
from components.explore.explore_view import ExploreView
from components.ingest.ingest_view import IngestView
from components.memory.memory_view import MemoryView
from components.search.search_view import SearchView
from components.sources.sources_view import SourcesView
from components.sql.sql_view import SqlView
from components.timeline.timeline_view import TimelineView
from components.workflows.workflows_view import WorkflowsView

PAGE_VIEWS = (
    AskView,
    ConnectView,
    ExploreView,
    IngestView,
    MemoryView,
    SearchView,
    SourcesView,
    SqlView,
    TimelineView,
    WorkflowsView,
)
