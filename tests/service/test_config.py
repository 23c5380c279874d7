"""The configuration: from variables and flags, with mistakes told."""

from __future__ import annotations

import dataclasses
from ipaddress import ip_network
from pathlib import Path

import pytest

from duramen.errors import OptionError
from duramen.service.config import PREFIX, Config, read_config

DOCS = Path(__file__).parents[2] / "docs" / "service.md"


def test_nothing_given_is_the_default() -> None:
    assert read_config({}) == Config()


def test_variables_and_flags() -> None:
    environ = {
        "DURAMEN_PORT": "9000",
        "DURAMEN_SECONDS": "2.5",
        "DURAMEN_FETCHING": "off",
        "DURAMEN_ALLOW_NETWORKS": "10.1.0.0/16, fd00::/8",
        "DURAMEN_ALLOWED_HOSTS": "a.example b.example",
        "DURAMEN_QUEUE": " ",
    }
    config = read_config(environ, port=9001, workers=None)
    assert (config.port, config.seconds, config.fetching, config.queue) == (9001, 2.5, False, Config.queue)
    assert config.allow_networks == (ip_network("10.1.0.0/16"), ip_network("fd00::/8"))
    assert config.hosts == ("a.example", "b.example")


def test_keys_come_from_a_file_too(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("first-key-of-some-length\nsecond-key-of-some-length\n")
    environ = {"DURAMEN_API_KEYS": "third-key-of-some-length", "DURAMEN_API_KEYS_FILE": str(keys)}
    assert len(read_config(environ).api_keys) == 3
    with pytest.raises(OptionError, match="cannot read the API keys"):
        read_config({"DURAMEN_API_KEYS_FILE": str(tmp_path / "none")})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "70000"),
        ("SECONDS", "0"),
        ("SECONDS", "inf"),
        ("SECONDS", "nan"),
        ("WORKERS", "-1"),
        ("ALLOW_NETWORKS", "10.0.0.1/8"),
        ("ALLOW_NETWORKS", "example.org"),
        ("API_KEYS", "short"),
        ("LOG_LEVEL", "loud"),
        ("FETCHING", "maybe"),
    ],
)
def test_mistakes_are_told(name: str, value: str) -> None:
    with pytest.raises(OptionError):
        read_config({PREFIX + name: value})


@pytest.mark.parametrize(
    ("host", "hosts"), [("127.0.0.1", ("localhost", "127.0.0.1", "::1")), ("0.0.0.0", ()), ("192.0.2.1", ())]
)
def test_names_that_a_service_answers_to(host: str, hosts: tuple[str, ...]) -> None:
    assert Config(host=host).hosts == hosts


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Config)])
def test_every_setting_is_documented(field: str) -> None:
    assert f"`{PREFIX}{field.upper()}`" in DOCS.read_text("utf-8")
