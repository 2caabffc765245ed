"""Compares a proposal with the graph as it is."""

from services.context import OpenWorkspace
from services.proposals.ground import ground_for
from services.proposals.records import Proposal
from services.proposals.weighing import weigh


def weighed(workspace: OpenWorkspace, proposal: Proposal) -> Proposal:
    """The proposal against the graph as it is by now; what the analyst decided stays decided. Nothing is written.

    Raises `GraphUnavailable`.
    """
    return weigh(proposal, ground_for(workspace, proposal))
