"""What the tests of the mirror share."""

from collections.abc import Iterator

import pytest

from services.mirror.mirror import Mirror


@pytest.fixture(scope="module")
def mirror() -> Iterator[Mirror]:
    """A mirror in memory; each test puts in what it needs."""
    mirror = Mirror()
    yield mirror
    mirror.close()
