"""What REST answers where something goes wrong: a status, and `{"detail": …}`."""

from collections.abc import Mapping
from typing import NoReturn

from starlette.responses import JSONResponse, Response

from services.agent.turns import DayIsSpent, StillAnswering
from services.core.errors import (
    AccountsUnavailable,
    AsofError,
    BadInput,
    Cancelled,
    EmbedderUnavailable,
    ExtractorUnavailable,
    FetchRefused,
    GraphUnavailable,
    MirrorUnavailable,
    QueryRejected,
)
from services.llm.faults import ModelFault
from services.mcp.access import TooWide

_STATUSES: Mapping[type[AsofError], int] = {
    StillAnswering: 409,
    DayIsSpent: 429,
    TooWide: 403,
    BadInput: 400,
    QueryRejected: 400,
    FetchRefused: 400,
    AccountsUnavailable: 503,
    GraphUnavailable: 503,
    MirrorUnavailable: 503,
    EmbedderUnavailable: 503,
    ExtractorUnavailable: 503,
    ModelFault: 503,
    Cancelled: 503,
}
"""The status of each kind of error; the first that fits counts."""


class RestProblem(Exception):
    """A request that is refused, with the status that says so."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers

    def answer(self) -> Response:
        """Return the answer that says what is wrong."""
        return JSONResponse({"detail": self.detail}, self.status, self.headers)


def refuse(status: int, detail: str, **headers: str) -> NoReturn:
    """Raise a `RestProblem`; an underscore in the name of a header stands for a hyphen."""
    raise RestProblem(status, detail, {name.replace("_", "-"): value for name, value in headers.items()})


def problem_of(error: AsofError) -> RestProblem:
    """Return what an error of ours is for a client."""
    status = next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 500)
    return RestProblem(status, str(error))
