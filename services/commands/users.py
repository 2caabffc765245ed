"""The command `user`: who may come in, and to which workspaces."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from services.commands.base import Arguments, Run, group_of
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
