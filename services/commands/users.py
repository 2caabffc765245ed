"""The command `user`: who may come in, and to which workspaces."""

import argparse
import getpass
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from services.commands.base import Arguments, Run, group_of
from services.commands.text import aligned
from services.core.errors import BadInput
from services.core.json_documents import Document, spelled

if TYPE_CHECKING:
    from services.accounts.records import User
    from services.context import Services

Action = Literal["add", "passwd", "disable", "enable", "grant", "revoke", "list"]


class UserArguments(Arguments):
    """What is to be done with whom. `workspaces` are those to grant or to revoke, also of a user that is added."""

    action: Action
    name: str = ""
    password: str | None = Field(None, repr=False)
    admin: bool = False
    workspaces: tuple[str, ...] = ()


def user(services: "Services", arguments: UserArguments, _: Run) -> Document:
    """Do it, and tell how the user then stands; `list` tells of all."""
    users, name = services.accounts.users, arguments.name
    groups = [group_of(services, workspace) for workspace in arguments.workspaces]
    match arguments.action:
        case "add":
            _needs_workspaces(services, groups)
            users.add(name, _password(services, arguments), is_admin=arguments.admin)
            for group in groups:
                users.grant(name, group)
        case "passwd":
            users.set_password(name, arguments.password or "")
        case "disable":
            users.disable(name)
        case "enable":
            users.enable(name)
        case "grant":
            _needs_workspaces(services, groups)
            for group in groups:
                users.grant(name, group)
        case "revoke":
            for group in groups:
                users.revoke(name, group)
    return _told(services, None if arguments.action == "list" else name)


def _password(services: "Services", arguments: UserArguments) -> str | None:
    """The password of a new user; with a provider he needs none."""
    if arguments.password is None and services.settings.auth != "oidc":
        raise BadInput("A user needs a password.", "Only where ASOF_AUTH is oidc there may be none.")
    return arguments.password


def _needs_workspaces(services: "Services", groups: list[str]) -> None:
    from services.writing.workspaces import listed

    known = {workspace.name for workspace in listed(services)}
    for group in groups:
        if group not in known:
            raise BadInput(f"There is no workspace “{group}”.", f"There are: {', '.join(sorted(known))}.")


def _told(services: "Services", name: str | None) -> Document:
    users = services.accounts.users
    of_user = users.grants()
    found = users.listed() if name is None else filter(None, [users.named(name)])
    return {"users": [_document(user, of_user.get(user.id, ())) for user in found]}


def _document(user: "User", workspaces: tuple[str, ...]) -> Document:
    return {
        "name": user.name,
        "display_name": user.display_name,
        "admin": user.is_admin,
        "workspaces": list(workspaces),
        "created_at": spelled(user.created_at),
        "disabled_at": spelled(user.disabled_at),
    }


Commands = Any
"""What `argparse` gives commands to; its class is private."""

_ACTIONS = {
    "add": "add a user",
    "passwd": "give a user another password, and sign him out",
    "disable": "shut a user out; what he asked is kept",
    "enable": "let a user in again",
    "grant": "let a user into workspaces",
    "revoke": "keep a user out of workspaces",
    "list": "list the users",
}


def add_user(commands: Commands, run: Callable[[argparse.Namespace], int]) -> None:
    """Add the command with its actions."""
    top = commands.add_parser("user", help="who may come in, and to which workspaces", description="users")
    actions = top.add_subparsers(required=True, metavar="DEED", dest="action")
    for action, what in _ACTIONS.items():
        added = actions.add_parser(action, help=what, description=what)
        added.add_argument("--json", action="store_true", help="one JSON document on stdout")
        added.set_defaults(run=run, name="", admin=False, workspaces=[], password_stdin=False)
        if action != "list":
            added.add_argument("name", metavar="NAME", help="what he signs in with; an e-mail where a provider asks")
        if action in ("add", "passwd"):
            added.add_argument("--password-stdin", action="store_true", help="the first line of standard input")
        if action == "add":
            added.add_argument(
                "--admin", action="store_true", help="he sees all workspaces, and makes and deletes them"
            )
            added.add_argument("--grant", dest="workspaces", nargs="+", default=[], metavar="WORKSPACE")
        if action in ("grant", "revoke"):
            added.add_argument("workspaces", nargs="+", metavar="WORKSPACE")


def asked_of_users(chosen: argparse.Namespace) -> Document:
    """The arguments of the command. Raises `BadInput` where a password cannot be read."""
    asked = {name: getattr(chosen, name) for name in ("action", "name", "admin", "workspaces")}
    return asked | ({"password": _typed_password(chosen)} if chosen.action in ("add", "passwd") else {})


def _typed_password(chosen: argparse.Namespace) -> str | None:
    """Typed twice without being shown, or read from standard input. None where a provider asks for it."""
    from services.core.config import settings

    if chosen.password_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if settings().auth == "oidc" and chosen.action == "add":
        return None
    if not sys.stdin.isatty():
        raise BadInput("There is nobody to ask for the password.", "Send it to standard input: --password-stdin.")
    first = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != first:
        raise BadInput("The two are not the same.", "Nothing was changed: try again.")
    return first


def users_text(document: Document) -> str:
    """The users as a table."""
    rows = [
        [user["name"], "admin" if user["admin"] else "user", "disabled" if user["disabled_at"] else "", _sees(user)]
        for user in document["users"]
    ]
    return "\n".join(aligned([["name", "role", "", "workspaces"], *rows])) if rows else "No users."


def _sees(user: Document) -> str:
    return "all" if user["admin"] else ", ".join(user["workspaces"]) or "none"
