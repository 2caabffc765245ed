"""Whom the open pages were drawn for, so that nobody comes back to a page of somebody else's."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from services.accounts.account_records import Rights

_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Shown:
    """The token of the session that a page was drawn for, and what its user might see then."""

    token: str
    rights: Rights


class Pages:
    """The pages of this process by the ids that Streamlit gives them. Any thread may call any method.

    One that is not known, or no more, is nobody's: it has to begin anew.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shown: OrderedDict[str, Shown] = OrderedDict()

    def put(self, page: str, shown: Shown) -> None:
        """Remember whom all of a page was drawn for."""
        with self._lock:
            self._shown[page] = shown
            self._shown.move_to_end(page)
            if len(self._shown) > _MOST:
                self._shown.popitem(last=False)

    def get(self, page: str) -> Shown | None:
        """Whom a page was drawn for, at the last time that all of it was; None where nobody knows."""
        with self._lock:
            return self._shown.get(page)
