"""Tables: as Markdown for people, CSV and JSON for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Cell = str | int | float | None
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """A headed table; figures are rounded when they are shown, never before."""

    name: str  # of its files
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    digits: int = 3

    def shown(self, cell: Cell) -> str:
        """A cell as people read it."""
        if cell is None:
            return NOTHING
        return f"{cell:.{self.digits}f}" if isinstance(cell, float) else str(cell)

    def markdown(self) -> str:
        """With its title and note."""
        figures = [all(not isinstance(row[at], str) for row in self.rows) for at in range(len(self.head))]
        lines = [self.head, tuple("---:" if figure else "---" for figure in figures)]
        lines += [tuple(self.shown(cell).replace("|", "\\|") for cell in row) for row in self.rows]
        text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return f"**{self.title}**\n\n{text}\n" + (f"\n{self.note}\n" if self.note else "")

    def csv(self) -> str:
        """Figures in full; an empty field where there is none."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self.head)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return file.getvalue()

    def json(self) -> str:
        """A list of objects."""
        rows = [dict(zip(self.head, row)) for row in self.rows]
        return json.dumps({"title": self.title, "note": self.note, "rows": rows}, ensure_ascii=False, indent=1) + "\n"

    def save(self, folder: Path) -> None:
        """Write the CSV and the JSON file; the Markdown goes into the page that shows the table."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.csv").write_text(self.csv(), "utf-8")
        (folder / f"{self.name}.json").write_text(self.json(), "utf-8")


def table(
    name: str, title: str, head: Sequence[str], rows: Sequence[Sequence[Cell]], note: str = "", digits: int = 3
) -> Table:
    """A table of any sequences."""
    return Table(name, title, tuple(head), tuple(tuple(row) for row in rows), note, digits)
