"""Which drafts are kept for review, and which are ticked before anybody looks."""

from services.core.draft_records import SURE_DATE, Draft

SHOWN = 0.4
"""Below this a draft is not kept for review."""
PRE_TICKED = 0.95
"""From here on a draft is proposed to be written, where its dates are sure: of those 1 in 43 is a false triple."""


def is_sure(draft: Draft) -> bool:
    """True for a draft that is proposed to be written, and is written where nobody reviews."""
    dates = min(draft.valid_at_confidence, draft.invalid_at_confidence)
    is_dated = draft.unsure_valid_at is None and draft.unsure_invalid_at is None
    return draft.confidence >= PRE_TICKED and dates >= SURE_DATE and is_dated
