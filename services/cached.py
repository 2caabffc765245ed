"""Answers kept between reruns; the only module of services that knows Streamlit.

What a mirror answered holds until its next version, so the version is part of each key: nothing here is ever stale.
Each function takes the workspace's name, then what the mirror's method of that name takes. Answers are shared by all
sessions and frozen; nobody changes them.
"""

import functools
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Concatenate

import streamlit as st

from services.accounts.records import User
from services.agent.app import get_services
from services.core.background import Background
from services.core.models import NameCount, Workspace
from services.core.sources import SourcePage, SourcesAsked, Unfinished
from services.jobs import sources as fed
from services.mirror import attention as attentive
from services.mirror import health, retirements
from services.mirror import sources as listed
from services.mirror.mirror import Mirror
from services.queries import refresh_entity as closeup
from services.retrieval import duplicates
from services.writing import workspaces as partitions

_TTL = timedelta(hours=1)
_ENTRIES = 512


def _until_next_version[**P, R](ask: Callable[Concatenate[Mirror, P], R]) -> Callable[Concatenate[str, P], R]:
    """A question to a mirror as a question to a workspace by name, whose answers are kept."""

    def answer(workspace: str, version: int, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG001
        return ask(get_services().mirrors.of(workspace), *args, **kwargs)

    answer.__qualname__ = f"{ask.__module__}.{ask.__qualname__}"  # Streamlit keeps caches apart by this name
    kept = st.cache_resource(ttl=_TTL, max_entries=_ENTRIES, show_spinner=False)(answer)

    @functools.wraps(ask)
    def asked(workspace: str, *args: P.args, **kwargs: P.kwargs) -> R:
        found: R = kept(workspace, get_services().mirrors.of(workspace).version, *args, **kwargs)
        return found

    return asked  # type: ignore[return-value]  # the mirror's own first parameter became the workspace


totals = _until_next_version(Mirror.totals)
totals_over_time = _until_next_version(Mirror.totals_over_time)
bounds = _until_next_version(Mirror.bounds)
true_over_time = _until_next_version(Mirror.true_over_time)
begun_and_ended = _until_next_version(Mirror.begun_and_ended)
facts_true = _until_next_version(Mirror.facts_true)
history = _until_next_version(Mirror.history)
diff = _until_next_version(Mirror.diff)
latest_changes = _until_next_version(Mirror.latest_changes)
busiest = _until_next_version(Mirror.busiest)
find_entities = _until_next_version(Mirror.find_entities)
entities_named = _until_next_version(Mirror.entities_named)
entities = _until_next_version(Mirror.entities)
episodes = _until_next_version(Mirror.episodes)
episode_names = _until_next_version(Mirror.episode_names)
facts = _until_next_version(Mirror.facts)
types = _until_next_version(Mirror.types)
relations = _until_next_version(Mirror.relations)
overview = _until_next_version(Mirror.overview)
neighbourhood = _until_next_version(Mirror.neighbourhood)
between = _until_next_version(Mirror.between)
first_begun = _until_next_version(Mirror.first_begun)
shortest_path = _until_next_version(Mirror.shortest_path)

documents = _until_next_version(Mirror.documents)
document = _until_next_version(Mirror.document)
section_types = _until_next_version(Mirror.section_types)


def _section_names(mirror: Mirror) -> tuple[NameCount, ...]:
    """The headings of documents with their sections counted, most first."""
    counts = Counter(row.name for row in mirror.section_rows())
    return tuple(NameCount(name, count) for name, count in counts.most_common() if name)


section_names = _until_next_version(_section_names)

attention = _until_next_version(attentive.attention)
one_valued_relations = _until_next_version(attentive.one_valued_relations)
suspicious_retirements = _until_next_version(retirements.suspicious)
retired_together = _until_next_version(retirements.together)
same_entities = _until_next_version(duplicates.same_entities)
same_facts = _until_next_version(health.same_facts)
orphans = _until_next_version(health.orphans)
residues = _until_next_version(health.residues)
undated_facts = _until_next_version(health.undated)

has_sources = _until_next_version(listed.has_sources)
_earlier_texts = _until_next_version(fed.earlier_texts)


def _sources(mirror: Mirror, workspace: str, asked: SourcesAsked, unfinished: tuple[Unfinished, ...]) -> SourcePage:
    """The sources that are asked for; the workspace is named once more, for it is part of what names a text."""
    return listed.sources(mirror, asked, _earlier_texts(workspace, workspace), unfinished)


def _source_texts(mirror: Mirror, workspace: str, key: str) -> fed.SourceTexts | None:
    """A source with its texts and facts."""
    return fed.source_texts(mirror, key, _earlier_texts(workspace, workspace))


sources = _until_next_version(_sources)
source_texts = _until_next_version(_source_texts)

change_before = _until_next_version(attentive.change_before)
change_after = _until_next_version(attentive.change_after)
changes_between = _until_next_version(attentive.changes_between)


@st.cache_resource(ttl=timedelta(seconds=10), max_entries=1, show_spinner=False)
def workspaces() -> tuple[Workspace, ...]:
    """Every workspace; a new one of others is seen within ten seconds."""
    return partitions.listed(get_services())


def workspaces_of(user: User) -> tuple[Workspace, ...]:
    """The workspaces that a user sees: an administrator all of them, anybody else those that were granted to him.

    What was granted is asked anew each time, so that what was taken back is gone at once.
    """
    if user.is_admin:
        return workspaces()
    granted = get_services().accounts.users.granted(user.id)
    return tuple(workspace for workspace in workspaces() if workspace.name in granted)


@st.cache_resource(ttl=timedelta(seconds=10), max_entries=1, show_spinner=False)
def home() -> str:
    """The name of the workspace to open when nobody named one."""
    return partitions.home(get_services())


@st.cache_resource(ttl=timedelta(seconds=5), max_entries=_ENTRIES, show_spinner=False)
def look_closely(workspace: str, entity_uuid: str) -> None:
    """See that the mirror has an entity's facts as the graph has them, at most every few seconds."""
    closeup.look_closely(get_services(), workspace, entity_uuid)


def forget_workspaces() -> None:
    """Ask anew which workspaces there are, after one was made, renamed or deleted."""
    workspaces.clear()
    home.clear()


@st.cache_resource(ttl=None, max_entries=1, show_spinner=False)
def background() -> Background:
    """The work in the background of this process. It ends with it, not with an hour, so this has no time limit."""
    return Background()
