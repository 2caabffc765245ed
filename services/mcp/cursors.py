"""Cursors: where the next page of a result begins, for the very call that gave them."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.core import clock
from services.core.errors import AsofError, BadInput

_NOT_OURS = BadInput("cursor: this cursor belongs to another call.", "Pass the cursor to the call that returned it.")


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page begins, and when the first one was asked for: what was recorded later is on none of them."""

    first: int
    known_at: datetime


def write_cursor(page: Page, *bound_to: Any) -> str:
    """Return the cursor of a page for the call that it is bound to."""
    text = json.dumps([page.first, clock.spell(page.known_at), _digest(bound_to)], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(cursor: str, *bound_to: Any) -> Page:
    """Return the page of a cursor. Raises `BadInput` where it was given by another call, or by nobody."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        first, known_at, digest = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        if digest != _digest(bound_to) or not isinstance(first, int) or first < 0:
            raise _NOT_OURS
        return Page(first, clock.parse_instant(known_at))
    except (ValueError, TypeError, AttributeError, RecursionError, AsofError) as error:
        raise BadInput(_NOT_OURS.message, _NOT_OURS.hint) from error


def _digest(bound_to: tuple[Any, ...]) -> str:
    plain = [dict(one) if isinstance(one, Mapping) else one for one in bound_to]
    return hashlib.sha256(json.dumps(plain, sort_keys=True, default=str).encode()).hexdigest()[:16]
