"""The command line: one file a command, put together in `app`."""

from __future__ import annotations

import sys


def main() -> None:
    """What the `duramen` command and `python -m duramen` run."""
    try:
        _run()
    except KeyboardInterrupt:  # while things are still being imported; later ones end in `report`
        sys.exit(130)


def _run() -> None:
    if sys.argv[1:] == ["--version"]:  # half the time that the whole command line takes
        from duramen.cli.version import version_line

        sys.stdout.write(version_line() + "\n")
        return
    try:
        import rich  # noqa: F401  (typer can do without it, our tables cannot)
        import typer  # noqa: F401
    except ModuleNotFoundError as error:
        sys.stderr.write(f'duramen: the command line needs {error.name}: pip install "duramen[cli]"\n')
        sys.exit(1)
    from duramen.cli.app import app

    app()
