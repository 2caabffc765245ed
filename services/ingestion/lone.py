"""The two commonest cases of `History` without one: most rows of most files are a fact's only statement.

Property tests hold both functions to `History`.
"""

from services.ingestion.statements import LOG, Statement, created, is_part
from services.models import Fact


def opens_alone(said: Statement) -> bool:
    """True when the record that `said` opens needs no log beside it, so that `opened` can make it."""
    return said.explicit or said.believed is None


def opened(uuid: str, ends: tuple[str, str], names: tuple[str, str, str], text: str, said: Statement,
           valid_at: datetime | None) -> Fact:  # fmt: skip
    ...
