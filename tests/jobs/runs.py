"""Running `duramen batch` as a process of its own, and doing things to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIMIT = 120  # seconds: nothing here takes as long


def command(*arguments: str | Path) -> list[str]:
    """The command line of a batch."""
    return [sys.executable, "-m", "duramen", "batch", "--part-bytes", "3000", *map(str, arguments)]


def batch(
    *arguments: str | Path, before: Callable[[], None] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a batch to its end; `before` runs in the new process first."""
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=LIMIT, check=False, preexec_fn=before, cwd=cwd
    )


def start(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Start a batch."""
    return subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_parts(run: subprocess.Popen[bytes], journal: Path, parts: int) -> bool:
    """Wait until so many parts are done; whether it is still running then."""
    deadline = time.monotonic() + LIMIT
    while run.poll() is None and time.monotonic() < deadline:
        if journal.exists() and journal.read_bytes().count(b'{"part"') >= parts:
            return True
        time.sleep(0.002)
    return False


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(path.parent.name))
    return sorted(found)


def kill(pid: int) -> None:
    """End a process as the system does when memory runs out."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
