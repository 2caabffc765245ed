"""Where models are asked, and which."""

import subprocess
import sys

import pytest

from services.agent.model.endpoint import models
from services.config import Settings

pytestmark = pytest.mark.slow


def test_the_configured_models_in_order_and_once() -> None:
    configured = Settings(_env_file=None, model=" claude-sonnet-5-5, local ,claude-sonnet-5-5,")
    assert models(configured) == ("claude-sonnet-5-5", "local")
    assert models(Settings(_env_file=None, model="")) == ()


def test_whoever_asks_no_model_does_not_load_its_client() -> None:
    code = "import sys, services.agent.model.loop; sys.exit('anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
