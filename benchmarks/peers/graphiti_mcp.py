"""Graphiti's own MCP server from its source, unchanged, on standard input and output.

    python benchmarks/peers/graphiti_mcp.py MCP_SERVER_FOLDER CONFIG

It is written for version 1 of the protocol's library. Version 2, which is installed here, calls the class that it
builds on `MCPServer`, and what it uses of that is the same. Nothing of Asof is imported: its own modules have the same
names.
"""

import runpy
import sys
from pathlib import Path
from types import ModuleType

from mcp.server.mcpserver import MCPServer


def main() -> None:
    source, config = Path(sys.argv[1]) / "src", sys.argv[2]
    renamed = ModuleType("mcp.server.fastmcp")
    renamed.FastMCP = MCPServer  # type: ignore[attr-defined]
    sys.modules[renamed.__name__] = renamed
    sys.path[0] = str(source)
    sys.argv = [str(source / "graphiti_mcp_server.py"), "--config", config, "--transport", "stdio"]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
