"""The routes of REST and of signing in, and the guard in front of them."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.api.guard import is_loopback
    from services.api.session import PROBLEM, TOO_MANY, UNAVAILABLE, WRONG
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["PROBLEM", "TOO_MANY", "UNAVAILABLE", "WRONG", "is_loopback"]
