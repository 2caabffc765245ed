"""Signing in and out: forms of the sign-in page, which need no script in the browser."""

import asyncio
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from services.accounts.sign_in import COOKIE, LASTS, TooManyTries
from services.agent import app
from services.core.errors import AsofError, BadInput

LONGEST_FORM = 20_000
PROBLEM = "sign_in"
"""The parameter of an address that says why somebody stands before the sign-in page again."""

WRONG, TOO_MANY, UNAVAILABLE = "wrong", "wait", "unavailable"


async def login(request: Request) -> Response:
    """`POST /api/login`, a form with `username`, `password` and `next`: set the cookie, and go to `next`.

    Who is refused goes there too, where the page says why.
    """
    services = app.get_services()
    if refusal := _refusal(request):
        return refusal
    if services.settings.auth != "local":
        return JSONResponse({"error": "Password sign-in is off. It requires ASOF_AUTH=local."}, 404)
    form = await _form(request)
    back, address = _own_path(form.get("next", "")), request.client.host if request.client else ""
    begin = services.accounts.sign_in.begin
    try:
        token = await asyncio.to_thread(begin, form.get("username", ""), form.get("password", ""), address)
    except TooManyTries:
        return _back(back, TOO_MANY)
    except BadInput:
        return _back(back, WRONG)
    except AsofError:
        return _back(back, UNAVAILABLE)
    answer = _back(back)
    secure, seconds = request.url.scheme == "https", int(LASTS.total_seconds())
    answer.set_cookie(COOKIE, token, max_age=seconds, httponly=True, samesite="lax", secure=secure)
    return answer


async def logout(request: Request) -> Response:
    """`POST /api/logout`: end the session, forget the cookie, and go to the first page."""
    if refusal := _refusal(request):
        return refusal
    if token := request.cookies.get(COOKIE):
        try:
            await asyncio.to_thread(app.get_services().accounts.sign_in.end, token)
        except AsofError as error:
            return PlainTextResponse(f"You are still signed in. {error}", 503)
    answer = _back("/")
    answer.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return answer


routes = [Route("/api/login", login, methods=["POST"]), Route("/api/logout", logout, methods=["POST"])]


def _refusal(request: Request) -> Response | None:
    """Browsers name the origin of every form that they send; `guard.SameOrigin` has seen that it is ours."""
    if "origin" not in request.headers:
        return JSONResponse({"error": "Use Asof's sign-in page to sign in and out."}, 403)
    return None


async def _form(request: Request) -> dict[str, str]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_FORM:
            return {}
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20)
    except ValueError:
        return {}
    return {name: values[0] for name, values in fields.items()}


def _own_path(asked: str) -> str:
    """Where to go afterwards: a page of ours, never another site's."""
    asked = asked.partition("#")[0]  # what is said of a problem has to stand before it
    try:
        parts = urlsplit(asked)
    except ValueError:
        return "/"
    strange = parts.scheme or parts.netloc or "\\" in asked or not asked.isprintable()
    return "/" if strange or not asked.startswith("/") or asked.startswith("//") else asked


def _back(path: str, problem: str = "") -> Response:
    """303, so that the browser asks for the page anew, and sends no form again when it is reloaded."""
    if problem:
        path += ("&" if urlsplit(path).query else "?") + urlencode({PROBLEM: problem})
    return RedirectResponse(path, 303)
