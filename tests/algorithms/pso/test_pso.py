from __future__ import annotations

import json
import math
import pickle
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from duramen.algorithms.pso import BOUNDS, FEATURES, FORMATTING, LISTS, STRUCTURING, Measured, Pso, measure
from duramen.algorithms.pso.linguistic import LANGUAGES, stop_word_masks, stop_words
from duramen.algorithms.pso.speech import CLASSES, VERB
from duramen.algorithms.pso.textblocks import PRUNE, text_blocks
from duramen.algorithms.settings import configure
from duramen.errors import ModelError, OptionError
from duramen.extract import suited
from duramen.models.pso import PsoModel, model_text
from duramen.models.trees import Tree
from duramen.page import Page, Reason, Selection
from tests.algorithms.pso.test_textblocks import P1, TREES
from tests.support import find, kept_text, page_of

ENGLISH = stop_word_masks({"en": "the a an of to in on and is was it he she that this for with as at by".split()})
STORY = "The storm has hit the coast and it was the worst that we have seen in many years, as the mayor said to us."
STORM = """
The storm reached the northern coast shortly before noon on Tuesday, tearing roofs from fishermen's houses and blocking
the only road to the harbour with fallen pines. Power was out in three villages until the evening.

"We have not seen waves like these since my father ran the lifeboat," said Marta Lindqvist, who has managed the harbour
for twenty years. Her crew spent the morning securing trawlers that had broken loose from the eastern pier.

Nobody was seriously hurt, according to the regional rescue service. Two hikers who had been missing since Monday were
found in a mountain hut, cold but unharmed, after a search that involved forty volunteers and a helicopter.

Meteorologists expect the wind to weaken overnight. The ferry company plans to resume its timetable on Thursday
morning, while schools on the island will stay closed until engineers have inspected their damaged heating systems.
"""
NAV = "".join(f"<li><a href={k}>Headlines {k}</a></li>" for k in range(8))
ARTICLE = (
    f"<body><ul>{NAV}</ul><div><h1>Storm</h1><p>{STORY} {STORY}</p><p>{STORY}</p></div><div>Copyright</div></body>"
)
OPEN: dict[str, Any] = {name: -math.inf if name.startswith("min") else math.inf for name in BOUNDS}


def select(html: str, **kwargs: Any) -> tuple[Page, Selection]:
    chosen = Pso(**kwargs)
    page = suited(page_of(html), chosen)
    return page, chosen.select(page)


def text(html: str, **kwargs: Any) -> str:
    return kept_text(*select(html, **kwargs))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model whose bounds and tree both ask for five words a sentence."""
    path = tmp_path / "own.json"
    names = tuple(feature.name for feature in FEATURES)
    tree = Tree(
        ("anchors", "sentence_length"),
        np.array([1, -1, -1]),
        np.array([4.5, 0.0, 0.0]),
        np.array([1, -1, -1]),
        np.array([2, -1, -1]),
        np.array([0.5, 0.1, 0.9]),
    )
    bounds = (5.0, 0.0, 0.0, 0.0, 99.0, 0.0, 99.0, 0.0)
    directions = tuple(feature.direction for feature in FEATURES)
    path.write_text(model_text(PsoModel(names, directions, (1.0,) * 8, bounds, tree)), encoding="utf-8")
    return path


class TestVectors:
    def p1(self) -> Measured:
        return measure(text_blocks(page_of(P1)), ("en",), lists=ENGLISH)

    @pytest.mark.parametrize(
        ("feature", "values"),
        [
            ("sentence_length", [3, 9, 1]),
            ("sentences", [1, 2, 1]),
            ("alphanumerics", [1, 0.973684, 1]),
            ("stop_words", [0, 0.8, 0]),
            ("anchors", [3, 0.125, 0]),
            ("formatting", [0, 0.055556, 0]),
            ("lists", [1, 0, 0]),
            ("structuring", [0, 0.166667, 0]),
        ],
    )
    def test_p1_features(self, feature: str, values: list[float]) -> None:
        assert self.p1().features[feature].tolist() == pytest.approx(values, abs=1e-6)

    def test_p1_languages(self) -> None:
        measured = self.p1()
        assert measured.language.tolist() == [-1, 0, -1]
        assert measured.spoken(np.array([True, True, True])) == "en"
        assert measured.spoken(np.array([True, False, True])) is None

    def test_p1_decision(self) -> None:
        bounds = {**OPEN, "min_sentence_length": 5, "min_stop_words": 0.3, "max_anchors": 0.5}
        page, selection = select(P1, **bounds)
        assert kept_text(page, selection).startswith("Storm hits coast The storm hit the coast yesterday")
        assert kept_text(page, selection).endswith("of the mayor.")
        assert selection.columns["missed"].tolist() == [2, 0, 2]
        assert selection.score is not None
        assert selection.score.tolist() == [0.75, 1.0, 0.75]

    def test_p1_strategies(self) -> None:
        every_block = text(P1, strategy="PR")
        assert every_block.split()[:3] == ["Home", "World", "news"]
        assert every_block.endswith("Ads")
        assert "var x" not in every_block
        assert "var x=1;" in text(P1, strategy="TB")
        assert text(P1, **OPEN) == every_block  # PR is FE with every bound open

    def test_p2(self) -> None:
        _, selection = select("<div>one<br>two <i>thr</i>ee</div>", strategy="PR")
        assert selection.columns["words"].tolist() == [3]


class TestDecision:
    @pytest.mark.parametrize("name", BOUNDS)
    def test_a_value_at_its_bound_is_good_enough(self, name: str) -> None:
        page = page_of(P1)
        feature = measure(text_blocks(page)).features[name.split("_", 1)[1]]
        value = float(feature[1])
        step = 1e-9 if name.startswith("min") else -1e-9
        accepted = Pso(**OPEN | {name: value}).select(page)
        assert accepted.kept[find(page, '"Storm hits coast"')]
        rejected = Pso(**OPEN | {name: value + step}).select(page)
        assert not rejected.kept[find(page, '"Storm hits coast"')]

    def test_kept_rows_are_text_and_the_tags_around_it(self) -> None:
        page, selection = select(ARTICLE)
        assert selection.kept[find(page, "h1")]
        assert selection.kept[find(page, "p")]
        assert not selection.kept[find(page, "ul")]
        assert not selection.kept[find(page, "div")]  # a separator is implied by what it holds

    def test_nothing_accepted_is_empty_by_default(self) -> None:
        page, selection = select(ARTICLE, **OPEN | {"min_sentences": 99})
        assert selection.reason is Reason.NO_CONTENT
        assert not selection.kept.any()
        assert selection.flags == ()
        assert kept_text(page, selection) == ""

    def test_fallback_takes_the_block_that_misses_fewest_bounds(self) -> None:
        bounds = {**OPEN, "min_sentences": 99, "max_anchors": 0.5}
        page, selection = select(ARTICLE, **bounds, fallback="best")
        assert selection.flags == ("fallback",)
        assert selection.reason is None
        # "Copyright" misses no more than the story, which is longer.
        assert kept_text(page, selection).startswith("Storm The storm")
        assert selection.trace["accepted"] == 1

    def test_fallback_does_nothing_where_something_was_accepted_or_nothing_is(self) -> None:
        assert select(ARTICLE, fallback="best")[1].flags == ()
        assert select("", fallback="best")[1].reason is Reason.NO_TEXT

    @pytest.mark.parametrize("strategy", ["FE", "PR", "TB"])
    @pytest.mark.parametrize("html", ["", "<html><head><title></title></head></html>", "<div><br></div>"])
    def test_a_page_without_words_has_no_blocks(self, strategy: Any, html: str) -> None:
        _, selection = select(html, strategy=strategy)
        assert selection.reason is Reason.NO_TEXT
        assert selection.trace["blocks"] == 0

    def test_trace_is_json_and_tells_the_bounds(self) -> None:
        _, selection = select(ARTICLE, min_stop_words=-math.inf, min_sentences=2.0)
        trace = json.loads(json.dumps(selection.trace, allow_nan=False))
        bounds = {entry["feature"]: entry for entry in trace["bounds"]}
        assert bounds["stop_words"] == {"feature": "stop_words", "bound": "min", "value": None, "held": 3}
        assert bounds["sentences"]["value"] == 2.0
        assert trace["language"] == "en"
        assert (trace["blocks"], trace["accepted"]) == (3, 1)

    def test_the_lists_of_elements_can_be_chosen(self) -> None:
        html = "<div>one two<aside>three</aside></div>"
        assert text(html, strategy="PR", prune=(*PRUNE, "aside")) == "one two"


class TestLanguage:
    @pytest.mark.parametrize(
        ("sentence", "language"),
        [
            ("The mayor said that it was the worst storm of the year and that he was with the people.", "en"),
            ("Der Bürgermeister sagte, dass es der schlimmste Sturm des Jahres war und er bei den Leuten ist.", "de"),
            ("El alcalde dijo que fue la peor tormenta del año y que él estaba con la gente.", "es"),
            ("Le maire a dit que c'était la pire tempête de l'année et qu'il était avec les gens.", "fr"),
            ("Il sindaco ha detto che è stata la peggiore tempesta dell'anno e che era con la gente.", "it"),
            ("De burgemeester zei dat het de ergste storm van het jaar was en dat hij bij de mensen is.", "nl"),
            ("Pormestari sanoi, että se oli vuoden pahin myrsky ja että hän on ihmisten kanssa, mutta ei ole.", "fi"),
            ("A polgármester azt mondta, hogy ez volt az év legrosszabb vihara, és hogy ő is itt van.", "hu"),
            ("O prefeito disse que foi a pior tempestade do ano e que ele estava com as pessoas, não só.", "pt"),
            ("Primarul a spus că a fost cea mai rea furtună din acest an și că este cu oamenii.", "ro"),
            ("Мэр сказал, что это была самая сильная буря за год и что он был со всеми.", "ru"),
            ("Borgmästaren sade att det var den värsta stormen på året och att han är med oss, inte utan er.", "sv"),
        ],
    )
    def test_of_a_page(self, sentence: str, language: str) -> None:
        _, selection = select(f"<div>{sentence} {sentence}</div>", **OPEN)
        assert selection.trace["language"] == language
        assert selection.columns["language"].tolist() == [language]

    @pytest.mark.parametrize("sentence", ["Borgmesteren sagde at det var den værste storm og at han ikke er her."])
    def test_neighbours_are_told_apart_or_taken_for_each_other(self, sentence: str) -> None:
        _, selection = select(f"<div>{sentence}</div>", **OPEN)
        assert selection.trace["language"] in ("da", "no")

    def test_equally_good_languages_are_taken_in_their_order(self) -> None:
        lists = stop_word_masks({"it": ["la"], "es": ["la"]})
        measured = measure(text_blocks(page_of("la casa")), ("it", "es"), lists=lists)
        assert measured.language.tolist() == [0]

    def test_the_document_is_what_was_accepted(self) -> None:
        german = "Der Sturm war der schlimmste, den wir in dieser Stadt jemals gesehen haben, sagte er uns. "
        html = f"<div>{german * 3}</div><div><a href=1>the and of it was not for you to be</a></div>"
        assert select(html, **OPEN | {"max_anchors": 0.5})[1].trace["language"] == "de"

    def test_a_page_in_another_language_is_flagged_with_advice(self) -> None:
        chinese = "<p>台风今天中午登陆沿海地区 港口已经关闭 市长表示 目前没有人员伤亡 救援 工作 正在 进行</p>" * 3
        page, selection = select(chinese, **OPEN | {"min_stop_words": 0.1})
        assert selection.reason is Reason.NO_CONTENT
        assert selection.flags == ("unlisted_language",)
        assert "min_stop_words=0" in selection.trace["hint"]
        assert kept_text(page, Pso(**OPEN | {"min_stop_words": 0}).select(page)).startswith("台风")

    def test_another_language_can_be_named(self) -> None:
        polish = "Burmistrz powiedział, że to była najgorsza burza w tym roku i że on jest z nimi, ale nie tylko."
        _, selection = select(f"<div>{polish}</div>", languages=("en", "pl"), **OPEN)
        assert selection.trace["language"] == "pl"


class TestSpeech:
    def test_shares_are_reported_on_demand(self) -> None:
        _, plain = select(ARTICLE)
        _, tagged = select(ARTICLE, pos_features=True)
        assert not set(CLASSES) & set(plain.columns)
        assert set(CLASSES) <= set(tagged.columns)
        assert np.array_equal(plain.kept, tagged.kept)

    def test_own_tagger(self) -> None:
        _, selection = select(ARTICLE, pos_features=True, tagger=all_verbs)
        shares = selection.columns
        assert (shares["verbs"] + shares["function_words"]).tolist() == pytest.approx([1.0] * 3)

    def test_a_model_with_such_features_gets_them(self, tmp_path: Path) -> None:
        path = tmp_path / "pos.json"
        path.write_text(model_text(PsoModel(("function_words",), ("min",), (1.0,), (0.3,))), encoding="utf-8")
        page, selection = select(ARTICLE, model=str(path))
        assert "function_words" in selection.columns
        assert kept_text(page, selection).startswith("Storm The storm")


def all_verbs(words: Sequence[str], language: str | None) -> list[int]:
    return [VERB] * len(words)


def test_scripts_that_are_not_pruned_are_text() -> None:
    html = "<div>Some words here</div><script>var x = 1;</script>"
    assert not Pso(strategy="PR").reads_scripts
    assert "var x" not in text(html, strategy="PR")
    assert "var x" in text(html, strategy="PR", prune=("img",))


class TestModel:
    @pytest.mark.parametrize("name", ["news", "pages"])
    @pytest.mark.parametrize("classifier", ["thresholds", "tree"])
    def test_shipped(self, name: str, classifier: Any) -> None:
        article = "".join(f"<p>{paragraph}</p>" for paragraph in STORM.strip().split("\n\n"))
        found = text(f"<body><ul>{NAV}</ul><div>{article}</div><div>Copyright</div>", model=name, classifier=classifier)
        assert found == " ".join(STORM.split())

    @pytest.mark.parametrize("classifier", ["thresholds", "tree"])
    def test_own(self, model: Path, classifier: Any) -> None:
        html = "<div>Four words and out</div><div>But five words stay in</div>"
        page, selection = select(html, model=str(model), classifier=classifier)
        assert kept_text(page, selection) == "But five words stay in"
        assert selection.score is not None
        assert selection.score[1] > selection.score[0]
        assert selection.trace["classifier"] == classifier

    def test_a_setting_overrides_a_bound_of_the_model(self, model: Path) -> None:
        html = "<div>Four words and out</div><div>But five words stay in</div>"
        assert text(html, model=str(model), min_sentence_length=3.0) == "Four words and out But five words stay in"

    def test_without_a_tree(self, tmp_path: Path) -> None:
        path = tmp_path / "bare.json"
        path.write_text(model_text(PsoModel(("sentences",), ("min",), (1.0,), (1.0,))), encoding="utf-8")
        with pytest.raises(ModelError, match="has no decision tree"):
            Pso(model=str(path), classifier="tree")

    def test_with_a_feature_of_another_program(self, tmp_path: Path) -> None:
        path = tmp_path / "strange.json"
        path.write_text(model_text(PsoModel(("sentiment",), ("min",), (1.0,), (1.0,))), encoding="utf-8")
        with pytest.raises(ModelError, match="not known here: sentiment"):
            Pso(model=str(path))

    def test_other_strategies_need_none(self) -> None:
        assert Pso(model="nowhere", strategy="PR").strategy == "PR"
        with pytest.raises(ModelError, match="news"):
            Pso(model="nowhere")


class TestSettings:
    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ({"strategy": "HL"}, "FE, PR, TB"),
            ({"classifier": "forest"}, "thresholds, tree"),
            ({"fallback": "worst"}, "none, best"),
            ({"min_sentences": math.nan}, "min_sentences is a number"),
            ({"languages": ()}, "at least one"),
            ({"languages": ("xx",)}, "no stop-word list for xx"),
            ({"prune": ("blurb",)}, "names no HTML element: blurb"),
            ({"remove": ("#text",)}, "#text"),
        ],
    )
    def test_senseless_settings_are_refused(self, bad: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            Pso(**bad)

    def test_settings_come_from_text_too(self) -> None:
        options = {"strategy": "pr", "max-anchors": "0.5", "min_stop_words": "-inf", "languages": "en, de"}
        expected = Pso(strategy="PR", max_anchors=0.5, min_stop_words=-math.inf, languages=("en", "de"))
        assert configure({"pso": Pso}, "pso", "pso", options) == expected
        with pytest.raises(OptionError, match="no HTML element"):
            configure({"pso": Pso}, "pso", "pso", {"prune": "nothing-such"})

    @pytest.mark.parametrize("made", [Pso(), Pso(strategy="TB"), Pso(tagger=all_verbs, max_lists=0.25)])
    def test_round_trips(self, made: Pso) -> None:
        assert Pso(**asdict(made)) == made
        assert replace(made) == made
        assert pickle.loads(pickle.dumps(made)) == made


class TestSize:
    def test_deep(self) -> None:
        assert text("<span>" * 50_000 + f"{STORY} {STORY}").startswith("The storm")

    def test_wide(self) -> None:
        _, selection = select(f"<div>{STORY} {STORY}</div>" * 5_000)
        assert selection.trace["accepted"] == 5_000


# The features of each block, one by one, against the arrays.


def _plain(text_: str, linked: int, counts: dict[str, int]) -> dict[str, float]:
    found = re.findall(r"[^\W_]+", text_)
    n = len(found)
    pieces = [piece for piece in re.split(r"(?<=[.!?])\s+", text_) if re.search(r"[^\W_]", piece)]
    masks = stop_words()
    stops = [sum(masks.get(word.lower(), 0) >> bit & 1 for word in found) for bit in range(len(LANGUAGES))]
    return {
        "sentence_length": n / max(len(pieces), 1),
        "sentences": max(len(pieces), 1),
        "alphanumerics": sum(c.isalnum() for c in text_) / sum(not c.isspace() for c in text_),
        "stop_words": max(stop / max(1, n - stop) for stop in stops),
        "anchors": linked / max(1, n - linked),
        **{name: count / n for name, count in counts.items()},
    }


@settings(deadline=None, max_examples=100)
@given(tree=TREES)
def test_arrays_agree_with_plain_counting(tree: str) -> None:
    blocks = text_blocks(page_of(f"<body><div>The. Cat {tree}</div></body>"))
    measured = measure(blocks)
    kinds = {"formatting": FORMATTING, "lists": LISTS, "structuring": STRUCTURING}
    for k, (block, linked) in enumerate(zip(blocks.texts(), blocks.count_linked().tolist())):
        counts = {name: int(blocks.elements(tags.split())[k]) for name, tags in kinds.items()}
        # The generated sentences start with a capital or the end of a block, so that no guard applies …
        if re.search(r"[.!?]\s+[a-z0-9|]", block):
            continue  # … but where pieces happen to meet
        expected = _plain(block, linked, counts)
        assert {name: float(values[k]) for name, values in measured.features.items()} == pytest.approx(expected)
