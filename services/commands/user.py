"""`user`: manage users and their workspaces."""

import argparse
import getpass
import sys
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from services.commands.arguments import Arguments, Request, Run, group_of
from services.commands.command import Command, Terminal, action_parsers
from services.commands.text import aligned
from services.core.errors import BadInput
from services.core.json_documents import Json, spelled

if TYPE_CHECKING:
    from services.context import Services

Action = Literal["add", "passwd", "disable", "enable", "grant", "revoke", "list"]


class UserArguments(Arguments):
    """What to do with whom. `workspaces` are those to grant or to revoke, also of a user that is added."""

    action: Action
    name: str = ""
    password: str | None = Field(None, repr=False)
    admin: bool = False
    workspaces: tuple[str, ...] = ()


def user(services: "Services", arguments: UserArguments, _: Run) -> Json:
    """Do it. Returns how the user then stands; with `list` every user."""
    users, name = services.accounts.users, arguments.name
    groups = [group_of(services, workspace) for workspace in arguments.workspaces]
    match arguments.action:
        case "add":
            _need_workspaces(services, groups)
            if arguments.password is None and services.settings.auth != "oidc":
                raise BadInput("A user needs a password.", "Only ASOF_AUTH=oidc allows users without a password.")
            users.add(name, arguments.password, is_admin=arguments.admin)
            _grant(services, name, groups)
        case "passwd":
            users.set_password(name, arguments.password or "")
        case "disable":
            users.disable(name)
        case "enable":
            users.enable(name)
        case "grant":
            _need_workspaces(services, groups)
            _grant(services, name, groups)
        case "revoke":
            for group in groups:
                users.revoke(name, group)
    found = users.listed() if arguments.action == "list" else filter(None, [users.named(name)])
    granted = users.grants()
    return {
        "users": [
            {
                "name": user.name,
                "display_name": user.display_name,
                "admin": user.is_admin,
                "workspaces": list(granted.get(user.id, ())),
                "created_at": spelled(user.created_at),
                "disabled_at": spelled(user.disabled_at),
            }
            for user in found
        ]
    }


def _need_workspaces(services: "Services", groups: list[str]) -> None:
    from services.writing.workspaces import listed

    known = {workspace.name for workspace in listed(services)}
    for group in groups:
        if group not in known:
            raise BadInput(f"There is no workspace “{group}”.", f"Available: {', '.join(sorted(known))}.")


def _grant(services: "Services", name: str, groups: list[str]) -> None:
    for group in groups:
        services.accounts.users.grant(name, group)


_ACTIONS = {
    "add": "add a user",
    "passwd": "change a user's password and sign them out",
    "disable": "disable a user but keep their conversations",
    "enable": "enable a disabled user",
    "grant": "grant workspaces to a user",
    "revoke": "revoke workspaces from a user",
    "list": "list the users",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an action for each thing that can be done."""
    parser.description = "users"
    for action, added in action_parsers(parser, _ACTIONS):
        if action != "list":
            added.add_argument(
                "name", metavar="NAME", help="the user's sign-in name; with ASOF_AUTH=oidc, their e-mail address"
            )
        if action in ("add", "passwd"):
            added.add_argument(
                "--password-stdin", action="store_true", help="read the password from the first line of standard input"
            )
        if action == "add":
            added.add_argument(
                "--admin", action="store_true", help="let the user see, create and delete all workspaces"
            )
            added.add_argument("--grant", dest="workspaces", nargs="+", default=[], metavar="WORKSPACE")
        if action in ("grant", "revoke"):
            added.add_argument("workspaces", nargs="+", metavar="WORKSPACE")


def start(terminal: Terminal) -> int:
    """Add a user, change one, or list them. Raises `BadInput` where a password cannot be read."""
    options = terminal.options
    typed = {"password": _typed_password(options)} if options.action in ("add", "passwd") else {}
    return terminal.show(terminal.ask("user", **typed), users_text)


def _typed_password(options: argparse.Namespace) -> str | None:
    """Return what is typed twice unseen, or read from standard input. None where a provider asks for it."""
    from services.core.config import settings

    if options.password_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if settings().auth == "oidc" and options.action == "add":
        return None
    if not sys.stdin.isatty():
        raise BadInput(
            "Asof cannot ask for the password: there is no terminal.",
            "Send the password on standard input with --password-stdin.",
        )
    first = getpass.getpass("Password: ")
    if getpass.getpass("Repeat the password: ") != first:
        raise BadInput("The two passwords do not match.", "Run the command again.")
    return first


def users_text(document: Json) -> str:
    """Return the users as a table."""
    rows = [
        [
            user["name"],
            "admin" if user["admin"] else "user",
            "disabled" if user["disabled_at"] else "",
            "all" if user["admin"] else ", ".join(user["workspaces"]) or "none",
        ]
        for user in document["users"]
    ]
    return "\n".join(aligned([["name", "role", "", "workspaces"], *rows])) if rows else "No users."


COMMAND = Command(
    "user",
    "manage users and their workspaces",
    start,
    {"user": Request(UserArguments, user)},
    add_arguments=add_arguments,
)
