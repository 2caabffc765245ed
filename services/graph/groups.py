"""Graphiti's communities and sagas: the queries that read them, and the order of a saga's episodes."""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from services.core import clock
from services.core.group_records import Community, GroupMark, Saga
from services.graph import cypher
from services.graph.dialect import Dialect, Row
from services.graph.records import read_date, text

_EPISODES = "(g)-[:HAS_EPISODE]->(p:Episodic)"
MARK = "[held, made, lengths, sagas_held, sagas_made, sagas_lengths]"
"""What `marking` finds, as `mark` reads it."""


def marking(dialect: Dialect, workspace: str) -> str:
    """The part of a query that sums communities and sagas up."""
    return "".join(
        f" CALL {{ MATCH {cypher.every_node(dialect, workspace, 'g', label)} RETURN count(g) AS {prefix}held,"
        f" {cypher.date_as_text('max(g.created_at)')} AS {prefix}made,"
        f" sum(size(toStringOrNull(g.summary))) AS {prefix}lengths }}"
        for label, prefix in (("Community", ""), ("Saga", "sagas_"))
    )


def mark(row: Row) -> GroupMark:
    """The sum of what `marking` found."""
    held, made, lengths, sagas_held, sagas_made, sagas_lengths = row
    times = [time for time in map(read_date, (made, sagas_made)) if time is not None]
    return GroupMark(held + sagas_held, max(times, default=None), int(lengths + sagas_lengths))


async def communities(dialect: Dialect, workspace: str) -> tuple[Community, ...]:
    """Every community with its members, by uuid."""
    query = (
        f"MATCH {cypher.every_node(dialect, workspace, 'g', 'Community')}"
        f" OPTIONAL MATCH (g)-[:HAS_MEMBER]->(n:Entity) WITH g, collect({cypher.record_id('n')}) AS members"
        f" RETURN {cypher.record_id('g')}, g.name, g.summary, {cypher.date_as_text('g.created_at')}, members"
    )
    rows = await dialect.read(workspace, query)
    found = (
        Community(uuid, text(name), text(summary), read_date(created), tuple(sorted(set(members))))
        for uuid, name, summary, created, members in rows
    )
    return tuple(sorted(found, key=lambda community: community.uuid))


async def sagas(dialect: Dialect, workspace: str) -> tuple[Saga, ...]:
    """Every saga with its episodes in their order, by uuid."""
    every = f"MATCH {cypher.every_node(dialect, workspace, 'g', 'Saga')}"
    rows = await dialect.read(
        workspace,
        f"{every} OPTIONAL MATCH {_EPISODES}"
        f" WITH g, collect([{cypher.record_id('p')}, {cypher.date_as_text('p.valid_at')}]) AS episodes"
        f" RETURN {cypher.record_id('g')}, g.name, g.summary, {cypher.date_as_text('g.created_at')},"
        f" {cypher.date_as_text('g.last_summarized_episode_valid_at')}, episodes",
    )
    if not rows:
        return ()
    pairs = await dialect.read(
        workspace,
        f"{every} MATCH {_EPISODES}-[:NEXT_EPISODE]->(q:Episodic)"
        f" RETURN {cypher.record_id('g')}, {cypher.record_id('p')}, {cypher.record_id('q')}",
    )
    following: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for uuid, earlier, later in pairs:
        following[uuid].append((earlier, later))
    found = (_saga(row, following[row[0]]) for row in rows)
    return tuple(sorted(found, key=lambda saga: saga.uuid))


def _saga(row: Row, following: Iterable[tuple[str, str]]) -> Saga:
    uuid, name, summary, created, until, episodes = row
    dated = {episode: read_date(at) or clock.EARLIEST for episode, at in episodes if episode is not None}
    return Saga(uuid, text(name), text(summary), read_date(created), read_date(until), in_order(dated, following))


def in_order(dated: Mapping[str, datetime], following: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Episodes so that each comes after those that it follows, else by when they happened.

    Of a chain that goes round, the earliest comes first.
    """
    later: dict[str, list[str]] = defaultdict(list)
    before: dict[str, int] = defaultdict(int)
    for first, second in set(following):
        if first in dated and second in dated and first != second:
            later[first].append(second)
            before[second] += 1
    waiting = {uuid for uuid in dated if before[uuid]}
    free = [(dated[uuid], uuid) for uuid in dated if not before[uuid]]
    heapq.heapify(free)
    order: list[str] = []
    while free or waiting:
        _, uuid = heapq.heappop(free) if free else min((dated[uuid], uuid) for uuid in waiting)
        waiting.discard(uuid)
        order.append(uuid)
        for one in later[uuid]:
            before[one] -= 1
            if not before[one] and one in waiting:
                waiting.discard(one)
                heapq.heappush(free, (dated[one], one))
    return tuple(order)
