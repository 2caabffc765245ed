"""What means the same: chunks near each other, and sections of different documents that are on the same thing."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import numpy as np

from services.core.models import SectionType, SimilarChunks
from services.mirror.search_rows import SectionRow
from services.mirror.vectors import Vectors

SIMILAR_FROM = 0.75
"""The cosine from which on two chunks are linked."""
MOST_SIMILAR = 3
"""How many links a chunk gives."""
SAME_HEADING = 0.7
"""The cosine from which on two headings are taken for one, which may lead on to a third."""
MOST_VARIANTS = 10

_AT_ONCE = 1_000


def similar_chunks(ids: Sequence[str], vectors: Vectors, new: Sequence[int]) -> list[SimilarChunks]:
    """The likest of all chunks to each new one (given by position), where they are alike enough; each pair once."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(length > 0, length, 1)
    found: dict[tuple[str, str], float] = {}
    for start in range(0, len(new), _AT_ONCE):
        places = new[start : start + _AT_ONCE]
        for place, alike in zip(places, unit[list(places)] @ unit.T, strict=True):
            for other, cosine in _likest(alike, place):
                first, second = sorted((ids[place], ids[other]))
                found[first, second] = cosine
    return [SimilarChunks(first, second, cosine) for (first, second), cosine in sorted(found.items())]


def _likest(alike: Vectors, place: int) -> Iterator[tuple[int, float]]:
    most = min(MOST_SIMILAR + 1, len(alike))
    best = np.argpartition(-alike, most - 1)[:most]
    ordered = best[np.argsort(-alike[best], kind="stable")]
    near = [int(other) for other in ordered if other != place and alike[other] >= SIMILAR_FROM]
    return ((other, round(float(alike[other]), 6)) for other in near[:MOST_SIMILAR])


def section_types(
    sections: Sequence[SectionRow], vectors: Mapping[str, Vectors], held: Mapping[str, SectionType], now: datetime
) -> list[SectionType]:
    """The types that sections of two documents or more have in common, by clustering their headings.

    `vectors` are those of the headings by name; `held` the types there were, whose times go on. Clusters by density:
    Ester and others, "A density-based algorithm for discovering clusters" (KDD 1996).
    """
    from sklearn.cluster import DBSCAN  # it takes 100 MB, and is seldom needed

    by_name: dict[str, list[SectionRow]] = defaultdict(list)
    for section in sections:
        by_name[section.name].append(section)
    names = sorted(by_name)
    if not names:
        return []
    documents = [len({section.document_id for section in by_name[name]}) for name in names]
    clusters = DBSCAN(eps=1 - SAME_HEADING, min_samples=2, metric="cosine").fit_predict(
        np.stack([vectors[name] for name in names]), sample_weight=documents
    )
    members: dict[int, list[str]] = defaultdict(list)
    for name, cluster in zip(names, clusters.tolist(), strict=True):
        if cluster >= 0:
            members[cluster].append(name)
    types = [one for found in members.values() if (one := _type(found, by_name, vectors, held, now)) is not None]
    # headings that differ in signs only may give two of one id, of which the larger is kept
    kept = {one.id: one for one in sorted(types, key=lambda one: -one.member_count)[::-1]}
    return sorted(kept.values(), key=lambda one: one.id)


def _type(
    names: Sequence[str],
    by_name: Mapping[str, Sequence[SectionRow]],
    vectors: Mapping[str, Vectors],
    held: Mapping[str, SectionType],
    now: datetime,
) -> SectionType | None:
    """The type of headings that were found alike; None where they are of one document."""
    sections = [section for name in names for section in by_name[name]]
    if len({section.document_id for section in sections}) < 2:
        return None
    counts = Counter({name: len(by_name[name]) for name in names})
    canonical, _ = min(counts.items(), key=lambda pair: (-pair[1], len(pair[0]), pair[0]))
    normalized = "_".join("".join(c if c.isalnum() else " " for c in canonical.lower()).split())
    id = f"section_type:{normalized}"
    centroid = np.average([vectors[name] for name in names], axis=0, weights=[counts[name] for name in names])
    members = tuple(sorted(section.id for section in sections))
    variants = tuple(name for name, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_VARIANTS])
    before = held.get(id)
    same = before is not None and (before.section_ids, before.common_variants) == (members, variants)
    return SectionType(
        id,
        canonical,
        normalized,
        variants,
        members,
        tuple(round(float(x), 6) for x in centroid),
        before.created_at if before else now,
        before.updated_at if before and same else now,
    )
