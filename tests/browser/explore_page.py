"""The Explore page as a person meets it: entities by name, instants by date."""

from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page

_UNTIL = """async (frame, [body, value]) => {
  const holds = new Function("scene", "value", "frame", `return ${body}`);
  const deadline = performance.now() + 60000;
  while (!(frame.scene?.network && holds(frame.scene, value, frame))) {
    if (performance.now() > deadline) throw new Error(`never came true: ${body}, ${JSON.stringify(value)}`);
    await new Promise(requestAnimationFrame);
  }
}"""
_ON_SCREEN = """(frame, id) => {
  const box = frame.scene.canvas.getBoundingClientRect();
  const at = frame.scene.network.canvasToDOM(frame.scene.position(id));
  return [box.left + at.x, box.top + at.y];
}"""
_ON_FACT = """(frame, id) => {
  const box = frame.scene.canvas.getBoundingClientRect();
  const at = frame.scene.network.canvasToDOM(frame.scene.network.body.edges[id].edgeType.getPoint(0.5));
  return [box.left + at.x, box.top + at.y];
}"""


class ExplorePage:
    """Drives the page; `reruns()` counts what the browser has asked the server to do."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self._sent: list[object] = []
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: self._sent.append(frame)))

    def open(self, **params: str) -> "ExplorePage":
        self.page.goto(f"{self.url}/Explore?{urlencode({'w': 'peps', **params})}")
        self.until("scene.visible().length >= 0")
        return self

    @property
    def frame(self) -> Any:
        return self.page.locator(".frame")

    def until(self, condition: str, value: Any = None) -> None:
        """Wait until a JavaScript condition on `scene` (and `value`, `frame`) holds."""
        self.frame.evaluate(_UNTIL, [condition, value])

    def read(self, expression: str, value: Any = None) -> Any:
        return self.frame.evaluate(f"(frame, value) => {{ const scene = frame.scene; return {expression}; }}", value)

    def id_of(self, name: str) -> str:
        return str(self.read("[...scene.entities.values()].find((entity) => entity.name === value).id", name))

    def place_of(self, name: str) -> dict[str, float]:
        return dict(self.read("scene.position(value)", self.id_of(name)))

    def click_entity(self, name: str, *, double: bool = False) -> None:
        (self.page.mouse.dblclick if double else self.page.mouse.click)(*self.on_screen(name))

    def on_screen(self, name: str) -> tuple[float, float]:
        """Where an entity is drawn now; the picture may move when others arrive."""
        x, y = self.frame.evaluate(_ON_SCREEN, self.id_of(name))
        return x, y

    def click_fact(self, fact_id: str) -> None:
        x, y = self.frame.evaluate(_ON_FACT, fact_id)
        self.page.mouse.click(x, y)

    def fact(self, source: str, target: str) -> str:
        """A drawn fact from one entity to another."""
        return str(
            self.read(
                "scene.drawnFacts().find((id) => { const { from, to } = scene.edges.get(id);"
                " return scene.entities.get(from).name === value[0] && scene.entities.get(to).name === value[1]; })",
                [source, target],
            )
        )

    def panel(self) -> Any:
        return self.page.locator(".st-key-explore_panel")

    def headed(self, name: str) -> Any:
        """The head of the panel about an entity."""
        return self.panel().locator(f'[data-entity="{name}"]')

    def slider(self, handle: str = "a") -> Any:
        return self.page.locator(f"input.{handle}[type=range]")

    def reruns(self) -> int:
        return len(self._sent)

    def settle(self) -> None:
        """Wait until the server has answered everything."""
        self.page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')

    def drag(self, shares: list[float], handle: str = "a") -> None:
        """Press the handle and draw it through shares of the track, without letting go."""
        box = self.slider(handle).bounding_box()
        thumb = self.read(
            "(() => { const i = frame.querySelector(`input.${value}[type=range]`);"
            " return (Number(i.value) - i.min) / (i.max - i.min); })()",
            handle,
        )
        y = box["y"] + 38
        self.page.mouse.move(box["x"] + 8 + thumb * (box["width"] - 16), y)
        self.page.mouse.down()
        for share in shares:
            self.page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), y, steps=6)
