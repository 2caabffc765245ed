"""Makes a proposal of what an extractor gave, against the graph as it is."""

from services.context import Services
from services.core.draft_records import Extraction, Schema, SourceText
from services.proposals.ground import ground_for
from services.proposals.records import Proposal
from services.proposals.weighing import unweighed, weigh


def propose(
    services: Services,
    workspace: str,
    source: SourceText,
    extraction: Extraction,
    schema: Schema | None,
    extractor: str,
    *,
    episode_uuid: str = "",
) -> Proposal:
    """What the drafts of one text would change. Nothing is written.

    `episode_uuid` is the episode of the document's version, where that is known. Raises `GraphUnavailable`.
    """
    return weighed(services, workspace, unweighed(source, extraction, schema, extractor, episode_uuid=episode_uuid))


def weighed(services: Services, workspace: str, proposal: Proposal) -> Proposal:
    """The proposal against the graph as it is by now; what the analyst decided stays decided."""
    return weigh(proposal, ground_for(services, workspace, proposal))
