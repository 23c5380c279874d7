"""The HTTP service: an API with OpenAPI, and a web page on it. `duramen serve` starts it; see docs/service.md."""

from __future__ import annotations

from duramen.service.app import create_app
from duramen.service.config import Config, read_config
from duramen.service.run import serve

__all__ = ["Config", "create_app", "read_config", "serve"]
