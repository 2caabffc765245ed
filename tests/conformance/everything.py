"""The tools, resources and prompts that the scenarios of the conformance suite ask for, after the “everything server”
of the protocol's own library (MIT). What they are called and what they say is fixed by the suite."""

import asyncio
import base64
import json
from functools import partial
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import Prompt, UserMessage
from mcp.server.mcpserver.resources import TextResource
from mcp.server.mcpserver.tools.base import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    UnsubscribeRequestParams,
)
from pydantic import BaseModel, Field

from tests.conformance.content import IMAGE, SOUND, embedded, image

STATE_KEY = b"a key of at least 32 bytes, for tests alone"

everything = MCPServer("everything", request_state_security=RequestStateSecurity(keys=[STATE_KEY]))
tool = partial(everything.tool, description="A tool of the conformance suite.")
prompt = partial(everything.prompt, description="A prompt of the conformance suite.")


# -- content


@tool()
def test_simple_text() -> str:
    return "This is a simple text response for testing."


@tool()
def test_image_content() -> list[ImageContent]:
    return [image()]


@tool()
def test_audio_content() -> list[AudioContent]:
    return [AudioContent(type="audio", data=SOUND, mime_type="audio/wav")]


@tool()
def test_embedded_resource() -> list[EmbeddedResource]:
    return [embedded("test://embedded-resource", "This is an embedded resource content.")]


@tool()
def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
    mixed = embedded("test://mixed-content-resource", '{"test": "data", "value": 123}', "application/json")
    return [TextContent(type="text", text="Multiple content types test:"), image(), mixed]


@tool()
def test_error_handling() -> str:
    raise ToolError("This tool intentionally returns an error for testing")


# -- while a call runs


@tool()
async def test_tool_with_logging(context: Context) -> str:
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.info(message)
        await asyncio.sleep(0.05)
    return "Tool with logging executed successfully"


@tool()
async def test_tool_with_progress(context: Context) -> str:
    for step in (0, 50, 100):
        await context.report_progress(step, 100, f"Completed step {step} of 100")
        await asyncio.sleep(0.05)
    return str((context.request_context.meta or {}).get("progress_token", 0))


@tool()
async def test_reconnection(context: Context) -> str:
    await context.close_sse_stream()
    await asyncio.sleep(0.2)
    return "Reconnection test completed"


@tool()
async def test_sampling(prompt: str, context: Context) -> str:
    asked = [SamplingMessage(role="user", content=TextContent(type="text", text=prompt))]
    answer = await context.session.create_message(asked, max_tokens=100, related_request_id=context.request_id)
    return f"LLM response: {answer.content.text}"


class Response(BaseModel):
    response: str = Field(description="User's response")


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: str = Field("active", json_schema_extra={"enum": ["active", "inactive", "pending"]})
    verified: bool = True


def titled(**titles: str) -> list[dict[str, str]]:
    return [{"const": value, "title": title} for value, title in titles.items()]


PRIORITIES = titled(low="Low Priority", medium="Medium Priority", high="High Priority")
TAGS = titled(feature="New Feature", bug="Bug Fix", docs="Documentation")
SIZES = {"enum": ["small", "medium", "large"], "enumNames": ["Small Size", "Medium Size", "Large Size"]}


class Enums(BaseModel):
    untitledSingle: str = Field(json_schema_extra={"enum": ["active", "inactive", "pending"]})
    titledSingle: str = Field(json_schema_extra={"oneOf": PRIORITIES})
    untitledMulti: list[str] = Field(
        json_schema_extra={"items": {"type": "string", "enum": ["read", "write", "execute"]}}
    )
    titledMulti: list[str] = Field(json_schema_extra={"items": {"anyOf": TAGS}})
    legacyEnum: str = Field(json_schema_extra=SIZES)


async def elicited(context: Context, message: str, schema: type[BaseModel]) -> str:
    answer = await context.elicit(message, schema)
    content = answer.data.model_dump_json() if answer.action == "accept" else "{}"
    return f"action={answer.action}, content={content}"


@tool()
async def test_elicitation(message: str, context: Context) -> str:
    return f"User response: {await elicited(context, message, Response)}"


@tool()
async def test_elicitation_sep1034_defaults(context: Context) -> str:
    return f"Elicitation result: {await elicited(context, 'Please provide user information', Defaults)}"


@tool()
async def test_elicitation_sep1330_enums(context: Context) -> str:
    return f"Elicitation completed: {await elicited(context, 'Please select values', Enums)}"


# -- what a call still needs of its client, in the revision without sessions


def form(message: str, field: str, kind: str = "string") -> ElicitRequest:
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sampling(text: str) -> CreateMessageRequest:
    asked = [SamplingMessage(role="user", content=TextContent(type="text", text=text))]
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=asked, max_tokens=100))


def filled_in(context: Context, request: str, field: str) -> str | None:
    """What the client's user wrote in a field of a form; None where the form did not come back."""
    answer = (context.input_responses or {}).get(request)
    return str((answer.content or {}).get(field)) if isinstance(answer, ElicitResult) else None


Asking = str | InputRequiredResult


@tool()
async def test_input_required_result_elicitation(context: Context) -> Asking:
    name = filled_in(context, "user_name", "name")
    asked = {"user_name": form("What is your name?", "name")}
    return f"Hello, {name}!" if name else InputRequiredResult(input_requests=asked)


@tool()
async def test_input_required_result_sampling(context: Context) -> Asking:
    answer = (context.input_responses or {}).get("capital_question")
    if answer is not None:
        return f"Model said: {answer.content.text}"
    return InputRequiredResult(input_requests={"capital_question": sampling("What is the capital of France?")})


@tool()
async def test_input_required_result_list_roots(context: Context) -> Asking:
    answer = (context.input_responses or {}).get("client_roots")
    if answer is not None:
        return f"Client exposed {len(answer.roots)} root(s)."
    return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})


@tool()
async def test_input_required_result_request_state(context: Context) -> Asking:
    if filled_in(context, "confirm", "ok") and context.request_state == "state":
        return "state-ok: confirmation received"
    asked = {"confirm": form("Please confirm", "ok", "boolean")}
    return InputRequiredResult(input_requests=asked, request_state="state")


@tool()
async def test_input_required_result_multiple_inputs(context: Context) -> Asking:
    asked = {
        "user_name": form("What is your name?", "name"),
        "greeting": sampling("Generate a greeting"),
        "client_roots": ListRootsRequest(),
    }
    if asked.keys() <= (context.input_responses or {}).keys():
        return "All inputs received."
    return InputRequiredResult(input_requests=asked, request_state="multiple-inputs")


@tool()
async def test_input_required_result_multi_round(context: Context) -> Asking:
    state = json.loads(context.request_state or '{"round": 0}')
    name, color = filled_in(context, "step1", "name"), filled_in(context, "step2", "color")
    if state["round"] == 2 and color:
        return f"{state['name']} likes {color}."
    if state["round"] == 1 and name:
        asked = {"step2": form("Step 2: What is your favorite color?", "color")}
        return InputRequiredResult(input_requests=asked, request_state=json.dumps({"round": 2, "name": name}))
    asked = {"step1": form("Step 1: What is your name?", "name")}
    return InputRequiredResult(input_requests=asked, request_state=json.dumps({"round": 1}))


@tool()
async def test_input_required_result_tampered_state(context: Context) -> Asking:
    if context.request_state is not None:
        return f"state-ok: {context.request_state}"
    asked = {"confirm": form("Please confirm", "ok", "boolean")}
    return InputRequiredResult(input_requests=asked, request_state="round-1")


@tool()
async def test_input_required_result_capabilities(context: Context) -> InputRequiredResult:
    known, asked = context.client_capabilities, {}
    if known is None or known.sampling is not None:
        asked["sample"] = sampling("Say hello")
    if known is None or known.elicitation is not None:
        asked["ask"] = form("What is your name?", "name")
    return InputRequiredResult(input_requests=asked, request_state="capabilities")


@tool()
async def test_missing_capability(context: Context) -> str:
    known = context.session.client_capabilities
    if known is None or known.sampling is None:
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", {"requiredCapabilities": {"sampling": {}}}
        )
    return "The client offers sampling."


# -- schemas and lists


@tool("test_x_mcp_header")
def region_of(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "<none>",
) -> str:
    return f"region={region}"


SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def json_schema_2020_12_tool() -> str:
    return "json_schema_2020_12_tool"


_exact = Tool.from_function(json_schema_2020_12_tool, description="A tool with the keywords of 2020-12.").model_copy(
    update={"parameters": SCHEMA_2020_12}
)
everything._tool_manager._tools[_exact.name] = _exact


@tool()
async def test_trigger_tool_change(context: Context) -> str:
    everything.add_tool(test_simple_text, name="test_dynamic_tool")
    everything.remove_tool("test_dynamic_tool")
    await context.notify_tools_changed()
    return "tool list changed"


@tool()
async def test_trigger_prompt_change(context: Context) -> str:
    everything.add_prompt(Prompt.from_function(test_simple_prompt, name="test_dynamic_prompt"))
    everything.remove_prompt("test_dynamic_prompt")
    await context.notify_prompts_changed()
    return "prompt list changed"


# -- resources


everything.add_resource(TextResource(uri="test://static-text", name="static-text", text="The static text resource."))
everything.add_resource(TextResource(uri="test://watched-resource", name="watched", text="Watched resource content"))


@everything.resource("test://static-binary", mime_type="image/png")
def static_binary() -> bytes:
    return base64.b64decode(IMAGE)


@everything.resource("test://template/{id}/data", mime_type="application/json")
def template(id: str) -> str:
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


# -- prompts


@prompt()
def test_simple_prompt() -> list[UserMessage]:
    return [UserMessage("This is a simple prompt for testing.")]


@prompt()
def test_prompt_with_arguments(arg1: str, arg2: str) -> list[UserMessage]:
    return [UserMessage(f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")]


@prompt()
def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
    resource = embedded(resourceUri, "Embedded resource content for testing.")
    return [UserMessage(resource), UserMessage("Please process the embedded resource above.")]


@prompt()
def test_prompt_with_image() -> list[UserMessage]:
    return [UserMessage(image()), UserMessage("Please analyze the image above.")]


@prompt()
async def test_input_required_result_prompt(context: Context) -> list[UserMessage] | InputRequiredResult:
    given = filled_in(context, "user_context", "context")
    if given:
        return [UserMessage(f"Use the following context: {given}")]
    return InputRequiredResult(input_requests={"user_context": form("What context should the prompt use?", "context")})


# -- methods that our server does not have


@everything.completion()
async def completion(ref: Any, argument: Any, context: Any) -> Completion:
    return Completion(values=[], total=0, has_more=False)


async def accepted(context: Any, parameters: Any) -> EmptyResult:
    return EmptyResult()


low_level = everything._lowlevel_server
for method, parameters in {
    "logging/setLevel": SetLevelRequestParams,
    "resources/subscribe": SubscribeRequestParams,
    "resources/unsubscribe": UnsubscribeRequestParams,
}.items():
    low_level.add_request_handler(method, parameters, accepted)
