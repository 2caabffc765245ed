"""What the OpenAPI document says holds of each answer, whatever is sent: schemathesis makes the requests from it."""

from collections.abc import Mapping
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import positive_data_acceptance
from starlette.applications import Starlette

from services.accounts.account_records import User
from services.agent.app import App
from services.api.guard import middleware
from services.api.rest.operations import Operation
from services.api.rest.rest_routes import OPERATIONS
from services.api.routes import routes
from tests.services.api.rest.conftest import PASSWORD, Open
from tests.services.tools.conftest import _fill

USEFUL: Mapping[str, Any] = {
    "as_of": "2020-06-01",
    "content": "Where does Ada work?",
    "database_id": "graph",
    "entity": "Ada",
    "from": "2019",
    "from_known": "2021",
    "known_at": "2021",
    "model": "none",
    "password": PASSWORD,
    "question": "Where does Ada work?",
    "query": "SELECT source, target FROM facts",
    "session_id": "",
    "since": "2019",
    "sql": "SELECT * FROM facts",
    "to": "2021",
    "to_known": "2022",
    "url": None,
    "username": "ada",
    "workspace": "_",
}
"""Values that lead to more than a refusal; the id of a session is that of a new one."""


@pytest.fixture
def services(open_app: Open) -> App:
    """Without a model, whose endpoint would be at fault, and without limits."""
    services = _fill(open_app(auth="local", model="", requests_per_minute=0))
    services.accounts.users.add("ada", PASSWORD)
    services.accounts.users.grant("ada", "_")
    return services


@pytest.fixture
def headers(services: App, ada: User) -> dict[str, str]:
    """What a client sends that was granted everything."""
    everything: Any = {"workspaces": ["_"], "toolsets": ["analyst", "knowledge"], "may_write": True}
    return {"Authorization": f"Bearer {services.accounts.tokens.add(ada, 'all', **everything)[1]}"}


@pytest.mark.parametrize("mode", GenerationMode)
def test_each_answer_is_as_the_document_says(mode: GenerationMode, services: App, headers, ada: User) -> None:
    """Whether what is sent fits the document or not. What fits can still name nothing that there is, and be 400."""

    def send(case: Case, replaced: set[str]) -> None:
        if mode is GenerationMode.POSITIVE:
            fresh = services.accounts.conversations.create(ada.id, "_").id
            replace_some(case, {**USEFUL, "session_id": fresh}, replaced)
        answer = case.call(base_url="http://localhost:8501", headers=dict(headers))
        assert answer.status_code < 500, (case.formatted_path, answer.text)
        case.validate_response(answer, excluded_checks=[positive_data_acceptance])

    schema = schemathesis.openapi.from_asgi("/api/openapi.json", Starlette(routes=routes, middleware=middleware))
    schema.config.generation.update(with_security_parameters=False)  # the token is added
    usual = settings(max_examples=settings().max_examples // 4, database=None, suppress_health_check=list(HealthCheck))
    for one in OPERATIONS if mode is GenerationMode.POSITIVE else filter(can_be_violated, OPERATIONS):
        cases = schema[one.path][one.method].as_strategy(generation_mode=mode)
        usual(given(cases, st.just(set(USEFUL)) | st.sets(st.sampled_from(sorted(USEFUL))))(send))()


def can_be_violated(one: Operation) -> bool:
    return bool(one.body or one.query)


def replace_some(case: Case, values: Mapping[str, Any], replaced: set[str]) -> None:
    """Put some values in place of those of the same name that a case sends."""
    for part in (case.path_parameters, case.query, case.body):
        if isinstance(part, dict):
            part |= {name: values[name] for name in replaced if name in part}
