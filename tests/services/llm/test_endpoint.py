"""Where models are asked, and which."""

import subprocess
import sys

import pytest

from services.core.config import Settings
from services.llm.endpoint import models

pytestmark = pytest.mark.slow


def test_the_configured_models_in_order_and_once() -> None:
    configured = Settings(_env_file=None, model=" claude-sonnet-5-5, local ,claude-sonnet-5-5,")
    assert models(configured) == ("claude-sonnet-5-5", "local")
    assert models(Settings(_env_file=None, model="")) == ()


def test_whoever_asks_no_model_does_not_load_its_client() -> None:
    code = "import sys, services.agent.loop; sys.exit('anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
