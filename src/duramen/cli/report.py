"""What is said on stderr, and with which exit code the command ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import typer

from duramen.errors import DuramenError, OptionError, UnknownAlgorithm

# Exit codes, as docs/cli.md lists them.
FAILED = 1  # an input, or anything else, failed
USAGE = 2  # the command was not understood
NOTHING = 3  # every input was read, and none held any content
INTERRUPTED = 130  # Ctrl-C
PIPE_CLOSED = 141  # whoever read our output has gone: what a shell reports for SIGPIPE

CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
"""For `str.translate`: drops what would steer a terminal, keeps tabs and line ends."""


def is_terminal(stream: TextIO | None) -> bool:
    """Whether someone sits at the other end; a stream that the caller closed is None."""
    return stream is not None and stream.isatty()


def say(line: str) -> None:
    """One line on stderr, whatever a page or a server put into it."""
    if sys.stderr is None:  # closed by the caller
        return
    sys.stderr.write("duramen: " + " ".join(line.translate(CONTROLS).split()) + "\n")
    sys.stderr.flush()


def error(line: str) -> None:
    """Say what failed."""
    say(f"error: {line}")


def warn(line: str) -> None:
    """Say what is odd."""
    say(f"warning: {line}")


@contextmanager
def reported() -> Iterator[None]:
    """Ends the command with one line and an exit code where something goes wrong, never with a traceback."""
    try:
        yield
    except DuramenError as problem:
        error(str(problem))
        raise typer.Exit(USAGE if isinstance(problem, OptionError | UnknownAlgorithm) else FAILED) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        raise typer.Exit(PIPE_CLOSED) from None
