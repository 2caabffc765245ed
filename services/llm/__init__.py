"""The loop over an endpoint that speaks the Messages API."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.llm.endpoint import models
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["models"]
