"""No property test is timed: the machine may be busy."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from services.mirror.mirror import Mirror

settings.register_profile("mirror", deadline=None, max_examples=60)
settings.load_profile("mirror")


@pytest.fixture(scope="module")
def mirror() -> Iterator[Mirror]:
    """A mirror in memory; each test puts in what it needs."""
    mirror = Mirror()
    yield mirror
    mirror.close()
