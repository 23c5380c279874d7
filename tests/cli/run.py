"""Running the command line: in this process for speed, or as the installed command for what only that shows."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from duramen.cli.app import app

COMMAND = str(Path(sys.executable).with_name("duramen"))


@dataclass(frozen=True)
class Done:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str


def duramen(*arguments: str | Path, stdin: bytes = b"") -> Done:
    """Run a command in this process; an exception that would be a traceback is raised."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False)
    return Done(result.exit_code, result.stdout_bytes.decode(), result.stderr)


def installed(*arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None) -> Done:
    """Run the installed command in a process of its own."""
    command = [COMMAND, *(str(argument) for argument in arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=60, check=False, env=env)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())
