"""What may be looked for."""

import pytest

from services.core.errors import BadInput
from services.retrieval.query import LONGEST_TEXT, MOST_HITS, Query


@pytest.mark.parametrize(
    "query",
    [Query("x" * (LONGEST_TEXT + 1)), Query("x", k=0), Query("x", k=MOST_HITS + 1), Query("x", hops=3)],
    ids=["long", "no hits", "many hits", "hops"],
)
def test_a_query_beyond_its_limits_is_refused(query: Query) -> None:
    with pytest.raises(BadInput):
        query.check()


def test_a_query_of_the_longest_text_is_taken() -> None:
    Query("x" * LONGEST_TEXT, k=MOST_HITS).check()
