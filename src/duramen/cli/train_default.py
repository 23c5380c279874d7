"""`duramen train default`: learning the default extractor from labelled pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duramen.cli.outputs import encoded, write
from duramen.cli.report import say, warn
from duramen.errors import DuramenError, InputError

if TYPE_CHECKING:
    from duramen.train.default.judge import Judged

FEWEST_PAGES = 10


def default(
    data: Annotated[
        list[Path],
        typer.Argument(metavar="CORPORA", help=".jsonl corpora (also .xz, .gz) of labelled pages.", show_default=False),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the model to this .json file.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Same seed and pages, same model.")] = 0,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Rounds of the network over all blocks.")] = 10,
    teachers: Annotated[
        int, typer.Option("--teachers", min=0, help="Networks whose mean the one that is kept learns from.")
    ] = 4,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Parts, by site, of the cross-validation.")] = 5,
    workers: Annotated[
        int, typer.Option("--workers", "-w", min=1, help="Networks trained at the same time; the model is the same.")
    ] = 1,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="FOLDER", help="Write the reliability plot here.", show_default=False),
    ] = None,
    scores: Annotated[
        Path | None,
        typer.Option("--scores", metavar="FILE", help="Write every page's score to this file.", show_default=False),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Learn the model of the default extractor.

    Scores are cross-validated by site: no page is judged by a model that saw another page of its site.

    \b
    duramen train default wcxb.jsonl.xz chinese.jsonl.xz --output model.json
    duramen extract page.html -O model=model.json
    """
    from duramen.models.default import model_text
    from duramen.train.default.about import about
    from duramen.train.default.corpus import Corpus, fold_of
    from duramen.train.default.fit import Settings, fit_default
    from duramen.train.default.network import Training

    corpus = Corpus(data, copies=True)
    examples = list(corpus)
    pages = sum(not example.copy for example in examples)
    if pages < FEWEST_PAGES:
        raise InputError(f"too few labelled pages: {pages}, and at least {FEWEST_PAGES} are needed")
    if len({fold_of(example.site, folds) for example in examples}) < 2:
        raise InputError("the pages are of too few sites: those of one site are never in two folds")
    if not quiet:
        say(f"{pages} pages, {len(examples) - pages} of them also in older markup; {sum(map(len, examples))} blocks")
        if corpus.left_out:
            warn(f"pages left out, without text or labels: {corpus.left_out}")
    settings = Settings(folds=folds, workers=workers, network=Training(epochs=epochs, seed=seed, teachers=teachers))
    stated = about(data, corpus, examples, settings)
    fitted = fit_default(examples, settings, stated, (lambda text: None) if quiet else say)
    if output is not None:
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            output.write_bytes(encoded(model_text(fitted.model)))
        except OSError as problem:
            raise DuramenError(f"cannot write {output}: {problem.strerror or problem}") from None
    if scores is not None:
        scores.write_bytes(encoded("".join(json.dumps(each._asdict()) + "\n" for each in fitted.judged)))
    if plots is not None:
        from duramen.train.default.plots import plot_reliability

        plot_reliability(fitted.judged, fitted.model, plots)
    write(_told(fitted.judged))


def _told(judged: list[Judged]) -> str:
    from duramen.train.default.judge import table

    lines = [f"{'cross-validated':<24}{'pages':>6}{'F1':>8}{'P':>8}{'R':>8}"]
    lines += [f"{name:<24}{pages:>6}{f1:>8.4f}{p:>8.4f}{r:>8.4f}" for name, pages, f1, p, r in table(judged)]
    return "\n".join(lines) + "\n"
