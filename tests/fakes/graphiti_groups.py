"""Communities and sagas as Graphiti itself writes them, by its own classes."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

# isort: split
from graphiti_core.driver.driver import GraphDriver
from graphiti_core.edges import CommunityEdge, HasEpisodeEdge, NextEpisodeEdge
from graphiti_core.nodes import CommunityNode, SagaNode

AT = datetime(2024, 1, 1, tzinfo=UTC)


async def save_community(driver: GraphDriver, group: str, uuid: str, name: str, members: Sequence[str]) -> None:
    """Save a community of these entities."""
    embedding = [0.1] * 384
    about = f"What {name} is about."
    node = CommunityNode(uuid=uuid, name=name, group_id=group, summary=about, created_at=AT, name_embedding=embedding)
    await node.save(driver)
    for member in members:
        edge = CommunityEdge(group_id=group, source_node_uuid=uuid, target_node_uuid=member, created_at=AT)
        await edge.save(driver)


async def save_saga(driver: GraphDriver, group: str, uuid: str, name: str, episodes: Sequence[str]) -> None:
    """Save a saga of these episodes, in this order."""
    node = SagaNode(uuid=uuid, name=name, group_id=group, created_at=AT, summary=f"How {name} went.")
    node.last_summarized_episode_valid_at = AT
    await node.save(driver)
    for episode in episodes:
        await HasEpisodeEdge(group_id=group, source_node_uuid=uuid, target_node_uuid=episode, created_at=AT).save(
            driver
        )
    for first, second in pairwise(episodes):
        await NextEpisodeEdge(group_id=group, source_node_uuid=first, target_node_uuid=second, created_at=AT).save(
            driver
        )
