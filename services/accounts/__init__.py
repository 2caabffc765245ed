"""Users, sign-in, conversations, cases, and the records of jobs and change-sets, in SQLite or PostgreSQL."""

from typing import TYPE_CHECKING

from services.core.lazy import offers

if TYPE_CHECKING:
    from services.accounts.account_records import Conversation, Message, User
    from services.accounts.cases import Case, CaseRun
    from services.accounts.client_proposals import ProposedCall
    from services.accounts.client_tokens import ClientToken
    from services.accounts.dismissals import Dismissal
    from services.accounts.page_owners import Shown
    from services.accounts.pending_calls import PendingCall
    from services.accounts.saved_queries import SavedQuery
    from services.accounts.sign_in import allowed_emails, token_of
    from services.accounts.store import Accounts
    from services.accounts.traces import CallFilter, DailyUsage, TracedCall
    from services.accounts.user_marks import Mark
    from services.accounts.users import LOCAL
else:
    __getattr__ = offers(__name__, __file__)

__all__ = [
    "LOCAL",
    "Accounts",
    "CallFilter",
    "Case",
    "CaseRun",
    "ClientToken",
    "Conversation",
    "DailyUsage",
    "Dismissal",
    "Mark",
    "Message",
    "PendingCall",
    "ProposedCall",
    "SavedQuery",
    "Shown",
    "TracedCall",
    "User",
    "allowed_emails",
    "token_of",
]
