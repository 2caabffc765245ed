"""From drafts to a proposal, from a proposal to a write."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.proposals import revising
    from services.proposals.by_hand import propose_fact, save_fact, title_of
    from services.proposals.ground import Ground, ground_for
    from services.proposals.propose import weighed
    from services.proposals.records import PRE_TICKED, SHOWN, Proposal, ProposedEnding, ProposedFact, Resolved
    from services.proposals.relations import as_known, known_relation, offered_relations, relations_of
    from services.proposals.resolving import SAME
    from services.proposals.rows import end_of, name_of, rows_of, start_of, written_facts
    from services.proposals.weighing import weigh
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "PRE_TICKED",
    "SAME",
    "SHOWN",
    "Ground",
    "Proposal",
    "ProposedEnding",
    "ProposedFact",
    "Resolved",
    "as_known",
    "end_of",
    "ground_for",
    "known_relation",
    "name_of",
    "offered_relations",
    "propose_fact",
    "relations_of",
    "revising",
    "rows_of",
    "save_fact",
    "start_of",
    "title_of",
    "weigh",
    "weighed",
    "written_facts",
]
