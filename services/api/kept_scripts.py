"""What a browser may keep of the scripts of our components: a second visit to a page does not load them again."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ADDRESS = "/_stcore/bidi-components/asof."
"""How the address of each begins, behind Streamlit's `server.baseUrlPath` where there is one; its name has a version
or a digest of the scripts (`components/served_assets.py`)."""
_FOR_A_YEAR = "public, max-age=31536000, immutable"


class KeptScripts:
    """Lets browsers keep the scripts of our components; Streamlit says neither for how long nor which version it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; where a script is found, say that it stays as it is."""
        if scope["type"] != "http" or _ADDRESS not in scope["path"]:
            await self._app(scope, receive, send)
            return

        async def send_lasting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                headers = MutableHeaders(scope=message)
                if "javascript" in headers.get("Content-Type", ""):  # below an unknown path Streamlit answers its page
                    headers["Cache-Control"] = _FOR_A_YEAR
            await send(message)

        await self._app(scope, receive, send_lasting)
