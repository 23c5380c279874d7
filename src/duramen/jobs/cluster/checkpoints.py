"""Which units are done, as files beside the parts: after any interruption the same command goes on where it stopped.

A unit is done when its part stands and its marker, which is written after the part and says how large it is. Tasks of
a cluster may be started twice, and may die anywhere: whatever else is found is not there, and a part that is written
twice has the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from duramen.errors import OptionError
from duramen.jobs.cluster.perform import Done, copy_row_groups
from duramen.jobs.cluster.places import Place, shown
from duramen.jobs.parts import Form
from duramen.jobs.settings import Settings

JOB = "_job.json"


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The folder of parts and markers."""

    folder: str  # path or address: it travels to tasks
    form: Form

    def part(self, number: int) -> Place:
        """The file of a unit's results."""
        return Place.of(self.folder) / f"part-{number:06d}.{self.form.value}"

    def marker(self, number: int) -> Place:
        """The file that says that a unit is done."""
        return Place.of(self.folder) / f"part-{number:06d}.done"

    def begin(self, job: dict[str, Any]) -> None:
        """Make the folder, or see that it belongs to the same job."""
        folder = Place.of(self.folder)
        folder.make()
        note = folder / JOB
        if note.size() is None:
            with note.written() as file:
                file.write(json.dumps(job, sort_keys=True).encode())
        elif json.loads(note.read()) != job:
            raise OptionError(
                f"{shown(self.folder)} belongs to a job with other options or another version: "
                "finish that one, choose another output, or start over with --overwrite"
            )

    def commit(self, number: int, data: bytes, done: Done) -> Done:
        """Write a part, then its marker."""
        done.size = len(data)
        with self.part(number).written() as file:
            file.write(data)
        with self.marker(number).written() as file:
            file.write(json.dumps(done.described()).encode())
        return done

    def done(self, number: int, unit: str) -> Done | None:
        """What is noted of a unit; None where it is not done, or was made from something else."""
        return self._read(number, unit, self.part(number).size()) if self.marker(number).size() else None

    def all_done(self, identities: Iterable[str]) -> dict[int, Done]:
        """What is noted of all units that are done: one look at the folder."""
        names = Place.of(self.folder).names()
        found: dict[int, Done] = {}
        for number, identity in enumerate(identities):
            size = names.get(f"part-{number:06d}.{self.form.value}")
            if size is not None and f"part-{number:06d}.done" in names:
                done = self._read(number, identity, size)
                if done is not None:
                    found[number] = done
        return found

    def forget(self, number: int) -> None:
        """Take a unit's marker away, so that it is made again."""
        self.marker(number).remove()

    def join(self, count: int, file: BinaryIO, settings: Settings) -> None:
        """All parts as one file."""
        if self.form is Form.PARQUET:
            copy_row_groups(self.opened(count), file, settings)
            return
        for number in range(count):
            file.write(self.part(number).read())

    def opened(self, count: int) -> Iterator[Any]:
        """The parts, one after the other, to be read."""
        for number in range(count):
            with self.part(number).open() as file:
                yield file

    def _read(self, number: int, unit: str, size: int | None) -> Done | None:
        try:
            done = Done(**json.loads(self.marker(number).read()))
        except (OSError, ValueError, TypeError):
            return None
        return done if (done.unit, done.size) == (unit, size) else None
