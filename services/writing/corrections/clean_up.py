"""Cleans up what Health finds: references to nothing, and the same said twice. Each is a change that can be undone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from services.context import OpenWorkspace
from services.core.change_records import Origin
from services.core.errors import BadInput
from services.core.health_records import RESIDUES, Residue, ResidueKind, SameFact
from services.core.models import Fact, GraphWrite
from services.mirror.dependents import facts_from
from services.writing.corrections import deletion
from services.writing.corrections.apply import change, deleted, stored_fact
from services.writing.corrections.correction_records import Correction
from services.writing.corrections.fact_corrections import Moment, shown, taken_back, title_of
from services.writing.edits import Edit, Line, Scope


def mend_residues(
    workspace: OpenWorkspace, found: Sequence[Residue], *, reinstate: bool = True, user_id: str | None = None
) -> str:
    """Mend records of one kind as `RESIDUES` says; returns the change-set's id.

    What is no longer so is left out; raises `BadInput` where nothing is left to do. With `reinstate` the facts that
    only what is deleted had ended are recorded anew.
    """
    kind, keys = found[0].kind, [residue.key for residue in found]
    if not RESIDUES[kind][1]:
        raise BadInput("Asof cannot clean up this record.", "Ingest the document again.")

    def make(moment: Moment) -> Correction:
        workspace.sync()
        if kind in ("episode", "document"):
            asked = Scope(episodes=frozenset(keys)) if kind == "episode" else Scope(documents=frozenset(keys))
            going = deletion.going(workspace.mirror, asked, moment)
            made = deleted(workspace.services, going, moment, reinstate=reinstate)
            edit, lines = made.edit, made.lines
        else:
            edit, lines = _mended(workspace, kind, keys, moment)
        if edit == Edit():
            raise BadInput("There is nothing left to do.", "Someone has already cleaned up these records.")
        more = f" and {len(found) - 1:,} more" if len(found) > 1 else ""
        return Correction(f"{found[0].name}{more}: cleaned up", edit, lines)

    return change(workspace, Origin("clean-up", user_id=user_id), make)


def unite(workspace: OpenWorkspace, same: SameFact, *, user_id: str | None = None) -> str:
    """Keep the oldest of facts that say the same, with the sources of all; the others are withdrawn."""

    def make(moment: Moment) -> Correction:
        kept, *others = (stored_fact(workspace, fact) for fact in same.facts)
        return united(kept, others, moment)

    return change(workspace, Origin("clean-up", user_id=user_id), make)


def united(kept: Fact, others: Sequence[Fact], moment: Moment) -> Correction:
    """One fact in the place of several: it gets the sources of the others, which are withdrawn now."""
    episodes = tuple(dict.fromkeys(uuid for fact in (kept, *others) for uuid in fact.episodes))
    gone = [taken_back(fact, moment) for fact in others]
    whole = () if episodes == kept.episodes else (replace(kept, episodes=episodes),)
    facts = (*whole, *(fact for correction in gone for fact in correction.edit.replaced.facts))
    sources = tuple(
        Line("source", f"{title_of(fact)}: keeps the sources of every copy", shown(kept), shown(fact)) for fact in whole
    )
    lines = (*sources, *(line for correction in gone for line in correction.lines))
    return Correction(
        f"{title_of(kept)}: kept once instead of {1 + len(others):,} times",
        Edit(replaced=GraphWrite(facts=facts)),
        lines,
    )


def _mended(
    workspace: OpenWorkspace, kind: ResidueKind, keys: Sequence[str], moment: Moment
) -> tuple[Edit, tuple[Line, ...]]:
    if kind == "mention":
        return _mentioned(workspace, keys)
    facts = workspace.run(workspace.graph.facts(workspace.name, keys))
    if kind == "backwards":
        spans = ((fact, fact.valid_at, fact.invalid_at or fact.expired_at) for fact in facts if not fact.withdrawn_at)
        made = [taken_back(fact, moment) for fact, start, stop in spans if start and stop and stop <= start]
        replaced = tuple(fact for one in made for fact in one.edit.replaced.facts)
        return Edit(replaced=GraphWrite(facts=replaced)), tuple(line for one in made for line in one.lines)
    after = _without_strangers(facts, _known(workspace, facts), kind)
    lines = tuple(Line("other", f"{title_of(old)}: {RESIDUES[kind][0]}", shown(old), shown(new)) for old, new in after)
    return Edit(replaced=GraphWrite(facts=tuple(new for _, new in after))), lines


def _without_strangers(facts: Iterable[Fact], known: frozenset[str], kind: ResidueKind) -> list[tuple[Fact, Fact]]:
    """The facts that name what is not known, each without those names."""
    after = []
    for fact in facts:
        new = fact
        if kind == "source":
            new = replace(fact, episodes=tuple(uuid for uuid in fact.episodes if uuid in known))
        elif fact.ended_by not in known:
            new = replace(fact, ended_by=None)
        if new != fact:
            after.append((fact, new))
    return after


def _known(workspace: OpenWorkspace, facts: Iterable[Fact]) -> frozenset[str]:
    """Which of the records that these facts name there are."""
    asked = sorted({uuid for fact in facts for uuid in (*fact.episodes, fact.ended_by) if uuid})
    episodes = workspace.run(workspace.graph.episodes(workspace.name, asked))
    others = workspace.run(workspace.graph.facts(workspace.name, asked))
    return frozenset(episode.uuid for episode in episodes) | frozenset(fact.uuid for fact in others)


def _mentioned(workspace: OpenWorkspace, keys: Sequence[str]) -> tuple[Edit, tuple[Line, ...]]:
    """The episodes with mentions of both ends of each of their facts."""
    ends: Mapping[str, set[str]] = {key: set() for key in keys}
    for fact in facts_from(workspace.mirror, keys):
        for key in ends.keys() & set(fact.episodes):
            ends[key].update((fact.source_uuid, fact.target_uuid))
    episodes = workspace.run(workspace.graph.episodes(workspace.name, keys))
    whole = []
    for episode in episodes:
        if ends[episode.uuid] - set(episode.entity_uuids):
            mentions = sorted({*episode.entity_uuids, *ends[episode.uuid]})
            whole.append(replace(episode, entity_uuids=tuple(mentions)))
    lines = tuple(Line("other", f"{episode.name}: mentions both entities of its facts") for episode in whole)
    return Edit(replaced=GraphWrite(episodes=tuple(whole))), lines
