"""Questions of the command line to the graph itself, and dates as people type them."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.queries.typed_dates import TypedDate, typed_date
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["TypedDate", "typed_date"]
