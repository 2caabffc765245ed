"""Undo and redo in any order: what is offered works, what is not says why, and undoing all that is offered, in whatever
order, leaves a graph as it was, on every database."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.agent.app import App
from services.core.errors import BadInput
from services.core.models import Entity, Episode, GraphWrite
from services.writing import workspaces
from services.writing.corrections import (
    EntityChanges,
    changes_of_entity,
    changes_of_fact,
    delete,
    edit_entity,
    edit_fact,
    end_fact,
    merge_entities,
    preview_delete,
    reinstate_fact,
    withdraw_fact,
)
from services.writing.edits import Edit, Scope
from services.writing.undoing import preview_redo, preview_undo, redo, undo
from tests.conftest import FULL
from tests.contract.conftest import SLOW_NEO4J
from tests.contract.test_undo import FEW, NAMES, World, foreign, services_of

__all__ = ["services_of"]

STEPS = (
    *("import",) * 4,
    *("document", "entity", "source", "fact", "end", "move", "link"),
    *("say_ended", "withdraw", "correct", "reinstate", "rename", "unite", "remove"),
    *("merge", "delete"),
    *("undo",) * 6,
    *("redo",) * 5,
)
LENGTH = 30


class AnyOrder(World):
    """A workspace where any change that is offered is undone or redone."""

    def all(self, scan: str) -> list[Any]:
        """Records by what they say: uuids are others in each run."""
        return sorted(super().all(scan), key=lambda one: str(replace(one, uuid="")))

    def made(self, work: Callable[[], object]) -> None:
        """Do a correction; one that is refused as the graph stands is none."""
        try:
            work()
        except BadInput:
            return

    def do_entity(self, a: int, b: int, c: int) -> None:
        held = {one.uuid for one in self.entities()}
        if (uuid := f"made-{a}") not in held:
            self.apply(Edit(created=GraphWrite((Entity(uuid, NAMES[b % len(NAMES)]),))))

    def do_source(self, a: int, b: int, c: int) -> None:
        held, entities = {one.uuid for one in self.episodes()}, self.entities()
        if (uuid := f"source-{a}") not in held and entities:
            mentioned = (entities[b % len(entities)].uuid,)
            self.apply(Edit(created=GraphWrite(episodes=(Episode(uuid, "A note", "A text.", entity_uuids=mentioned),))))

    def do_move(self, a: int, b: int, c: int) -> None:
        self.do_fact(a, b, 3 * c)

    def do_say_ended(self, a: int, b: int, c: int) -> None:
        if facts := self.facts():
            fact, cause = facts[a % len(facts)], facts[b % len(facts)]
            at = (fact.valid_at or cause.valid_at or fact.created_at) + timedelta(days=1 + c)
            by, note = (cause.uuid, "") if c % 2 and cause != fact else (None, "It says so." if c % 3 else "")
            self.made(lambda: end_fact(self.opened, fact, at, by=by, note=note))

    def do_withdraw(self, a: int, b: int, c: int) -> None:
        if facts := self.facts():
            self.made(lambda: withdraw_fact(self.opened, facts[a % len(facts)], note="Wrong." if b % 2 else ""))

    def do_reinstate(self, a: int, b: int, c: int) -> None:
        if facts := [one for one in self.facts() if one.expired_at or one.withdrawn_at]:
            self.made(lambda: reinstate_fact(self.opened, facts[a % len(facts)], note="Right." if b % 2 else ""))

    def do_correct(self, a: int, b: int, c: int) -> None:
        if facts := self.facts():
            fact = facts[a % len(facts)]
            changes = changes_of_fact(fact, fact.created_at)
            name = NAMES[c % len(NAMES)] if c % 4 else f"New {c}"
            changes = replace(changes, **{("source", "target")[b % 2]: name})
            self.made(lambda: edit_fact(self.opened, fact, changes, note="Corrected." if c % 2 else ""))

    def do_rename(self, a: int, b: int, c: int) -> None:
        if entities := self.entities():
            entity = entities[a % len(entities)]
            old = changes_of_entity(entity)
            changes = EntityChanges(f"{NAMES[b % len(NAMES)]} {c % 3}", old.types, old.summary)
            self.made(lambda: edit_entity(self.opened, entity, changes))

    def do_unite(self, a: int, b: int, c: int) -> None:
        entities = self.entities()
        if len(entities) > 1:
            gone, kept = entities[a % len(entities)], entities[b % len(entities)]
            self.made(lambda: merge_entities(self.opened, gone, kept))

    def do_remove(self, a: int, b: int, c: int) -> None:
        kind = ("entities", "facts", "episodes")[c % 3]
        if held := [one.uuid for one in getattr(self, kind)()]:
            asked = Scope(**{kind: frozenset({held[a % len(held)]})})
            seen = preview_delete(self.opened, asked)
            self.made(lambda: delete(self.opened, asked, seen, reinstate=b % 2 == 0))

    # -- undo and redo

    @property
    def opened(self) -> Any:
        return self.services.workspace(self.workspace)

    def turn(self, undoes: bool, chance: random.Random) -> bool:
        """Undo or redo any change that is offered now; the others say why not. False where none is."""
        preview, act = (preview_undo, undo) if undoes else (preview_redo, redo)
        listed = [one for one in self.sets() if (one.can_undo if undoes else one.can_redo)]
        for record in chance.sample(listed, len(listed)):
            told = preview(self.opened, record.id)
            if told.works:
                assert act(self.opened, record.id) == told
                return True
            assert all(one.reason for one in told.left)
        return False

    def do_undo(self, a: int, b: int, c: int) -> None:
        self.turn(True, random.Random(12 * a + b))

    def do_redo(self, a: int, b: int, c: int) -> None:
        self.turn(False, random.Random(12 * a + b))


def live(services: App, steps: list[tuple[str, int, int, int]], seed: int, *, with_others: bool) -> None:
    world = AnyOrder(services, f"undo-{seed}")
    if with_others:
        foreign(world)
    before = world.dump()
    for step in steps:
        world.act(*step)
    chance = random.Random(seed)
    while world.turn(True, chance):
        pass
    assert [one.title for one in world.sets() if one.state != "undone"] == []
    assert world.dump() == before
    workspaces.delete(world.opened)


STEP = st.tuples(st.sampled_from(STEPS), *(st.integers(0, 11) for _ in range(3)))
LIFE = st.lists(STEP, min_size=LENGTH, max_size=LENGTH)
MANY = settings(FEW, max_examples=6 if FULL else 2)


@settings(FEW, max_examples=3)
@given(LIFE, st.integers(0, 2**32))
def test_undoing_all_that_is_offered_in_any_order_leaves_a_graph_in_memory_as_it_was(
    services_of: Any, steps: Any, seed: int
) -> None:
    live(services_of("memory"), steps, seed, with_others=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["embedded", SLOW_NEO4J])
@MANY
@given(steps=LIFE, seed=st.integers(0, 2**32), with_others=st.booleans())
def test_undoing_all_that_is_offered_in_any_order_leaves_every_database_as_it_was(
    services_of: Any, name: str, steps: Any, seed: int, with_others: bool
) -> None:
    live(services_of(name), steps, seed, with_others=with_others)
