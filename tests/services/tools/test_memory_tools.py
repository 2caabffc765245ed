"""The toolset `memory`: what a model and a program get of a query."""

from services.core.toolsets import TOOLSETS
from services.mcp.access import Access
from services.mcp.calls import call
from services.memory.record_lines import read_record_lines
from services.tools.registry import TOOLS
from services.tools.tool import Context
from services.tools.toolbox import Toolbox
from services.writing.memory_import import import_records
from tests.services.memory.seeds import SEEDS, lines
from tests.services.retrieval.conftest import W


def test_a_model_reads_the_records_in_words_and_a_program_the_result(filled) -> None:
    workspace = filled.workspace(W)
    import_records(workspace, read_record_lines(lines(*SEEDS)).records, title="Memory")
    box = Toolbox(Context(workspace), TOOLS.values())
    called = box.call("query_partnerships", {"partner_id": "nicolas"})
    assert called.result.document["data"]["trust_level"] == 0.9
    assert set(called.result.document) == {"found", "data", "confidence", "query_time_ms", "message"}
    assert "Partnership found (confidence 1.00)" in (text := box.for_model(called))
    assert "Role: Co-Founder" in text
    missing = box.for_model(box.call("query_partnerships", {"partner_id": "ann"}))
    assert "No partnership information found for ann" in missing
    invalid = box.for_model(box.call("query_failed_attempts", {"context": "a", "limit": 0}))
    assert "Invalid limit: 0" in invalid


def test_a_client_gets_the_toolset_by_grant_alone(filled) -> None:
    import_records(filled.workspace(W), read_record_lines(lines(*SEEDS)).records, title="Memory")
    asked = {"context": "race", "known_at": "2024-11-05"}
    granted = call(filled, Access(toolsets=TOOLSETS), "query_failed_attempts", asked)
    assert granted.data is not None
    assert granted.data["found"]
    assert granted.data["data"][0]["id"] == "fail_race_condition_patch_nov1"
    early = call(filled, Access(toolsets=TOOLSETS), "query_failed_attempts", {**asked, "known_at": "2024-10-05"})
    assert early.data is not None
    assert early.data["message"] == "No failed attempts found for race"
    assert call(filled, Access(), "query_failed_attempts", asked).is_error
