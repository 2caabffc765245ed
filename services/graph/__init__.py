"""The graph store: Graphiti's schema on Neo4j, FalkorDB, or the embedded FalkorDB."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.graph.connect import test_connection
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["test_connection"]
