"""Addresses of pages that people type are sent on to the pages."""

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from services.api.page_addresses import page_addresses


@pytest.mark.parametrize("base", ["", "asof"])
@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("explore?w=peps&e=PEP+484", "./Explore?w=peps&e=PEP+484"),
        ("sql", "./SQL"),
        ("Overview?w=a", "./?w=a"),
        ("overview", "./"),
        ("explore/?w=peps", "../Explore?w=peps"),
        ("overview/", "../"),
    ],
)
def test_an_address_in_lower_case_is_sent_on_to_its_page(base: str, typed: str, page: str) -> None:
    client = TestClient(Starlette(routes=page_addresses(("Overview", "Explore", "SQL"), "Overview", base)))
    path = f"/{base}/{typed}" if base else f"/{typed}"
    answer = client.get(path, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, page)


def test_a_page_itself_is_not_sent_on() -> None:
    client = TestClient(Starlette(routes=page_addresses(("Overview", "Explore"), "Overview")))
    assert client.get("/Explore").status_code == 404
