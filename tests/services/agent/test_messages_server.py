"""The scripted endpoint is as strict as the real one, and runs as a program for tests in a browser."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import anthropic
import pytest

from tests.fakes.messages_server import MessagesServer, call, refusal, reply, say, text

HEADERS = {"authorization": "Bearer x"}
ASKED = {"role": "user", "content": "Who?"}
CALLED = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "find", "input": {}}]}
ANSWERED = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}]}


def assistant(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([], "first message"),
        ([ASKED, ASKED], "alternate"),
        ([ASKED, CALLED], "without `tool_result`"),
        ([ASKED, CALLED, ASKED], "need `tool_result`"),
        ([ASKED, assistant({"type": "text", "text": "x"}), ANSWERED], "found ['t1']"),
        ([ASKED, assistant({"type": "text", "text": " "}), ASKED], "non-whitespace"),
        ([ASKED, assistant(), ASKED], "non-empty"),
        ([ASKED, assistant({"type": "thinking", "thinking": "x", "signature": "s"}), ASKED], "final block"),
        ([ASKED, assistant({"type": "thinking", "thinking": "x"}, {"type": "text", "text": "x"}), ASKED], "signature"),
    ],
)
def test_a_conversation_that_the_real_endpoint_would_refuse_is_refused(messages: list[Any], told: str) -> None:
    code, problem = refusal({"max_tokens": 1, "messages": messages}, HEADERS, ()) or (0, "")
    assert (code, told in problem) == (400, True)


def test_a_good_conversation_is_taken_and_one_without_a_key_is_not() -> None:
    good = {"max_tokens": 1, "messages": [ASKED, CALLED, ANSWERED]}
    assert refusal(good, HEADERS, ()) is None
    assert (refusal(good, {}, ()) or (0, ""))[0] == 401


def test_the_client_reads_what_the_script_says() -> None:
    with MessagesServer(reply(text("Let ", "me."), call("find", name="PEP 8", n=3))) as server:
        client = anthropic.Anthropic(api_key="x", base_url=server.url, max_retries=0)
        with client, client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "?"}]) as s:
            message = s.get_final_message()
    words, wanted = message.content
    assert (words.type, wanted.type, message.stop_reason) == ("text", "tool_use", "tool_use")
    assert wanted.to_dict()["input"] == {"name": "PEP 8", "n": 3}


def test_it_runs_as_a_program_with_a_script_from_a_file(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([say("Hello ", "you", gate="go")]))
    command = [sys.executable, "-m", "tests.fakes.messages_server", "--script", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        client = anthropic.Anthropic(api_key="x", base_url=url, max_retries=0)
        with client, client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "?"}]) as s:
            words = s.text_stream
            assert next(words) == "Hello "
            with urllib.request.urlopen(urllib.request.Request(f"{url}/gates/go", method="POST")) as opened:
                assert opened.status == 200
            assert list(words) == ["you"]
        with urllib.request.urlopen(f"{url}/requests") as told:
            assert json.load(told)[0]["model"] == "m"
        process.terminate()
