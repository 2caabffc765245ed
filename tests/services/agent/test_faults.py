"""Whatever goes wrong at a model's endpoint is told in words, loses nothing, and lets the next question work."""

import json
import socket
import threading
import time
from collections.abc import Callable
from email.utils import formatdate

import pytest

from services.llm.faults import retry_after
from services.tools.tool import Context, Tool, ToolResult
from tests.fakes.messages_server import Step, call, half_call, hang, odd, reply, say, status, text, think
from tests.services.agent.conftest import KEY, MODEL, Talk

pytestmark = pytest.mark.slow

Begin = Callable[..., Talk]


@pytest.mark.parametrize(
    ("cut", "told"),
    [
        ("eof", "closed before the model's answer was complete"),
        ("drop", "closed before the model's answer was complete"),
        ("reset", "closed before the model's answer was complete"),
        ("overloaded_error", "The model is overloaded."),
        ("api_error", "The model's endpoint failed (500): It broke down."),
        ("something_new", "The model's endpoint failed (500): It broke down."),
    ],
)
def test_an_answer_that_breaks_off_is_a_fault_and_what_was_said_is_kept(talk: Begin, cut: str, told: str) -> None:
    talking = talk(say("It is Fi", cut=cut))
    spoken = talking.ask()
    assert (spoken.state, spoken.text) == ("failed", "It is Fi")
    assert told in spoken.problem
    assert spoken.hint
    assert spoken.input_tokens > 0
    assert talking.calls[-1].error == spoken.problem
    assert len(talking.server.requests) == 1
    assert talking.goes_on()


@pytest.mark.parametrize("cut", ["eof", "reset", "overloaded_error"])
def test_a_thought_or_a_call_that_is_cut_off_is_not_sent_again(talk: Begin, cut: str) -> None:
    talking = talk(reply(think("Hm.", "sig"), half_call("find_status", '{"na'), cut=cut))
    assert talking.ask().state == "failed"
    kinds = [block["type"] for message in talking.blocks for block in message["content"]]
    assert kinds == ["text", "text", "thinking", "text"]
    assert talking.goes_on()


def test_a_fault_after_tools_keeps_what_they_found(talk: Begin) -> None:
    talking = talk(reply(text("Let me look."), call("find_status", name="PEP 8")), reply(think("Hm."), cut="eof"))
    spoken = talking.ask()
    assert (spoken.state, spoken.text) == ("failed", "Let me look.")
    assert "PEP 8 HAS_STATUS Final" in json.dumps(spoken.blocks)
    assert talking.goes_on()


@pytest.mark.parametrize("cut", ["eof", "drop", "reset", "overloaded_error", "api_error"])
def test_a_stream_that_breaks_before_a_word_is_asked_for_again(talk: Begin, cut: str) -> None:
    nothing: Step = {"blocks": [], "stop": "end_turn", "cut": cut, "usage": {}}
    talking = talk(nothing, say("It is Final."))
    spoken = talking.ask()
    assert (spoken.state, spoken.text) == ("done", "It is Final.")
    assert [bool(one.error) for one in talking.calls] == [True, False]


@pytest.mark.parametrize("code", [429, 529, 500, 503, 408])
def test_a_busy_endpoint_is_waited_for_as_long_as_it_says(talk: Begin, code: int) -> None:
    talking = talk(status(code, retry_after=0.2), say("It is Final."))
    started = time.monotonic()
    spoken = talking.ask()
    assert (spoken.state, spoken.text) == ("done", "It is Final.")
    assert time.monotonic() - started >= 0.2
    (reason, seconds), over = talking.listener.waited
    assert reason
    assert 0.1 < seconds <= 0.2
    assert over == ("", 0.0)
    assert talking.calls[0].error == reason


def test_a_longer_wait_is_counted_down(talk: Begin) -> None:
    talking = talk(status(529, retry_after=1.2), say("It is Final."))
    assert talking.ask().state == "done"
    first, second, over = (seconds for _, seconds in talking.listener.waited)
    assert 1.1 < first <= 1.2
    assert 0.1 < second <= 0.2
    assert over == 0


def test_an_endpoint_that_stays_busy_is_given_up(talk: Begin) -> None:
    talking = talk(*[status(429, retry_after=0.01)] * 6)
    spoken = talking.ask()
    assert (spoken.state, spoken.problem) == ("failed", "The endpoint accepts no more requests for now.")
    assert talking.goes_on()


def test_an_endpoint_that_stays_broken_is_given_up(talk: Begin) -> None:
    talking = talk(*[status(500, "boom", retry_after=0.01)] * 3)
    spoken = talking.ask()
    assert (spoken.state, spoken.problem) == ("failed", "The model's endpoint failed (500): boom.")
    assert talking.goes_on()


def test_a_wait_longer_than_an_answer_may_take_is_not_begun(talk: Begin) -> None:
    talking = talk(status(429, retry_after=900))
    spoken = talking.ask()
    assert (spoken.state, spoken.problem) == ("failed", "The endpoint accepts no more requests for now.")
    assert "900 seconds" in spoken.hint
    assert talking.goes_on()


@pytest.mark.parametrize(
    ("code", "told", "way_out"),
    [
        (401, "rejected the key", "ANTHROPIC_API_KEY"),
        (402, "requires payment: No.", "billing"),
        (403, f"has no access to “{MODEL}”", "another model"),
        (404, f"has no model “{MODEL}”", "ASOF_MODEL"),
        (400, "rejected the request (400): No.", "ASOF_PLAIN_MODEL"),
        (413, "rejected the request (413): No.", "start a new one"),
    ],
)
def test_a_refusal_names_what_to_do_and_is_not_repeated(talk: Begin, code: int, told: str, way_out: str) -> None:
    talking = talk(status(code, "No."))
    spoken = talking.ask()
    assert spoken.state == "failed"
    assert told in spoken.problem
    assert way_out in spoken.hint
    assert len(talking.server.requests) == 1
    assert talking.goes_on()


def test_a_dead_endpoint_is_a_sentence_and_a_way_out(talk: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    talking = talk()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://someone:pass@127.0.0.1:{free.getsockname()[1]}"
    with monkeypatch.context() as changed:
        changed.setenv("ANTHROPIC_BASE_URL", address)
        spoken = talking.ask()
    assert spoken.problem == f"Asof cannot reach the model's endpoint at {address.replace('someone:pass@', '')}."
    assert "rule-based" in spoken.hint
    assert talking.goes_on()


@pytest.mark.parametrize("step", [hang(), reply(text("It is"), cut="hang"), reply(think("Hm"), cut="hang")])
def test_an_endpoint_that_hangs_is_given_up_after_a_time(talk: Begin, step: Step) -> None:
    talking = talk(step)
    talking.silence = 0.3
    spoken = talking.ask()
    assert (spoken.state, spoken.problem) == ("failed", "The model sent nothing for 0.3 seconds.")
    assert talking.server.left.acquire(timeout=5)
    talking.silence = 5.0
    assert talking.goes_on()


def test_an_answer_that_takes_too_long_ends_and_keeps_its_text(talk: Begin) -> None:
    talking = talk(reply(text("It is"), cut="hang"), max_seconds=0.4)
    spoken = talking.ask()
    assert (spoken.state, spoken.text) == ("failed", "It is")
    assert spoken.problem == "The answer took longer than 0.4 seconds."
    assert talking.server.left.acquire(timeout=5)


@pytest.mark.parametrize("key", [None, ""])
def test_without_a_key_nothing_is_sent(talk: Begin, monkeypatch: pytest.MonkeyPatch, key: str | None) -> None:
    talking = talk()
    with monkeypatch.context() as changed:
        changed.delenv("ANTHROPIC_API_KEY") if key is None else changed.setenv("ANTHROPIC_API_KEY", key)
        spoken = talking.ask()
    assert (spoken.state, spoken.problem) == ("failed", "No key is set for the model.")
    assert "ANTHROPIC_API_KEY" in spoken.hint
    assert talking.goes_on()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ANTHROPIC_API_KEY", KEY + "\nX: y"),
        ("ANTHROPIC_BASE_URL", "localhost:11434"),
        ("ANTHROPIC_BASE_URL", "http://[broken"),
        ("ANTHROPIC_BASE_URL", "what ever"),
    ],
)
def test_a_key_or_an_address_that_cannot_be_used_is_told_without_the_key(
    talk: Begin, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    talking = talk()
    monkeypatch.setenv(name, value)
    spoken = talking.ask()
    assert spoken.state == "failed"
    assert name in spoken.hint
    assert KEY not in repr(spoken)
    assert KEY not in repr(talking.calls)


def test_the_key_is_in_nothing_that_is_told_even_where_the_endpoint_repeats_it(
    talk: Begin, capsys: pytest.CaptureFixture[str]
) -> None:
    talking = talk(status(400, f"bad key {KEY} or sk-ant-another-key-of-somebody"), say("It is Final."))
    spoken = talking.ask()
    assert "bad key … or …" in spoken.problem
    seen = repr(spoken) + repr(talking.reported) + repr(talking.ask()) + "".join(capsys.readouterr())
    assert KEY not in seen
    assert KEY in talking.server.headers[0]["authorization"]


def test_an_answer_cut_at_its_limit_of_tokens_is_kept_and_said_to_be_cut(talk: Begin) -> None:
    talking = talk(say("It is", stop="max_tokens"))
    spoken = talking.ask()
    assert (spoken.state, spoken.text, spoken.stop_reason) == ("failed", "It is", "max_tokens")
    assert spoken.problem == "The answer reached the limit of 8,192 tokens."
    assert "ASOF_MAX_TOKENS" in spoken.hint
    assert talking.goes_on()


@pytest.mark.parametrize("so_far", ['{"name": "PE', '{"na', "{", ""])
def test_a_call_cut_at_the_limit_of_tokens_is_answered_with_an_error(talk: Begin, so_far: str) -> None:
    talking = talk(reply(text("Let me look."), half_call("find_status", so_far), stop="max_tokens"))
    spoken = talking.ask()
    assert (spoken.state, spoken.text) == ("failed", "Let me look.")
    assert [one.kind for one in talking.calls] == ["model"]
    assert talking.goes_on()
    answered = talking.server.requests[-1]["messages"][2]["content"][0]
    assert (answered["type"], answered["is_error"]) == ("tool_result", True)


def test_after_a_refusal_nothing_of_that_turn_is_sent_again(talk: Begin) -> None:
    talking = talk(say("Final."), say("I", stop="refusal"))
    talking.ask()
    spoken = talking.ask("Something else?")
    assert (spoken.state, spoken.text, spoken.problem) == ("failed", "I", "The model declined to answer.")
    assert spoken.blocks == ()
    assert talking.goes_on()


def test_a_turn_that_outgrew_the_model_is_sent_again_without_its_results(talk: Begin) -> None:
    long = say("It", stop="model_context_window_exceeded")
    talking = talk(reply(call("find_status", name="PEP 8")), long)
    spoken = talking.ask()
    assert (spoken.text, spoken.hint) == ("It", "Start a new conversation.")
    assert [message["role"] for message in spoken.blocks] == ["user", "assistant"]
    assert talking.goes_on()


@pytest.mark.parametrize("step", [reply(), say("  \n"), reply(think("Hm."))])
def test_an_answer_without_a_word_is_no_answer(talk: Begin, step: Step) -> None:
    talking = talk(step)
    assert talking.ask().problem == "The model returned nothing."
    assert talking.goes_on()


@pytest.mark.parametrize(
    "body", ["<html>Welcome</html>", "event: message_start\ndata: {oops\n\n", "event: x\ndata: 1\n\n"]
)
def test_an_endpoint_that_speaks_something_else_is_told_so(talk: Begin, body: str) -> None:
    talking = talk(*[odd(body, "text/event-stream")] * 3)
    spoken = talking.ask()
    assert spoken.state == "failed"
    assert spoken.problem
    assert spoken.hint


def test_inputs_of_a_tool_that_are_no_json_are_told_as_such(talk: Begin) -> None:
    talking = talk(reply(half_call("find_status", '{"name": oops}')))
    spoken = talking.ask()
    assert (spoken.state, "sent an invalid response" in spoken.problem) == ("failed", True)
    assert talking.goes_on()


def test_stop_while_words_come_keeps_them_and_hangs_up(talk: Begin) -> None:
    talking = talk(say("It ", "is", gate="never"))
    talking.listener.on_text = talking.cancel.set
    spoken = talking.ask()
    assert (spoken.state, spoken.text, spoken.problem) == ("stopped", "It ", "Stopped.")
    assert talking.server.left.acquire(timeout=5)
    talking.listener.on_text = lambda: None
    assert talking.goes_on()


def _stopped_while(talking: Talk, waits: threading.Semaphore) -> float:
    """Ask, press Stop once somebody waits; returns the seconds from Stop to the end."""
    pressed: list[float] = []

    def press() -> None:
        assert waits.acquire(timeout=5)
        pressed.append(time.monotonic())
        talking.cancel.set()

    presser = threading.Thread(target=press)
    presser.start()
    spoken = talking.ask()
    presser.join()
    assert (spoken.state, spoken.problem) == ("stopped", "Stopped.")
    return time.monotonic() - pressed[0]


def test_stop_before_the_first_byte_hangs_up_at_once(talk: Begin) -> None:
    talking = talk(hang())
    assert _stopped_while(talking, talking.server.waits) < 1
    assert talking.server.left.acquire(timeout=5)
    assert talking.goes_on()


def test_stop_while_waiting_for_a_busy_endpoint(talk: Begin) -> None:
    talking = talk(status(429, retry_after=60))
    waits = threading.Semaphore(0)
    talking.listener.on_waiting = waits.release
    assert _stopped_while(talking, waits) < 1
    assert talking.goes_on()


def test_stop_while_tools_run_keeps_those_that_are_done(talk: Begin) -> None:
    waits, done = threading.Semaphore(0), threading.Event()

    def slow(context: Context) -> ToolResult:
        """Takes its time."""
        done.wait(10)
        return ToolResult({})

    talking = talk(reply(call("find_status", name="PEP 8"), call("slow")))
    talking.tools += (Tool("analyst", slow),)
    talking.on_call = lambda one: waits.release() if one.tool == "find_status" and one.summary else None
    assert _stopped_while(talking, waits) < 1
    done.set()
    assert talking.goes_on()
    found, stopped = talking.server.requests[-1]["messages"][2]["content"]
    assert ("Final" in found["content"], "is_error" in found) == (True, False)
    assert (stopped["is_error"], stopped["content"]) == (True, "The tool stopped before it finished.")


def test_stop_before_anything_is_asked_asks_nothing(talk: Begin) -> None:
    talking = talk()
    talking.cancel.set()
    assert talking.ask().state == "stopped"
    assert talking.server.requests == []
    assert talking.goes_on()


def test_stop_while_the_connection_is_not_there_yet(talk: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    talking = talk()
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for one in (first, second):  # nobody accepts them, so that the next one is not even connected
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        with monkeypatch.context() as changed:
            changed.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{full.getsockname()[1]}")
            waits = threading.Semaphore(0)
            talking.on_call = lambda _: waits.release()
            assert _stopped_while(talking, waits) < 1
    assert talking.goes_on()


def test_half_a_character_neither_breaks_the_answer_nor_the_next_question(talk: Begin) -> None:
    talking = talk(reply(think("H\ud83d"), text("Final \ud83d.")))
    spoken = talking.ask()
    assert (spoken.state, spoken.text) == ("done", "Final ?.")
    json.dumps([*spoken.blocks, *talking.listener.texts, *talking.listener.thought], ensure_ascii=False).encode()
    assert talking.goes_on()


def test_a_fault_of_our_own_keeps_the_text_so_far(talk: Begin) -> None:
    def breaks() -> None:
        raise RuntimeError("the page is gone")

    talking = talk(reply(text("Let me look."), call("find_status", name="PEP 8")), say("It is Final."))
    talking.listener.on_text = lambda: breaks() if len(talking.listener.texts) > 1 else None
    spoken = talking.ask()
    assert (spoken.state, spoken.problem, spoken.text) == ("failed", "The answer failed.", "Let me look.")
    talking.listener.on_text = lambda: None
    assert talking.goes_on()


def test_the_wait_is_read_in_each_of_its_spellings() -> None:
    assert retry_after({"retry-after": "7"}) == 7
    assert retry_after({"retry-after": "0.5"}) == 0.5
    assert retry_after({"retry-after": "-3"}) == 0
    assert retry_after({"retry-after": "9", "retry-after-ms": "250"}) == 0.25
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None
    assert 50 < (retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)}) or 0) <= 60
