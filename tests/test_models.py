from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from duramen.errors import DuramenError, ModelError
from duramen.models import shipped
from duramen.models.pso import VERSION, PsoModel, load_pso, model_text

GOOD = PsoModel(("sentences", "anchors"), ("min", "max"), (20.0, 1.0), (2.0, 0.5), training={"score": 0.8})


def write(path: Path, **changes: Any) -> str:
    data = GOOD.to_dict() | changes
    path.write_text(json.dumps({key: value for key, value in data.items() if value != "gone"}), encoding="utf-8")
    return str(path)


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(model_text(GOOD), encoding="utf-8")
    read = load_pso(str(path))
    assert read.to_dict() == GOOD.to_dict()


@pytest.mark.parametrize("name", shipped("pso"))
def test_shipped_models_are_whole(name: str) -> None:
    model = load_pso(name)
    assert len(model.features) == 8
    assert model.tree is not None
    training = model.training
    assert 0 < training["score"] <= 1
    assert training["pages"] > 400
    assert len(training["data"]) == 64
    assert not any("/" in corpus for corpus in training["corpora"])  # no path of the machine it was made on


def test_the_shipped_ones_are_named() -> None:
    assert shipped("pso") == ["news", "pages"]


def test_a_model_that_was_trained_anew_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    name = write(path)
    assert load_pso(name).thresholds == (2.0, 0.5)
    write(path, thresholds=[3.0, 0.25])
    os.utime(path, ns=(1, 1))
    assert load_pso(name).thresholds == (3.0, 0.25)


def test_unknown_name() -> None:
    with pytest.raises(ModelError, match=r"no pso model 'newz' \(version 1\), only news, pages; a model of your own"):
        load_pso("newz")
    assert issubclass(ModelError, DuramenError)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"cannot read the pso model .*gone.json \(version 1\): No such file"):
        load_pso(str(tmp_path / "gone.json"))
    with pytest.raises(ModelError, match="cannot read"):
        load_pso(str(tmp_path) + "/")  # a folder


def test_another_version(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=f"m.json is a pso model of version 9, but version {VERSION} is needed"):
        load_pso(write(tmp_path / "m.json", version=9))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "duramen learned"}, "not marked as"),
        ({"thresholds": "gone"}, "it has no 'thresholds'"),
        ({"thresholds": [1.0]}, "differ in length"),
        ({"thresholds": [1.0, None]}, "usable"),
        ({"thresholds": [1.0, float("nan")]}, "are numbers"),
        ({"features": []}, "differ in length"),
        ({"directions": ["min", "up"]}, "min or max"),
        ({"training": 7}, "usable"),
        ({"tree": {"features": ["x"]}}, "it has no 'feature'"),
        ({"tree": {"features": ["x"], "feature": [], "left": [], "right": [], "threshold": [], "share": []}}, "length"),
        (
            {"tree": {"features": ["x"], "feature": [0], "left": [0], "right": [0], "threshold": [1], "share": [1]}},
            "leads nowhere",  # a loop would never end
        ),
        (
            {"tree": {"features": ["x"], "feature": [3], "left": [1], "right": [1], "threshold": [1], "share": [1]}},
            "leads nowhere",
        ),
        ({"tree": [1, 2]}, "usable"),
    ],
)
def test_damaged(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        load_pso(write(tmp_path / "m.json", **changes))
    assert "m.json" in str(caught.value)
    assert f"version {VERSION}" in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"7", b'{"format": 1}'])
def test_no_model_at_all(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="is no usable pso model of version 1"):
        load_pso(str(path))
