"""`duramen train page-type`: learning the types of pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duramen.cli.outputs import encoded, write
from duramen.cli.report import say
from duramen.errors import DuramenError

if TYPE_CHECKING:
    from duramen.train.page_type import Judged


def page_type(
    data: Annotated[
        list[Path],
        typer.Argument(
            metavar="CORPORA", help=".jsonl corpora (also .xz) of pages with a page_type.", show_default=False
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the model to this .json file.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Same seed and pages, same model.")] = 0,
    evaluate: Annotated[bool, typer.Option("--evaluate/--no-evaluate", help="Cross-validate by site as well.")] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Learn the model of page types.

    Accuracy is cross-validated by site: no page is judged by a model that saw another page of its site.

    \b
    duramen train page-type wcxb.jsonl.xz --output page-type.json
    """
    from duramen.models.page_type import model_text
    from duramen.train.page_type import cross_validate, fit, read_cases

    if not quiet:
        say("Reading pages")
    cases, digest = read_cases(data)
    about: dict[str, object] = {"data": digest, "corpora": [place.name for place in data]}
    if evaluate:
        if not quiet:
            say(f"Cross-validating on {len(cases)} pages")
        judged = cross_validate(cases, seed)
        about |= {"accuracy": round(judged.accuracy(), 4), "accuracy_without_url": round(judged.accuracy(False), 4)}
        write(told(judged))
    if output is not None:
        if not quiet:
            say(f"Training on {len(cases)} pages")
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_bytes(encoded(model_text(fit(cases, seed, about))))
        except OSError as problem:
            raise DuramenError(f"cannot write {output}: {problem.strerror or problem}") from None


def told(judged: Judged) -> str:
    """Accuracy, and how many pages of each type were taken for which."""
    from duramen.algorithms.learned.page_type import TYPES

    lines = [f"accuracy {judged.accuracy():.4f}, without addresses {judged.accuracy(False):.4f}", ""]
    lines.append(f"{'pages of':<14}" + "".join(f"{name[:8]:>9}" for name in TYPES) + f"{'found':>9}")
    for number, (name, row) in enumerate(zip(TYPES, judged.confusion().tolist())):
        share = row[number] / max(sum(row), 1)
        lines.append(f"{name:<14}" + "".join(f"{count:>9}" for count in row) + f"{share:>9.3f}")
    return "\n".join(lines) + "\n"
