"""Values that nearly everything in a picture hangs on, shown as letters on what hangs on them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.core.models import CommonValue, Entity, Fact
from services.mirror import folded_relations


@dataclass(frozen=True, slots=True)
class Fold:
    """A relation whose values are folded: their letters by uuid, those with the most hanging on them first."""

    relation: str
    letters: Mapping[str, str]


def folds_of(
    values: Iterable[CommonValue], entities: Sequence[Entity], facts: Iterable[Fact], kept: Collection[str | None]
) -> tuple[Fold, ...]:
    """Return what to fold in a picture of these entities and facts; those in `kept` stay as they are."""
    names = {entity.uuid: entity.name for entity in entities}
    values = [value for value in values if value.uuid in names]
    hanging = Counter(fact.target_uuid for fact in {(f.source_uuid, f.target_uuid): f for f in facts}.values())
    folds: dict[str, list[str]] = {name: [] for name in folded_relations(values, hanging, len(entities))}
    for value in sorted(values, key=lambda value: -hanging[value.uuid]):
        if value.relation in folds and value.uuid not in kept:
            folds[value.relation].append(value.uuid)
    return tuple(
        Fold(relation, dict(zip(uuids, letters([names[uuid] for uuid in uuids]), strict=True)))
        for relation, uuids in folds.items()
        if uuids
    )


def folded_uuids(folds: Iterable[Fold]) -> frozenset[str]:
    """Return all the values that are folded."""
    return frozenset(uuid for fold in folds for uuid in fold.letters)


def letters(names: Iterable[str]) -> list[str]:
    """Return the first letters of each name that no name before it has: `F`, `D`, `De` for Final, Draft, Deferred."""
    found: list[str] = []
    for name in names:
        word = name.strip() or "?"
        short = (word[: size + 1].strip().capitalize() for size in range(3))
        found.append(next((one for one in short if one not in found), f"{word[0].upper()}{len(found) + 1}"))
    return found
