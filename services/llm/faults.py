"""What goes wrong with a model's endpoint, in words for the reader that hold nothing secret."""

import email.utils
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from services.core.errors import AsofError

if TYPE_CHECKING:
    import anthropic

_BUSY, _BROKEN, _ONCE = 6, 3, 1
"""How often a request is sent: to an endpoint that is busy, to one that broke down, and where it would not help."""
_LONGEST_QUOTE = 300
_TOO_LARGE = 413
INSTEAD = "Or choose “rule-based” to answer without a model."
"""The end of many hints, for whoever asks a question."""
_AGAIN = "The answer so far is saved. Ask again."
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""An error in mid-stream has status 200; its type says what it would have been before."""


class ModelFault(AsofError):
    """A request to a model that gave no whole answer.

    `tries` is how often the request is worth sending in all, `retry_after` the seconds that the endpoint wants to pass
    before the next. `unusable` says that no other request would fare better: nothing listens, or the endpoint refuses
    key, model or protocol.
    """

    def __init__(
        self,
        message: str,
        hint: str = "",
        tries: int = _ONCE,
        retry_after: float | None = None,
        *,
        unusable: bool = False,
    ) -> None:
        super().__init__(message, hint)
        self.tries = tries
        self.retry_after = retry_after
        self.unusable = unusable

    @property
    def is_of_endpoint(self) -> bool:
        """True where the endpoint is at fault, and not what it was asked or said."""
        return self.unusable or self.tries > _ONCE


def cut_off() -> ModelFault:
    """The stream ended, and the answer had not."""
    return ModelFault("The connection closed before the model's answer was complete.", _AGAIN, _BROKEN)


def fault(error: Exception, *, address: str, model: str, silence: float) -> ModelFault:
    """Any exception of the client, in words. `silence` are the seconds after which it stopped waiting for a word."""
    import anthropic  # takes more than a second, which an answer without a model should not wait for
    import httpx2

    cause = error.__cause__ if isinstance(error, anthropic.APIConnectionError) else error
    match error:
        case ModelFault():
            return error
        case anthropic.APIStatusError():
            return _by_status(error, model)
        case anthropic.APIConnectionError() | httpx2.HTTPError() | httpx2.InvalidURL():
            return _connection(cause, address, silence)
        case UnicodeError():
            return _unusable(address)
        case ValueError() | IndexError() | KeyError() | AttributeError() | RuntimeError():
            return ModelFault(
                f"The endpoint {address} sent an invalid response.",
                "Check that ANTHROPIC_BASE_URL is an endpoint of the Messages API. " + INSTEAD,
            )
        case anthropic.AnthropicError():
            return ModelFault(
                "The credentials for the model are not valid.", "Set ANTHROPIC_API_KEY. " + INSTEAD, unusable=True
            )
    return ModelFault(f"The request to the model failed with {type(error).__name__}.", _AGAIN)


def _connection(cause: BaseException | None, address: str, silence: float) -> ModelFault:
    import httpx2

    match cause:
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.ProxyError():
            return ModelFault(
                f"Asof cannot reach the model's endpoint at {address}.",
                "Check that the endpoint is running and that ANTHROPIC_BASE_URL is correct. " + INSTEAD,
                unusable=True,
            )
        case httpx2.TimeoutException():
            return ModelFault(f"The model sent nothing for {silence:g} seconds.", _AGAIN)
        case httpx2.UnsupportedProtocol() | httpx2.LocalProtocolError() | httpx2.InvalidURL():
            return _unusable(address)
    return cut_off()


def _unusable(address: str) -> ModelFault:
    return ModelFault(
        f"The model's address {address} or its key is not valid.",
        "Check ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY for spaces and other invalid characters. " + INSTEAD,
        unusable=True,
    )


def _by_status(error: "anthropic.APIStatusError", model: str) -> ModelFault:
    status = error.status_code if error.status_code >= 400 else _STATUS.get(error.type or "", 500)
    reason = (error.api_message or "").strip()[:_LONGEST_QUOTE].rstrip(".")
    because = f": {reason}." if reason else "."
    after = retry_after(error.response.headers)
    match status:
        case 401:
            return ModelFault(
                "The model's endpoint rejected the key.",
                "Set ANTHROPIC_API_KEY to a valid key and restart Asof.",
                unusable=True,
            )
        case 402:
            return ModelFault(
                "The model's endpoint requires payment" + because,
                "Check the billing of your account with the provider. " + INSTEAD,
                unusable=True,
            )
        case 403:
            return ModelFault(
                f"This key has no access to “{model}”.",
                "Choose another model, or set a key that has access.",
                unusable=True,
            )
        case 404:
            return ModelFault(
                f"The endpoint has no model “{model}”.",
                "Choose another model, or check ASOF_MODEL and ANTHROPIC_BASE_URL (without /v1 at its end).",
                unusable=True,
            )
        case 429:
            return ModelFault("The endpoint accepts no more requests for now.", "Ask again later.", _BUSY, after)
        case 529:
            return ModelFault("The model is overloaded.", "Ask again later.", _BUSY, after)
        case 408 | 409:
            return ModelFault("The model's endpoint could not process the request.", _AGAIN, _BROKEN, after)
        case _ if status >= 500:
            return ModelFault(f"The model's endpoint failed ({status})" + because, _AGAIN, _BROKEN, after)
    return ModelFault(
        f"The model's endpoint rejected the request ({status})" + because,
        "If the conversation is long, start a new one. If the endpoint does not support caching, effort or thinking, "
        "set ASOF_PLAIN_MODEL=true.",
        unusable=status != _TOO_LARGE,
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint wants to pass, from 0; None when it does not say."""
    for name, share in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(name, "")) * share)
        except ValueError:
            continue
    when = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return None if when is None else max(0.0, email.utils.mktime_tz(when) - time.time())
