"""English: names, dates, words. Imports nothing optional."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.language.calendar import add
    from services.language.inflection import plural
    from services.language.names import same_name
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["add", "plural", "same_name"]
