"""Reading web pages politely: fetching, crawling, robots.txt and sitemaps."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.web.crawl_limits import DEEPEST, MOST_PAGES, Mode, left_out, left_out_in_words
else:
    __getattr__ = offers(__name__, __file__)

__all__ = ["DEEPEST", "MOST_PAGES", "Mode", "left_out", "left_out_in_words"]
