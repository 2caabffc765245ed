"""A picture, a sound and an embedded text, as the tools, resources and prompts of the conformance suite give them."""

from mcp_types import (
    EmbeddedResource,
    ImageContent,
    TextResourceContents,
)

IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="


def embedded(uri: str, text: str, mime_type: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=mime_type, text=text))


def image() -> ImageContent:
    return ImageContent(type="image", data=IMAGE, mime_type="image/png")
