"""The JSON of chat: sessions, messages and their sources, in the names of chat services."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class LoginBody(_Read):
    """A user's name and password."""

    username: str = Field(max_length=1000)
    password: str = Field(max_length=10_000)


class LoginAnswer(BaseModel):
    """The token to send with each request: `Authorization: Bearer …`."""

    access_token: str
    token_type: Literal["bearer"] = "bearer"
    expires_in: int = Field(description="Seconds.")


class NewSession(_Read):
    """A new session. Without `workspace` it is about your only workspace, else about the default one."""

    title: str = Field("", max_length=1000, description="Default: the first question.")
    workspace: str | None = None


class SessionTitle(_Read):
    """The new title."""

    title: str = Field(max_length=1000)


class MessageBody(_Read):
    """A question. `model` is one of `ASOF_MODEL`, or `none` for the rule-based analyst; default: the first model."""

    content: str | None = None
    model: str = ""
    as_of: str | None = Field(
        None, description="The date to answer for; a date in the question takes precedence. Default: now."
    )
    known_at: str | None = Field(None, description="Use only what the graph had recorded by this date. Default: now.")


class ChatSession(BaseModel):
    """A conversation."""

    id: str = Field(alias="_id")
    userId: str
    title: str
    createdAt: str
    updatedAt: str
    workspace: str
    isShared: bool


class MessageSource(BaseModel):
    """A passage that was found for a question."""

    file_name: str | None
    file_path: str | None
    directory_name: str | None
    text: str
    similarity: float | None
    hybrid_score: float | None
    metadata: dict[str, Any]


class ChatMessage(BaseModel):
    """A question or an answer; `state` says whether an answer is complete."""

    id: str = Field(alias="_id")
    sessionId: str
    userId: str
    role: Literal["user", "assistant"]
    content: str
    createdAt: str
    parentId: str | None
    sources: list[MessageSource] | None = None
    state: Literal["running", "done", "failed", "stopped"] | None = None


class ChatAnswer(BaseModel):
    """The answer to a message."""

    response: str
    sources: list[MessageSource]
    conversation_id: str


class ProblemAnswer(BaseModel):
    """What went wrong."""

    detail: str
