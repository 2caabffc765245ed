"""Who looks at the pages: the question before each of them, the page that asks to sign in, and the way out."""

from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components import markup, state
from services.accounts import LOCAL, Shown, User, allowed_emails, token_of
from services.agent import App, get_services
from services.api import PROBLEM, TOO_MANY, UNAVAILABLE, WRONG
from services.core import clock
from services.core.errors import AccountsUnavailable, AsofError, BadInput

_PROBLEMS = {
    WRONG: "Wrong name or password. Try again, or ask an administrator for a new password.",
    TOO_MANY: "Too many attempts. Wait five minutes, then try again.",
    UNAVAILABLE: "Asof cannot reach the accounts database. Try again in a moment.",
}


def current_user() -> User | None:
    """Whoever looks at this page, asked anew at each run; None where nobody is signed in.

    Raises `BadInput` where the settings of a provider are missing, or say that this user may not come in.
    """
    services = get_services()
    if services.settings.auth == "none":
        return _local(services)
    if services.settings.auth == "oidc":
        return _of_provider(services)
    token = token_of(st.context.cookies, "local")
    return None if token is None else _of_session(services, token)


def signed_in() -> User:
    """Whoever looks at this page. Where nobody is signed in, the page asks for it and ends here."""
    user = current_user()
    if user is None:
        _ask()
        st.stop()
    return user


def visitor() -> User | AsofError | None:
    """`current_user`, for the frame of the pages, which is drawn whatever comes of it."""
    try:
        return current_user()
    except AsofError as problem:
        return problem


def let_in(visitor: User | AsofError | None, page: Callable[[], None]) -> None:
    """Run a page for whoever may see it; anybody else is asked to sign in, or told what is wrong."""
    if isinstance(visitor, User):
        _account(visitor)
        page()
    elif visitor is None:
        _ask()
    else:
        if get_services().settings.auth == "oidc" and st.user.get("is_logged_in"):
            st.button("Sign out", key="sign_out", on_click=st.logout)
        raise visitor


def _account(user: User) -> None:
    """The user's name on top of the page, with the way out; nothing where there is no sign-in."""
    auth = get_services().settings.auth
    if auth == "none":
        return
    shown = user.display_name or user.name
    with st.container(key="account"), st.popover(markup.plain(shown), icon=":material/person:", type="tertiary"):
        st.html(f'<span class="a-muted">Signed in as</span> <b>{markup.text(user.name)}</b>')
        if auth == "oidc":
            st.button("Sign out", key="sign_out", on_click=st.logout)
        else:
            st.html('<form class="a-form" method="post" action="/api/logout"><button>Sign out</button></form>')


def _local(services: App) -> User:
    """The one user there is. He may look at pages without the accounts database; what needs it says so itself."""
    try:
        return services.accounts.users.local()
    except AccountsUnavailable:
        return User("", LOCAL, clock.now(), is_admin=True)


def _of_session(services: App, token: str) -> User | None:
    """The user of a session; whom the page is drawn for is told to the guard of its connection."""
    sign_in, run = services.accounts.sign_in, get_script_run_ctx()
    rights = sign_in.rights_of(token)
    if rights is None:
        return None
    if run is not None:
        sign_in.pages.put(run.session_id, Shown(token, rights))
    return rights.user


def _of_provider(services: App) -> User | None:
    """The user that the provider vouches for; whoever comes the first time is written down."""
    allowed = allowed_emails(services.settings.allowed)
    if not st.user.get("is_logged_in"):
        return None
    email = str(st.user.get("email") or "").strip().casefold()
    if not email or st.user.get("email_verified") is not True:
        raise BadInput(
            "Your provider has not verified your e-mail address.", ("Verify the address with your provider first.")
        )
    if email not in allowed and f"@{email.partition('@')[2]}" not in allowed:
        raise BadInput(f"{email} is not allowed to sign in.", "Ask an administrator to add it to ASOF_ALLOWED.")
    user = services.accounts.users.known_or_added(email, display_name=str(st.user.get("name") or ""))
    if user.disabled_at is not None:
        raise BadInput(f"The account {email} is disabled.", "Ask an administrator.")
    token = token_of(st.context.cookies, "oidc")
    if token and _of_session(services, token) != user:
        services.accounts.sign_in.put(token, user.id)  # so that the guard of the connection knows whose it is
        _of_session(services, token)
    return user


def _ask() -> None:
    """The page that asks to sign in."""
    with st.container(horizontal_alignment="center", key="sign_in"):
        if get_services().settings.auth == "oidc":
            st.html('<div class="a-sign"><div class="a-big">Sign in to Asof</div></div>')
            st.button("Sign in with your provider", type="primary", key="sign_in_oidc", on_click=st.login)
        else:
            st.html(_form())


def _form() -> str:
    address = state.address()
    problem = _PROBLEMS.get(address.pop(PROBLEM, ""), "")
    if not get_services().accounts.users.listed():
        problem = (
            "There are no users yet. On the computer that runs Asof, run: <code>cli.py user add NAME --admin</code>"
        )
    path = urlsplit(st.context.url or "").path or "/"
    back = f"{path}?{urlencode(address)}" if address else path
    note = f'<div class="a-note" role="alert">{problem}</div>' if problem else ""
    return (
        '<form class="a-form a-sign" method="post" action="/api/login">'
        f'<div class="a-big">Sign in to Asof</div>{note}'
        '<label>Name<input name="username" autocomplete="username" autocapitalize="none" required></label>'
        '<label>Password<input name="password" type="password" autocomplete="current-password" required></label>'
        f'<input type="hidden" name="next" value="{markup.text(back)}">'
        '<button class="a-first">Sign in</button></form>'
    )
