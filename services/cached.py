"""Answers kept between reruns; the only module of services that knows Streamlit.

What a mirror answered holds until its next version, so the version is part of each key: nothing here is ever stale.
Answers are shared by all sessions and frozen; nobody changes them.
"""

import functools
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Concatenate

import streamlit as st

from services.accounts.account_records import User
from services.agent.app import get_services
from services.core import data_folder
from services.core.background import Background
from services.core.errors import GraphUnavailable
from services.core.health_records import DatesRead
from services.core.job_records import Job
from services.core.models import Entity, Episode, Fact, NameCount, Workspace
from services.core.source_records import SourcePage, SourcesAsked, Unfinished
from services.jobs import found_by
from services.jobs import source_texts as job_texts
from services.mirror import source_queries as mirror_sources
from services.mirror.mirror import Mirror
from services.queries import refresh_entity as entity_query
from services.writing import workspaces as graph_workspaces

_TTL = timedelta(hours=1)
_ENTRIES = 512
_PATIENCE = 5.0
"""Seconds that the graph may take to say whether there is something."""


def ask[**P, R](query: Callable[Concatenate[Mirror, P], R], workspace: str, *args: P.args, **kwargs: P.kwargs) -> R:
    """Return what a query of the mirror answers for a workspace, as kept for the mirror's version of now.

    `query` is a method of `Mirror` or any function of a mirror; `args` and `kwargs` are what it takes besides.
    """
    found: R = _kept(query)(workspace, get_services().mirrors.of(workspace).version, *args, **kwargs)
    return found


@functools.cache
def _kept(query: Callable[..., Any]) -> Callable[..., Any]:
    def answer(workspace: str, version: int, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG001
        return query(get_services().mirrors.of(workspace), *args, **kwargs)

    answer.__qualname__ = f"{query.__module__}.{query.__qualname__}"  # Streamlit keeps caches apart by this name
    return st.cache_resource(ttl=_TTL, max_entries=_ENTRIES, show_spinner=False)(answer)


def entity(workspace: str, uuid: str | None) -> Entity | None:
    """Return the entity of that uuid, if there is one."""
    return next(iter(ask(Mirror.entities, workspace, (uuid,))), None) if uuid else None


def fact(workspace: str, uuid: str | None) -> Fact | None:
    """Return the fact of that uuid as it is recorded, if there is one."""
    return next(iter(ask(Mirror.facts, workspace, (uuid,))), None) if uuid else None


def episode(workspace: str, uuid: str | None) -> Episode | None:
    """Return the episode of that uuid, if there is one."""
    return next(iter(ask(Mirror.episodes, workspace, (uuid,))), None) if uuid else None


def section_names(workspace: str) -> tuple[NameCount, ...]:
    """Return the headings of documents with their sections counted, most first."""
    return ask(_section_names, workspace)


def sources(workspace: str, asked: SourcesAsked, unfinished: tuple[Unfinished, ...]) -> SourcePage:
    """Return a page of the sources that are asked for."""
    return ask(_sources, workspace, workspace, asked, unfinished)


def source_texts(workspace: str, key: str) -> job_texts.SourceTexts | None:
    """Return a source with its texts and facts."""
    return ask(_source_texts, workspace, workspace, key)


def dates_found(workspace: str, job: Job) -> tuple[DatesRead, ...]:
    """Return what a job that reads dates again found so far and is still so."""
    return ask(_dates_found, workspace, workspace, job.id, job.done)


def _dates_found(_mirror: Mirror, workspace: str, job_id: str, _done: int) -> tuple[DatesRead, ...]:
    return found_by(get_services().workspace(workspace), job_id)


def _section_names(mirror: Mirror) -> tuple[NameCount, ...]:
    counts = Counter(row.name for row in mirror.section_rows())
    return tuple(NameCount(name, count) for name, count in counts.most_common() if name)


def _sources(mirror: Mirror, workspace: str, asked: SourcesAsked, unfinished: tuple[Unfinished, ...]) -> SourcePage:
    return mirror_sources.sources(mirror, asked, ask(job_texts.earlier_texts, workspace, workspace), unfinished)


def _source_texts(mirror: Mirror, workspace: str, key: str) -> job_texts.SourceTexts | None:
    return job_texts.source_texts(mirror, key, ask(job_texts.earlier_texts, workspace, workspace))


@st.cache_resource(ttl=timedelta(seconds=10), max_entries=1, show_spinner=False)
def workspaces() -> tuple[Workspace, ...]:
    """Every workspace; a new one of others is seen within ten seconds."""
    return graph_workspaces.listed(get_services())


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
    return graph_workspaces.home(get_services())


@st.cache_resource(ttl=timedelta(seconds=5), max_entries=_ENTRIES, show_spinner=False)
def refresh_entity(workspace: str, entity_uuid: str) -> None:
    """See that the mirror has an entity's facts as the graph has them, at most every few seconds."""
    entity_query.refresh_entity(get_services().workspace(workspace), entity_uuid)


@st.cache_resource(ttl=timedelta(seconds=30), max_entries=_ENTRIES, show_spinner=False)
def has_records(workspace: str) -> bool:
    """Return whether the workspace holds records of an agent; no while the graph does not answer."""
    opened = get_services().workspace(workspace)
    try:
        return bool(opened.run(opened.graph.memory.counts(workspace), _PATIENCE))
    except GraphUnavailable:
        return False


def forget_workspaces() -> None:
    """Ask anew which workspaces there are, after one was made, renamed or deleted."""
    workspaces.clear()
    home.clear()


@st.cache_resource(ttl=timedelta(seconds=5), max_entries=1, show_spinner=False)
def save_problem() -> str:
    """Return why nothing can be saved, as it was seen seconds ago; nothing where it can."""
    return data_folder.save_problem(get_services().settings)


@st.cache_resource(ttl=None, max_entries=1, show_spinner=False)
def background() -> Background:
    """The work in the background of this process. It ends with it, not with an hour, so this has no time limit."""
    return Background()
