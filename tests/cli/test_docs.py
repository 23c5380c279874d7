"""docs/cli.md: nothing missing, nothing that does not run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from duramen.cli import report
from duramen.cli.app import app
from tests.cli.run import duramen
from tests.web import Answer, serve

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = [line for block in re.findall(r"^```sh\n(.*?)^```", TEXT, re.M | re.S) for line in block.splitlines()]


def options() -> Iterator[tuple[str, str]]:
    """Every command with every option that it takes."""
    group = typer.main.get_command(app)
    for name, command in [("duramen", group), *group.commands.items()]:  # type: ignore[attr-defined]
        for parameter in command.params:
            yield from ((name, option) for option in parameter.opts if option.startswith("-"))


def section(command: str) -> str:
    """What the page says on one command; for `duramen` itself all of it."""
    return TEXT if command == "duramen" else TEXT.split(f"\n## duramen {command}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize(("command", "option"), sorted(options()))
def test_every_option_is_documented(command: str, option: str) -> None:
    assert re.search(rf"`(duramen )?{option}\b", section(command)), f"{option} of {command} is not in docs/cli.md"


def test_every_command_is_documented() -> None:
    documented = re.findall(r"^## duramen (\S+)$", TEXT, re.M)
    assert documented == list(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_no_option_is_documented_that_is_not_there() -> None:
    known = {option for _, option in options()} | {"--help"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT)) <= known


def test_exit_codes_are_documented() -> None:
    table = set(re.findall(r"^\| (\d+) \|", TEXT, re.M))
    codes = (report.FAILED, report.USAGE, report.NOTHING, report.INTERRUPTED, report.PIPE_CLOSED)
    assert table == {"0", *map(str, codes)}


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(pages: Path, example: str) -> None:
    """As it is written; a page on the web is served from here."""
    with serve({"/": Answer((pages / "page.html").read_bytes())}) as site:
        if "duramen extract https://example.org/" in example:
            example = example.replace("https://example.org/", f"{site.url('/')} --allow-private")
        if "|" in example:
            path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
            done = subprocess.run(
                example, shell=True, capture_output=True, text=True, timeout=60, check=False, env={"PATH": path}
            )
            code, out, err = done.returncode, done.stdout, done.stderr
        else:
            ran = duramen(*shlex.split(example)[1:])
            code, out, err = ran.code, ran.out, ran.err
    assert (code, err) == (0, "")
    assert out or "--output" in example


def test_examples_in_the_help_are_commands() -> None:
    """The short examples of `--help` use options that exist."""
    known = {option for _, option in options()}
    for name in typer.main.get_command(app).commands:  # type: ignore[attr-defined]
        shown = duramen(name, "--help").out
        examples = re.findall(rf"^  .*duramen {name}.*$", shown, re.M)
        assert examples
        assert {word for line in examples for word in line.split() if re.match(r"--?[a-zA-Z]", word)} <= known | {"-s"}
