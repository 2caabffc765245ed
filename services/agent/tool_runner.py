"""The tools that a model asks for, run at the same time."""

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context

from services.agent.request import delimited
from services.core.errors import AsofError
from services.core.log import logger
from services.llm.patience import BLINK, Patience
from services.llm.reply import Block, refused
from services.tools import telemetry
from services.tools.toolbox import Toolbox

_MOST = 8
_log = logger(__name__)


def use(toolbox: Toolbox, uses: Sequence[Block], parent_id: str, patience: Patience) -> list[Block]:
    """The results, in the order in which they were asked for; a failure is a result too.

    Waits hardly longer than `patience`: what is not ready by then has a result that says so.
    """
    pool = ThreadPoolExecutor(min(_MOST, len(uses)), thread_name_prefix="asof-tool")
    running = [pool.submit(copy_context().run, _one, toolbox, block, parent_id) for block in uses]
    pending: set[Future[Block]] = set(running)
    while pending and not patience.over:
        pending = wait(pending, timeout=BLINK).not_done
    pending = wait(pending, timeout=BLINK).not_done
    pool.shutdown(wait=False, cancel_futures=True)
    return [
        refused(block, "It was stopped before it was done.") if future in pending else future.result()
        for block, future in zip(uses, running, strict=True)
    ]


def _one(toolbox: Toolbox, block: Block, parent_id: str) -> Block:
    name, given = block["name"], block["input"]
    spoken = {"tool.name": name, "input.value": json.dumps(given), "input.mime_type": "application/json"}
    with telemetry.span("TOOL", name, spoken) as span:
        try:
            text = toolbox.for_model(toolbox.call(name, given, parent_id=parent_id))
        except AsofError as error:
            telemetry.failed(span, str(error))
            return refused(block, delimited(name, str(error)))
        except Exception as error:  # noqa: BLE001 - the model is told, and goes on
            _log.exception("A tool failed.", tool=name)
            telemetry.failed(span, type(error).__name__)
            return refused(block, delimited(name, "The tool failed. Try another, or say that it could not be found."))
        span.set_attribute("output.value", text)
    return {"type": "tool_result", "tool_use_id": block["id"], "content": delimited(name, text)}
