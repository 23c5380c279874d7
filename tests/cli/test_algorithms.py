"""`duramen algorithms`, `--version` and the help."""

from __future__ import annotations

import json
import re

import pytest

from duramen.algorithms import ALGORITHMS, DEFAULT, algorithm, settings
from tests.cli.run import duramen, installed


def test_list_names_every_algorithm_and_its_paper() -> None:
    done = duramen("algorithms")
    assert (done.code, done.err) == (0, "")
    for name, kind in ALGORITHMS.items():
        assert re.search(rf"^{name}( \(default\))?$", done.out, re.MULTILINE)
        assert kind.paper in done.out
    assert f"{DEFAULT} (default)\n" in done.out
    assert "-O " not in done.out


@pytest.mark.parametrize("name", ALGORITHMS)
def test_settings_of_one(name: str) -> None:
    done = duramen("algorithms", name)
    assert done.code == 0
    for setting in settings(ALGORITHMS[name]):
        assert f"-O {setting.name.rstrip('_')}=" in done.out
    assert len(re.findall(r"^\S", done.out, re.MULTILINE)) == 1


@pytest.mark.parametrize("name", ALGORITHMS)
def test_settings_can_be_typed_as_they_are_listed(name: str) -> None:
    listed = dict(re.findall(r"-O (\S+?)=(.*?)(?:  |$)", duramen("algorithms", name).out))
    assert algorithm(name, listed) == algorithm(name)


def test_verbose_lists_all_settings() -> None:
    done = duramen("algorithms", "--verbose")
    assert done.out.count("-O ") == sum(len(settings(kind)) for kind in ALGORITHMS.values())


def test_json() -> None:
    records = json.loads(duramen("algorithms", "--json").out)
    assert [record["name"] for record in records] == list(ALGORITHMS)
    assert [record["name"] for record in records if record["default"]] == [DEFAULT]
    one = json.loads(duramen("algorithms", "default", "--json").out)
    assert one["name"] == DEFAULT
    assert {"name", "type", "default"} == set(one["options"][0])


def test_unknown_name() -> None:
    done = duramen("algorithms", "cetdd")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("duramen: error: unknown algorithm 'cetdd': did you mean 'cetd'?")


def test_version() -> None:
    done = installed("--version")
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(
        r"duramen \S+ \(Python 3\.\d+\.\S+, (compiled|pure) kernel, selectolax \S+ \(Lexbor\)\)\n", done.out
    )


def test_help() -> None:
    assert "duramen extract page.html" in duramen("--help").out
    for command in ("extract", "explain", "compare", "algorithms"):
        done = duramen(command, "-h")
        assert done.code == 0
        assert f"  duramen {command}\n" in done.out or f"  duramen {command} page.html\n" in done.out
