from __future__ import annotations

import pytest

from duramen.algorithms.pso import Pso
from duramen.monitor import monitor
from duramen.page import Reason

STORY = (
    "Acme Motors opened its new plant in the valley on Monday, and the mayor was there. The company said that it will "
    "employ two hundred people by the end of the year. For ACME  Motors it is the third plant in the region."
)
PAGE = f"""<html><body><ul><li><a href=1>Globex in trouble</a></li><li><a href=2>Globex and Acme Motors</a></li></ul>
<div><p>{STORY}</p></div></body></html>"""


def test_mentions_count_in_the_content_only() -> None:
    found = list(monitor([("a", PAGE), ("b", b""), ("c", PAGE.encode())], ["Acme Motors", "Globex"], algorithm=Pso()))
    assert [each.name for each in found] == ["a", "b", "c"]
    assert found[0].text == " ".join(STORY.split())
    assert found[0].language == "en"
    assert found[0].mentions == {"Acme Motors": 2, "Globex": 0}
    assert found[0].around == {"Acme Motors": 1, "Globex": 2}
    assert found[1].reason is Reason.EMPTY_INPUT
    assert found[1].mentions == {"Acme Motors": 0, "Globex": 0}
    assert found[2].mentions == found[0].mentions


def test_names_are_whole_words() -> None:
    (found,) = monitor([("a", PAGE)], ["Acme", "Mot", "C.v"], algorithm=Pso())
    assert found.mentions == {"Acme": 2, "Mot": 0, "C.v": 0}


def test_settings_are_passed_on() -> None:
    (found,) = monitor([("a", PAGE)], ["Globex"], algorithm=Pso(), options={"strategy": "PR"})
    assert found.mentions == {"Globex": 2}


def test_an_empty_name_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        list(monitor([], [" "], algorithm=Pso()))
