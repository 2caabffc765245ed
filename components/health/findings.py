"""Everything that Health shows of a workspace: what was found, without what was dismissed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from components import state
from components.address import View
from services import cached
from services.accounts import Dismissal
from services.context import OpenWorkspace
from services.core import clock
from services.core.contradictions import Overlap
from services.core.health_records import (
    FindingKind,
    FindingPage,
    FutureRecord,
    ManualChange,
    Residue,
    ResidueKind,
    RetiredTogether,
    Retirement,
    SameEntity,
    SameFact,
)
from services.core.models import Entity, Fact
from services.core.source_records import Unfinished, UnfinishedState
from services.jobs import count_unfinished, unfinished_items
from services.mirror import (
    future_records,
    orphans,
    residues,
    retired_together,
    review_list,
    same_facts,
    suspicious_retirements,
    undated_facts,
)
from services.retrieval import same_entities

SHOWN = 6
"""So many findings of a kind are shown at first."""

_RESIDUE_KINDS: tuple[ResidueKind, ...] = get_args(ResidueKind)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings, kind by kind; `retired` counts the facts in all groups of `together`."""

    suspicious: FindingPage[Retirement]
    together: FindingPage[RetiredTogether]
    retired: int
    contradictions: FindingPage[Overlap]
    same_entities: FindingPage[SameEntity]
    same_facts: FindingPage[SameFact]
    orphans: FindingPage[Entity]
    residues: Mapping[ResidueKind, FindingPage[Residue]]
    undated: FindingPage[Fact]
    failed: FindingPage[Unfinished]
    waiting: FindingPage[Unfinished]
    future: FindingPage[FutureRecord]
    dismissed: tuple[Dismissal, ...]

    @property
    def loose(self) -> int:
        """Return how many records refer to nothing, or have nothing that refers to them."""
        return self.orphans.total + sum(one.total for one in self.residues.values())

    @property
    def to_mend(self) -> int:
        """Return how many findings may want mending; retirements that look right are none."""
        found = (self.suspicious, self.contradictions, self.same_entities, self.same_facts, self.undated)
        return self.loose + sum(one.total for one in (*found, self.failed, self.waiting, self.future))


def limit_of(section: str) -> int:
    """Return how many findings of a section the reader wants to see."""
    return int(state.remembered(f"health_{section}", SHOWN))


def findings(workspace: OpenWorkspace) -> Findings:
    """All that is to be shown, as it is known now."""
    dismissed = dismissals(workspace)

    def without(kind: FindingKind) -> tuple[str, ...]:
        return keys_of(dismissed, kind)

    name, at = workspace.name, View().at
    found = cached.ask(review_list, name, at, limit_of("contradictions"), without("contradiction"))
    right = without("retirement")
    by_hand: tuple[ManualChange, ...] = workspace.ask_accounts(lambda kept: kept.change_sets.by_hand(name), ())
    together, retired = cached.ask(retired_together, name, limit_of("together"), right, by_hand)
    return Findings(
        cached.ask(suspicious_retirements, name, limit_of("suspicious"), right, by_hand),
        together,
        retired,
        FindingPage(found.contradictions, found.contradictions_total),
        cached.ask(same_entities, name, limit_of("same_entities"), without("same entity")),
        cached.ask(same_facts, name, limit_of("same_facts"), without("same fact")),
        cached.ask(orphans, name, limit_of("orphans"), without("orphan")),
        {kind: cached.ask(residues, name, kind, limit_of("residues"), without("residue")) for kind in _RESIDUE_KINDS},
        cached.ask(undated_facts, name, at, limit_of("undated"), without("undated")),
        _unfinished(workspace, "failed", limit_of("failed")),
        _unfinished(workspace, "in review", limit_of("waiting")),
        future_records(workspace.mirror, clock.now(), limit_of("future")),
        dismissed,
    )


def dismissals(workspace: OpenWorkspace) -> tuple[Dismissal, ...]:
    """Return what was seen as right; nothing where the accounts database is out of reach, so that all is shown."""
    return workspace.ask_accounts(lambda kept: kept.dismissals.of(workspace.name), ())


def keys_of(dismissed: Iterable[Dismissal], kind: FindingKind) -> tuple[str, ...]:
    """The findings of one kind that were dismissed, by their keys."""
    return tuple(sorted(one.key for one in dismissed if one.kind == kind))


def _unfinished(workspace: OpenWorkspace, which: UnfinishedState, limit: int) -> FindingPage[Unfinished]:
    """Return the items of jobs that failed or wait for review, and were not taken in since; newest jobs first."""
    found = unfinished_items(workspace, which)
    return FindingPage(found[:limit], count_unfinished(workspace, which))
