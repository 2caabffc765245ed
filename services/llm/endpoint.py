"""The endpoint that models are asked at: its address and key come from the environment (or `.env`) alone."""

import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Self

from services.core.config import Settings, listed, without_password
from services.llm.faults import INSTEAD, ModelFault, fault
from services.llm.patience import BLINK, Patience

if TYPE_CHECKING:
    pass

_CONNECT = 10.0
"""Seconds in which a connection must stand."""
_END = object()
_KEY = re.compile(r"sk-[\w-]{8,}")


def models(settings: Settings) -> tuple[str, ...]:
    """The configured models, the default first; none where no model is set."""
    return tuple(dict.fromkeys(listed(settings.model)))


@cache
def _certificates() -> ssl.SSLContext:
    """Whom to trust, as the client would read it for each answer anew, which takes longer than many an answer."""
    import httpx2

    return httpx2.create_ssl_context()


class Endpoint:
    """A client for one answer, whose connections are cut when it is left, whatever they wait for.

    `silence` are the seconds without a byte after which a request is given up. Raises `ModelFault` where address or
    key cannot be used.
    """

    def __init__(self, settings: Settings, silence: float) -> None:
        import anthropic  # takes more than a second, which an answer without a model should not wait for
        import httpx2

        self._silence = silence
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._left = False
        self._reader: threading.Thread | None = None
        http = anthropic.DefaultHttpxClient(
            event_hooks={"request": [lambda request: request.extensions.update(trace=self._traced)]},
            verify=_certificates(),
        )
        try:
            self._client = anthropic.Anthropic(
                api_key=settings.anthropic_api_key.get_secret_value() or None,
                base_url=settings.anthropic_base_url or None,
                max_retries=0,
                timeout=httpx2.Timeout(silence, connect=_CONNECT),
                http_client=http,
                open_telemetry=False,
            )
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not be told with the key in it
            http.close()
            raise fault(error, address="in ANTHROPIC_BASE_URL", model="", silence=silence) from None
        if not (self._client.api_key or self._client.auth_token or self._client.credentials):
            self._client.close()
            raise ModelFault(
                "No key is set for the model.",
                "Set ANTHROPIC_API_KEY and restart Asof. A local server may accept any key. " + INSTEAD,
                unusable=True,
            )

    @property
    def address(self) -> str:
        """Where it is, fit for showing."""
        return without_password(str(self._client.base_url)).rstrip("/")

    def redacted(self, text: str) -> str:
        """`text` without the key, should an endpoint have repeated it."""
        for secret in (self._client.api_key, self._client.auth_token):
            text = text.replace(secret, "…") if secret else text
        return _KEY.sub("…", text)

    def events(self, request: dict[str, Any], patience: Patience) -> Iterator[Any]:
        """The client's events of a streamed request, until the stream ends, whole or not.

        The request is read on a thread of its own, so that nothing it waits for holds up `patience`. Raises
        `ModelFault` for whatever goes wrong, and what `patience` raises.
        """
        patience.check()
        events: SimpleQueue[Any] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, args=(request, events), name="asof-model", daemon=True)
        self._reader.start()
        while True:
            patience.check()
            try:
                event = events.get(timeout=BLINK)
            except Empty:
                continue
            if event is _END:
                return
            if isinstance(event, Exception):
                problem = fault(event, address=self.address, model=str(request["model"]), silence=self._silence)
                raise ModelFault(  # the cause is left out: it can hold the headers, and with them the key
                    self.redacted(problem.message),
                    problem.hint,
                    problem.tries,
                    problem.retry_after,
                    unusable=problem.unusable,
                ) from None
            yield event

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._left = True
            for one in self._sockets:
                _cut(one)
        if self._reader is not None:
            self._reader.join(4 * BLINK)
            if self._reader.is_alive():
                return  # it still looks for the address; it ends, and lets go of everything, once it has it
        self._client.close()

    def _read(self, request: dict[str, Any], events: "SimpleQueue[Any]") -> None:
        try:
            with self._client.messages.stream(**request) as stream:
                for event in stream:
                    events.put(event)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits has to hear of it
            events.put(error)
        else:
            events.put(_END)

    def _traced(self, _: str, info: dict[str, Any]) -> None:
        """Keep each socket, as soon as it is connected and again once it is encrypted."""
        stream = info.get("return_value")
        if stream is not None and hasattr(stream, "get_extra_info"):
            with self._lock:
                self._sockets.append(stream.get_extra_info("socket"))
                if self._left:
                    _cut(self._sockets[-1])


def _cut(one: socket.socket) -> None:
    """Wakes up whoever reads from it, which closing it would not."""
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
