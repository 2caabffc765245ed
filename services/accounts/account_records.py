"""What the accounts database keeps of users and of what they asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

Role = Literal["user", "assistant"]
MessageState = Literal["running", "done", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class User:
    """Who asks. `name` is what one signs in with: `local` without sign-in, an e-mail from a provider.

    An administrator sees every workspace; anybody else those that were granted to him.
    """

    id: str
    name: str
    created_at: datetime
    display_name: str = ""
    is_admin: bool = False
    disabled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Rights:
    """A user with the workspaces that were granted to him."""

    user: User
    workspaces: frozenset[str] = frozenset()

    def covers(self, before: "Rights") -> bool:
        """True where nothing was taken back since `before`, of the same user."""
        if self.user.id != before.user.id:
            return False
        return self.user.is_admin or (not before.user.is_admin and before.workspaces <= self.workspaces)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A thread of questions of one user on one workspace. Others of the workspace may read it once it is shared."""

    id: str
    user_id: str
    workspace: str
    title: str
    created_at: datetime
    updated_at: datetime
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """What was asked or answered. `parent_id` is the message before it: an edited question is a second branch.

    Of an assistant's message `answer` is the answer as a document (`core/answer_documents.py`), `blocks` the raw
    messages that went to and came from the model after the question, thinking and its signatures included, and
    `sources` what was retrieved. `problem` and `hint` say why it failed; `content` is then what came before. `as_of`
    and `known_at` are the time bar's when it was asked. `thumb` is 1, -1 or 0, with a `note`.
    """

    id: str
    conversation_id: str
    role: Role
    content: str
    created_at: datetime
    parent_id: str | None = None
    state: MessageState = "done"
    answer: Mapping[str, Any] | None = None
    blocks: tuple[Mapping[str, Any], ...] = ()
    sources: tuple[Mapping[str, Any], ...] = ()
    model: str = ""
    effort: str = ""
    problem: str = ""
    hint: str = ""
    as_of: datetime | None = None
    known_at: datetime | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    ms: float = 0.0
    thumb: int = 0
    note: str = ""
