"""A workspace's schema is kept, replaced and forgotten; so is who found nothing in which text."""

from services.accounts.store import Accounts


def test_a_schema_is_kept_for_its_workspace_alone(accounts: Accounts) -> None:
    schema = {"types": [{"name": "Person"}], "relations": [{"name": "KNOWS", "meaning": "knows \0"}]}
    accounts.schemas.set("team", schema)
    assert accounts.schemas.get("team") == schema
    assert accounts.schemas.get("other") is None


def test_a_schema_takes_the_place_of_the_one_before(accounts: Accounts) -> None:
    accounts.schemas.set("team", {"types": [1]})
    accounts.schemas.set("team", {"types": [2]})
    assert accounts.schemas.get("team") == {"types": [2]}


def test_a_schema_goes_with_its_workspace_or_alone(accounts: Accounts) -> None:
    for workspace in ("team", "other"):
        accounts.schemas.set(workspace, {"types": []})
    accounts.schemas.remove("team")
    accounts.remove("other")
    assert (accounts.schemas.get("team"), accounts.schemas.get("other")) == (None, None)


def test_who_found_nothing_in_a_text_is_remembered_until_the_workspace_goes(accounts: Accounts) -> None:
    for _ in range(2):
        accounts.readings.add("team", "e1", "rules")
    asked = [("team", "e1", "rules"), ("team", "e2", "rules"), ("team", "e1", "big"), ("other", "e1", "rules")]
    assert [accounts.readings.found_nothing(*one) for one in asked] == [True, False, False, False]
    accounts.remove("team")
    assert not accounts.readings.found_nothing(*asked[0])
