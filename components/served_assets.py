"""Scripts of our own components, served by Streamlit from folders of the code."""

import functools
import hashlib
from pathlib import Path

from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

CLIPBOARD = Path(__file__).parent / "graph_view/assets/clipboard.js"
"""The script that copies a text, for the components that stand it before theirs."""


@functools.cache
def named_by_content(name: str, folder: Path) -> str:
    """Return a name with a digest of the folder's scripts: it is part of their address, and Streamlit's server lets
    browsers keep what they once fetched from an address.
    """
    digest = hashlib.sha256()
    for script in sorted(folder.glob("*.js")):
        digest.update(script.read_bytes())
    return f"{name}-{digest.hexdigest()[:10]}"


def serve(name: str, folder: Path) -> str:
    """Let Streamlit serve a folder without a package of its own, and return what its component is registered as.

    Installed packages are found by their manifest; this hands the same manifest over for a folder that is there anyway.
    """
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(f"asof.{name}") is None:
        manager.register_from_manifest(
            ComponentManifest("asof", "1", [ComponentConfig(name, folder.name)]), folder.parent
        )
    return f"asof.{name}"
