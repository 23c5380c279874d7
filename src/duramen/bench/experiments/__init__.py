"""The papers' tables and figures, each an experiment by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

from duramen.bench.experiments import cetd, chinese, coreex, econ, pso
from duramen.bench.experiments.experiment import Experiment, Finding, Setting
from duramen.errors import OptionError

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {each.name: each for each in (*coreex.ALL, *econ.ALL, *pso.ALL, *cetd.ALL, *chinese.ALL)}
)
"""Every experiment by name."""

__all__ = ["EXPERIMENTS", "Experiment", "Finding", "Setting", "named", "perform"]


def named(name: str) -> list[Experiment]:
    """The experiment of that name; `all` of them, or all that begin with `coreex`, `cetd` …"""
    if name == "all":
        return list(EXPERIMENTS.values())
    family = [each for key, each in EXPERIMENTS.items() if key.partition("-")[0] == name]
    if name not in EXPERIMENTS and not family:
        close = get_close_matches(name, EXPERIMENTS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "`duramen bench list` names them"
        raise OptionError(f"unknown experiment {name!r}: {hint}")
    return [EXPERIMENTS[name]] if name in EXPERIMENTS else family


def perform(experiment: Experiment, setting: Setting, folder: Path) -> str:
    """Run an experiment: NAME.md in the folder, tables and figures in NAME/ beside it. The page's text is returned."""
    found = experiment.run(setting)
    beside = folder / experiment.name
    beside.mkdir(parents=True, exist_ok=True)
    parts = [f"# {experiment.name}", f"{experiment.title}. {experiment.paper}"]
    sample = f" --sample {setting.sample}" if setting.sample else ""
    only = f" --only {','.join(setting.paths)}" if setting.asked else ""
    parts.append(
        f"```sh\nduramen bench experiment {experiment.name} --data CORPORA{only}{sample} --seed {setting.seed}\n```"
    )
    if found.about:
        parts.append(found.about)
    for each in found.tables:
        each.save(beside)
        parts.append(each.markdown().rstrip())
    for figure in found.figures:
        figure.save(beside)
        parts.append(f"![{figure.title}]({experiment.name}/{figure.name}.svg)")
    text = "\n\n".join(parts) + "\n"
    (folder / f"{experiment.name}.md").write_text(text, "utf-8")
    return text
