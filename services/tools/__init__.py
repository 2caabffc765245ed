"""The tools of the one registry, by toolset."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.tools.registry import TOOLS
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["TOOLS"]
