"""The Model Context Protocol: the tools for other people's agents, pinned to two clocks."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.mcp.proposals import allow_proposal, refuse_proposal
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["allow_proposal", "refuse_proposal"]
