"""The check of an answer, sentence by sentence, against what its tools returned."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.verification.later_changes import changed_since
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["changed_since"]
