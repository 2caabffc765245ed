"""The server as it is when the first visitor comes."""

import os
import subprocess
import sys
from pathlib import Path

from tests.codebase import ROOT

SCRIPT = """
import ast, sys, app
app.import_frame()
tree = ast.parse(open("pages/_main.py").read())
named = {node.module: [alias.name for alias in node.names] for node in tree.body if isinstance(node, ast.ImportFrom)}
modules = {f"{module}.{name}" for module, names in named.items() for name in names} | set(named)
print(sorted(m for m in modules if m.startswith("components") and m not in sys.modules and not hasattr(
    sys.modules.get(m.rpartition(".")[0]), m.rpartition(".")[2])))
"""


def test_what_frames_a_page_is_imported_before_the_first_visit(tmp_path: Path) -> None:
    environment = {**os.environ, "ASOF_HOME": str(tmp_path)}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
