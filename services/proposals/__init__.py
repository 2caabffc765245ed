"""From drafts to a proposal, from a proposal to a write."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.proposals import revising
    from services.proposals.by_hand import propose_fact, save_fact, title_of
    from services.proposals.graph_diff import diff, diff_against_graph
    from services.proposals.graph_snapshot import GraphSnapshot, snapshot_for
    from services.proposals.preselection import PRE_TICKED, SHOWN
    from services.proposals.proposal_records import Proposal, ProposedEnding, ProposedFact, Resolved
    from services.proposals.relations import as_known, known_relation, offered_relations, relations_of
    from services.proposals.resolving import SAME
    from services.proposals.rows import (
        end_of,
        end_precision_of,
        is_over_unknown,
        name_of,
        rows_of,
        start_of,
        start_precision_of,
        written_facts,
    )
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "PRE_TICKED",
    "SAME",
    "SHOWN",
    "GraphSnapshot",
    "Proposal",
    "ProposedEnding",
    "ProposedFact",
    "Resolved",
    "as_known",
    "diff",
    "diff_against_graph",
    "end_of",
    "end_precision_of",
    "is_over_unknown",
    "known_relation",
    "name_of",
    "offered_relations",
    "propose_fact",
    "relations_of",
    "revising",
    "rows_of",
    "save_fact",
    "snapshot_for",
    "start_of",
    "start_precision_of",
    "title_of",
    "written_facts",
]
