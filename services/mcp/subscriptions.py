"""Subscriptions: a client that listens is told when there is something else at an address of ours."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import SUBSCRIPTION_ID_META_KEY

from services.core.errors import AsofError, BadInput
from services.mcp.resources import ResourceState

MOST_ADDRESSES, MOST_LISTENERS = 20, 64
PAUSE = 2.0
"""Seconds from one look to the next."""

States = Mapping[str, ResourceState]

Look = Callable[[Any, Sequence[str], States], Awaitable[States | None]]
"""Given the request of the transport, addresses and how they stood before, says how they stand now; None once the
request would be refused."""


class Subscriptions:
    """Answers `subscriptions/listen` of the revision 2026-07-28 until the client goes, or may not ask any more.

    Whoever listens holds no thread meanwhile.
    """

    def __init__(self, look: Look) -> None:
        self._look, self._listeners = look, 0

    async def __call__(
        self, context: ServerRequestContext[Any], parameters: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Acknowledge, then tell of each address that changes."""
        if self._listeners >= MOST_LISTENERS:
            raise MCPError(
                types.INTERNAL_ERROR, f"{MOST_LISTENERS} clients are listening, the maximum. Call get_changes instead."
            )
        meta = {SUBSCRIPTION_ID_META_KEY: context.request_id}
        self._listeners += 1
        try:
            await self._listen(context, tuple(parameters.notifications.resource_subscriptions or ()), meta)
        except AsofError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        finally:
            self._listeners -= 1
        return types.SubscriptionsListenResult(_meta=meta)

    async def _listen(self, context: ServerRequestContext[Any], addresses: Sequence[str], meta: dict[str, Any]) -> None:
        if len(addresses) > MOST_ADDRESSES:
            raise BadInput(f"resourceSubscriptions: the limit is {MOST_ADDRESSES} addresses.")

        async def say(notification: types.ServerNotification) -> None:
            await context.session.send_notification(notification, related_request_id=context.request_id)

        known = await self._look(context.request, addresses, {})
        honored = types.SubscriptionFilter(resource_subscriptions=list(addresses) or None)
        acknowledged = types.SubscriptionsAcknowledgedNotificationParams(notifications=honored, _meta=meta)
        await say(types.SubscriptionsAcknowledgedNotification(params=acknowledged))
        while known is not None:
            await asyncio.sleep(PAUSE)
            before, known = known, await self._look(context.request, addresses, known)
            for address in _changed(before, known or before):
                updated = types.ResourceUpdatedNotificationParams(uri=address, _meta=meta)
                await say(types.ResourceUpdatedNotification(params=updated))


def _changed(before: States, now: States) -> list[str]:
    return [address for address, state in now.items() if state.digest != before[address].digest]
