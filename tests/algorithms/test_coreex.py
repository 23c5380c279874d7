from __future__ import annotations

import json
import pickle
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duramen.algorithms.coreex import CONFIGURATIONS, SWITCHES, CoreEx
from duramen.algorithms.settings import configure
from duramen.errors import OptionError
from duramen.extract import suited
from duramen.page import Page, Reason, Selection
from tests.support import find, kept_text, page_of, words

# The HTML5 tree puts html and head around the vectors and body at depth 1. No count changes, since nothing outside
# body counts, and no tie, since all candidates are one level deeper.
T1 = """<body>Note: <p>A paragraph <a href="x">with a link</a></p>
<ul><li>Item one here</li><li>Item two here</li></ul></body>"""
T2 = f"""<body><ul><li><a href=1>Home</a></li><li><a href=2>World</a></li></ul>
<div><p>{words(10, "a")}</p><div id=ads><a href=3>ad</a> <a href=4>ad two</a></div>
<p>{words(12, "b")}</p><p>{words(8, "c")}</p></div></body>"""
T3 = f"""<body><div><p>{words(6, "a")}</p><p>{words(4, "b")}</p></div>
<form><select><option>{words(30, "o")}</option></select></form></body>"""
T4 = f"<body><div><p>{words(19, 'a')} <a href=1>x y</a></p><p>{words(10, 'b')}</p></div></body>"
INDEX = (
    f"<body><ul>{''.join(f'<li><a href={n}>Headline {n}</a></li>' for n in range(20))}</ul><p>Welcome to our site</p>"
)


def select(html: str, *args: Any, **kwargs: Any) -> tuple[Page, Selection]:
    chosen = CoreEx(*args, **kwargs)
    page = suited(page_of(html), chosen)
    return page, chosen.select(page)


def text(html: str, *args: Any, **kwargs: Any) -> str:
    return kept_text(*select(html, *args, **kwargs))


def tags(page: Page, rows: list[int]) -> list[str]:
    return [page.tag_name(row) for row in rows]


class TestSettings:
    @pytest.mark.parametrize(("name", "values"), CONFIGURATIONS.items())
    def test_configuration_sets_the_switches(self, name: Any, values: tuple[bool, ...]) -> None:
        assert tuple(getattr(CoreEx(name), switch) for switch in SWITCHES) == values

    def test_default_is_r5(self) -> None:
        assert CoreEx() == CoreEx("R5") == CoreEx(None)
        assert CoreEx().configuration == "R5"

    def test_only_r6_asks_for_xhtml(self) -> None:
        assert [name for name in CONFIGURATIONS if CoreEx(name).xhtml] == ["R6"]  # type: ignore[arg-type]

    def test_switches_combine_freely(self) -> None:
        free = CoreEx("R5", subset=False)
        assert (free.weighted, free.subset, free.ignore_forms, free.remove_scripts) == (True, False, True, True)
        assert free.configuration is None  # the paper has no such row

    def test_switches_that_make_up_another_configuration_name_it(self) -> None:
        assert CoreEx("R1", weighted=True, subset=True) == CoreEx("R3")

    @pytest.mark.parametrize("made", [CoreEx("R3"), CoreEx("R6"), CoreEx("R2", remove_scripts=True, threshold=0.5)])
    def test_round_trips(self, made: CoreEx) -> None:
        assert CoreEx(**asdict(made)) == made
        assert replace(made) == made
        assert pickle.loads(pickle.dumps(made)) == made

    def test_replacing_a_switch_leaves_the_others(self) -> None:
        assert replace(CoreEx("R4"), ignore_forms=False) == CoreEx("R3")

    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ({"weight_text": 0.2}, "set weight_ratio=0.8"),
            ({"weight_ratio": 1.5, "weight_text": -0.5}, "weight_ratio lies between 0 and 1"),
            ({"weight_ratio": float("nan")}, "weight_ratio lies between"),
            ({"threshold": 1.1}, "threshold lies between"),
            ({"configuration": "R7"}, "R1, R2, R3, R4, R5, R6"),
            ({"tie": "lower"}, "higher, random"),
            ({"title_recovery": "on"}, "off, header, pagetitle, both"),
            ({"title_depth": "all"}, "sibling, subtree"),
            ({"article_ratio": 60}, "article_ratio lies between"),
            ({"article_words": -1}, "0 or more"),
        ],
    )
    def test_senseless_settings_are_refused(self, bad: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            CoreEx(**bad)

    def test_settings_come_from_text_too(self) -> None:
        options = {
            "configuration": "r3",
            "remove-scripts": "on",
            "weight_ratio": "0.8",
            "weight_text": "0.2",
            "seed": "7",
        }
        assert configure({"coreex": CoreEx}, "coreex", "default", options) == CoreEx(
            "R3", remove_scripts=True, weight_ratio=0.8, weight_text=0.2, seed=7
        )

    def test_wrong_weights_from_text_are_an_option_error(self) -> None:
        with pytest.raises(OptionError, match="add up to 1"):
            configure({"coreex": CoreEx}, "coreex", "coreex", {"weight_text": "0.05"})

    @pytest.mark.parametrize("weight_text", [0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0])
    def test_weights_of_a_grid_add_up(self, weight_text: float) -> None:
        assert CoreEx(weight_ratio=1 - weight_text, weight_text=weight_text).weight_text == weight_text


class TestVectors:
    @pytest.mark.parametrize(
        ("node", "counts", "basic", "weighted", "set_counts", "on_set"),
        [
            ("body", (10, 1), 0.9, 0.901, (7, 0), 0.997),
            ('"Note:"', (1, 0), 1, 0.991, (1, 0), 0.991),
            ("p", (3, 1), 2 / 3, 0.663, (2, 0), 0.992),
            ("ul", (6, 0), 1, 0.996, (6, 0), 0.996),
            ("li", (3, 0), 1, 0.993, (3, 0), 0.993),
            ("a", (1, 1), 0, 0.001, (1, 1), 0.001),
        ],
    )
    def test_t1_scored_tree(
        self,
        node: str,
        counts: tuple[int, int],
        basic: float,
        weighted: float,
        set_counts: tuple[int, int],
        on_set: float,
    ) -> None:
        page = page_of(T1)
        row = find(page, node)
        r1, r2, r3 = CoreEx("R1").select(page), CoreEx("R2").select(page), CoreEx("R3").select(page)
        assert (r3.columns["text_cnt"][row], r3.columns["link_cnt"][row]) == counts
        assert (r3.columns["set_text_cnt"][row], r3.columns["set_link_cnt"][row]) == set_counts
        assert r1.score is not None and r2.score is not None and r3.score is not None
        assert r1.score[row] == pytest.approx(basic)
        assert r1.columns["basic"][row] == pytest.approx(basic)
        assert r2.score[row] == pytest.approx(weighted)
        assert r3.score[row] == pytest.approx(on_set)

    def test_t1_rows_that_are_no_candidates_have_no_score(self) -> None:
        page, selection = select(T1)
        assert selection.score is not None
        for node in ("html", "head", '"with a link"'):
            assert np.isnan(selection.score[find(page, node)])

    @pytest.mark.parametrize(
        ("configuration", "winner", "content"),
        [
            ("R1", "#text", "Note:"),  # ties with ul at one depth: document order
            ("R2", "ul", "Item one here Item two here"),
            ("R3", "body", "Note: Item one here Item two here"),
        ],
    )
    def test_t1_winners(self, configuration: str, winner: str, content: str) -> None:
        page, selection = select(T1, configuration)
        assert page.tag_name(selection.trace["winner"]) == winner
        assert kept_text(page, selection) == content

    @pytest.mark.parametrize(
        ("configuration", "score", "content"),
        [
            ("R1", 1.0, words(10, "a")),
            ("R2", 0.993529, words(12, "b")),
            ("R3", 0.998824, f"{words(10, 'a')} {words(12, 'b')} {words(8, 'c')}"),
        ],
    )
    def test_t2_winners(self, configuration: str, score: float, content: str) -> None:
        page, selection = select(T2, configuration)
        assert selection.trace["score"] == pytest.approx(score, abs=1e-6)
        assert kept_text(page, selection) == content

    @pytest.mark.parametrize(("node", "counts"), [("body", (34, 4)), ("div", (32, 2)), ("#ads", (2, 2))])
    def test_t2_counts(self, node: str, counts: tuple[int, int]) -> None:
        page, selection = select(T2)
        row = find(page, node)
        assert (selection.columns["text_cnt"][row], selection.columns["link_cnt"][row]) == counts

    def test_t2_scores_and_set(self) -> None:
        page, r2 = select(T2, "R2")
        r3 = CoreEx("R3").select(page)
        body, div = find(page, "body"), find(page, "div")
        assert r2.score is not None and r3.score is not None
        assert r2.score[div] == pytest.approx(0.937537, abs=1e-6)
        assert (r3.columns["set_text_cnt"][body], r3.columns["set_link_cnt"][body]) == (32, 2)
        assert r3.score[body] == pytest.approx(0.937537, abs=1e-6)
        assert r3.trace["winner"] == div
        assert tags(page, r3.trace["set"]) == ["p", "p", "p"]
        assert (r3.columns["set_text_cnt"][div], r3.columns["set_link_cnt"][div]) == (30, 0)

    def test_t3_forms_are_noise_in_r3(self) -> None:
        page, selection = select(T3, "R3")
        assert selection.trace["score"] == pytest.approx(1.0)
        assert tags(page, selection.trace["set"]) == ["div", "form"]
        assert "o30" in kept_text(page, selection)

    def test_t3_forms_are_ignored_in_r4(self) -> None:
        page, selection = select(T3, "R4")
        assert selection.trace["page_text"] == 10
        assert selection.trace["winner"] == page.body()  # ties with div at 1.0: the higher node
        assert tags(page, selection.trace["set"]) == ["div"]
        assert kept_text(page, selection) == f"{words(6, 'a')} {words(4, 'b')}"

    def test_t4_one_link_costs_more_than_all_other_text_gains(self) -> None:
        page, selection = select(T4, "R3")
        assert selection.score is not None
        assert selection.trace["score"] == pytest.approx(0.996333, abs=1e-6)
        assert selection.score[find(page, "div")] == pytest.approx(0.967)
        assert kept_text(page, selection) == words(19, "a")  # without its own link and the second paragraph

    def test_t4_weights_are_the_way_out(self) -> None:
        assert text(T4, weight_ratio=0.9, weight_text=0.1) == f"{words(19, 'a')} x y {words(10, 'b')}"


class TestCounting:
    def test_a_link_is_one_word_however_long(self) -> None:
        page, selection = select("<body><p>one two <a href=x>three <b>four</b> five six</a></p>")
        assert selection.trace["page_text"] == 3
        assert selection.trace["page_links"] == 1
        assert np.isnan(selection.columns["basic"][find(page, "b")])  # inside a link: no candidate

    @pytest.mark.parametrize(
        ("inside", "links"),
        [
            ("anchor", 1),
            ("<img src=i>", 1),
            ("<svg></svg>", 1),
            ("<span><picture><img></picture></span>", 1),
            ("", 0),
            (" <br> ", 0),
            ("<script>track()</script>", 0),
            ("\u200b", 0),  # nothing that is seen
        ],
    )
    def test_what_makes_a_link(self, inside: str, links: int) -> None:
        _, selection = select(f"<body>Some words <a href=x>{inside}</a>")
        assert (selection.trace["page_text"], selection.trace["page_links"]) == (2 + links, links)

    def test_an_anchor_without_href_is_ordinary_text(self) -> None:
        _, selection = select("<body><p>Two words <a name=x>and three more</a>")
        assert (selection.trace["page_text"], selection.trace["page_links"]) == (5, 0)

    def test_links_in_links_are_one(self) -> None:
        # A table cell is the way to nest them in an HTML5 tree.
        page, selection = select("<body>word <a href=1>x<table><tr><td><a href=2>y</a> z</td></tr></table></a>")
        assert int(page.named("a").sum()) == 2
        assert (selection.trace["page_text"], selection.trace["page_links"]) == (2, 1)

    def test_unlinked_images_and_line_breaks_count_for_nothing(self) -> None:
        assert select("<body>Two<br><img src=i>words<hr>")[1].trace["page_text"] == 2

    @pytest.mark.parametrize(
        "hidden",
        [
            "<style>p { color: red }</style>",
            "<!-- a comment -->",
            "<template><p>a template</p></template>",
            "<iframe>frame text</iframe>",
            "<noframes><p>frames</p></noframes>",
        ],
    )
    @pytest.mark.parametrize("configuration", ["R1", "R5"])
    def test_what_is_never_text(self, hidden: str, configuration: str) -> None:
        html = f"<html><head><title>The title</title><style>a {{}}</style></head><body>{hidden}<p>Two words</p>"
        page, selection = select(html, configuration)
        assert selection.trace["page_text"] == 2
        assert kept_text(page, selection) == "Two words"

    def test_a_frameset_has_no_text(self) -> None:
        page, selection = select(
            "<title>T</title><frameset><frame src=a><noframes>No frames here</noframes></frameset>"
        )
        assert page.body() == 0  # no body: the root stands in
        assert selection.reason is Reason.NO_TEXT

    def test_tbody_takes_the_part_of_the_table(self) -> None:
        # The HTML5 tree adds a tbody, so the rows are its children: it wins where the table would have.
        html = f"<body><table><tr><td>{words(9, 'a')}<tr><td><a href=1>x</a><tr><td>{words(9, 'b')}</table>"
        page, selection = select(html)
        assert page.tag_name(selection.trace["winner"]) == "tbody"
        assert kept_text(page, selection) == f"{words(9, 'a')} {words(9, 'b')}"

    def test_threshold_is_strict(self) -> None:
        html = f"<body><p>{words(9, 'a')} <a href=1>x</a></p><p>{words(30, 'b')}</p>"  # first p: 9 of 10
        page, selection = select(html)
        assert tags(page, selection.trace["set"]) == ["p"]
        page, selection = select(html, threshold=0.89, weight_ratio=0.5, weight_text=0.5)
        assert tags(page, selection.trace["set"]) == ["p", "p"]

    def test_cjk_characters_are_words(self) -> None:
        html = "<body><div><a href=1>首页</a><a href=2>新闻</a></div><p>这是一段正文，共有十二个汉字。</p>"
        page, selection = select(html)
        assert selection.trace["page_text"] == 13 + 2
        assert selection.trace["words"] == 13  # a white-space count would make it one
        assert kept_text(page, selection) == "这是一段正文，共有十二个汉字。"


class TestScripts:
    CODE = "var a = 1 ; var b = 2 ;"  # ten words
    PAGE = f"<body><script>{CODE}</script><p>Four words of text</p></body>"

    def test_script_text_is_text_until_r5(self) -> None:
        page, r4 = select(self.PAGE, "R4")
        assert r4.trace["page_text"] == 14
        assert "var a" in kept_text(page, r4)

    def test_scripts_are_removed_in_r5(self) -> None:
        page, r5 = select(self.PAGE, "R5")
        assert r5.trace["page_text"] == 4
        assert kept_text(page, r5) == "Four words of text"
        assert not r5.kept[find(page, "script")]

    @pytest.mark.parametrize(
        ("noscript", "removed"),
        [
            (f"<noscript> <script>{CODE}</script>\n</noscript>", True),
            ("<noscript> </noscript>", True),
            ("<noscript><noscript><script>x</script></noscript></noscript>", True),
            ("<noscript>Please turn scripts on</noscript>", False),
        ],
    )
    def test_noscript_goes_with_its_scripts_only(self, noscript: str, removed: bool) -> None:
        page, selection = select(f"<body><div>{noscript}{words(9, 'a')}</div>", "R2", remove_scripts=True)
        assert selection.kept[find(page, "noscript")] != removed
        assert selection.trace["page_text"] == 9 + (0 if removed else 4)

    def test_an_unclosed_script_runs_to_the_end(self) -> None:
        assert text("<body><p>Before it</p><script>var x; <p>After it</p>") == "Before it"

    def test_scripts_inside_content_are_not_kept(self) -> None:
        assert text(f"<body><p>{words(5, 'a')}<script>x y z</script></p>", "R2", remove_scripts=True) == words(5, "a")


class TestSelection:
    def test_a_parent_wins_over_its_only_child(self) -> None:
        page, selection = select(f"<body><div><div><p>{words(7, 'a')}</p></div></div>", "R2")
        assert selection.trace["winner"] == page.body()

    def test_separators_between_the_set_are_kept(self) -> None:
        # They are not in S, but without them "one" and "two" would run together.
        page, selection = select("<body><b>one</b> <i>two</i><br>three<hr><a href=1>link</a>")
        assert tags(page, selection.trace["set"]) == ["b", "i", "#text"]
        assert selection.kept[find(page, "br")]
        assert selection.kept[find(page, "b") + 2]  # the blank
        assert not selection.kept[find(page, "hr")]  # after the last of S

    @pytest.mark.parametrize(
        ("html", "kept"),
        [
            ("<p>one <b>two</b> <a href=1>link</a> <i>three</i></p>", "one two three"),
            ("<p><a href=1>link</a> text</p><p><b>more</b> text</p>", "more text"),
        ],
    )
    def test_inline_children_are_chosen_like_any_other(self, html: str, kept: str) -> None:
        assert text(f"<body>{html}") == kept

    def test_full_text_of_the_set_includes_its_links(self) -> None:
        html = (
            f"<body><nav><a href=1>Home</a></nav><p>{words(50, 'a')} <a href=2>see this</a></p><p>{words(200, 'b')}</p>"
        )
        assert "see this" in text(html, weight_ratio=0.5, weight_text=0.5)

    def test_ties_go_to_the_first_in_document_order(self) -> None:
        html = "<body><div><p>a b c</p><a href=1>x</a></div><div><p>d e f</p><a href=2>y</a></div>"
        assert text(html) == "a b c"

    def test_random_ties_are_reproducible_and_reach_every_equal(self) -> None:
        html = "<body>" + "".join(f"<div><p>{letter} {letter}</p><a href=1>x</a></div>" for letter in "abc")
        page = page_of(html)
        drawn = {seed: kept_text(page, CoreEx(tie="random", seed=seed).select(page)) for seed in range(30)}
        again = {seed: kept_text(page, CoreEx(tie="random", seed=seed).select(page)) for seed in range(30)}
        assert drawn == again
        assert set(drawn.values()) == {"a a", "b b", "c c"}

    def test_random_choice_is_only_among_the_highest(self) -> None:
        page = page_of(f"<body><div><p>{words(7, 'a')}</p></div>")
        assert {CoreEx(tie="random", seed=seed).select(page).trace["winner"] for seed in range(20)} == {page.body()}

    def test_two_chunks_in_one_container_are_inseparable(self) -> None:
        dates = "<ul><li>January 2008</li><li>February 2008</li></ul>"  # a known limit of the paper (§6.1)
        assert text(f"<body><div><p>{words(40, 'a')}</p>{dates}</div>").endswith("January 2008 February 2008")

    def test_only_one_region_is_found(self) -> None:
        region = "<div><div><p>{}</p></div><div><a href=1>ad</a></div></div>"
        html = f"<body>{region.format(words(40, 'a'))}{region.format(words(30, 'b'))}"
        assert text(html) == words(40, "a")

    def test_trace_is_json_ready(self) -> None:
        for html in (T2, T3, INDEX, "<p>", "<body><a href=1>x</a>"):
            trace = dict(select(html, title_recovery="both")[1].trace)
            assert json.loads(json.dumps(trace)) == trace

    def test_trace_says_what_was_done(self) -> None:
        page, selection = select(T2, "R3")
        trace = selection.trace
        assert (trace["configuration"], trace["threshold"], trace["weight_text"]) == ("R3", 0.9, 0.01)
        assert trace["path"] == "html > body > div"
        assert trace["page_text"] == 34
        assert (trace["tied"], trace["title_rule"], trace["form_rescue"]) == ([], None, False)
        assert trace["winner"] == find(page, "div")


class TestNothing:
    @pytest.mark.parametrize("configuration", CONFIGURATIONS)
    @pytest.mark.parametrize(
        ("html", "reason"),
        [
            ("", Reason.NO_TEXT),
            ("<body><img src=i><br></body>", Reason.NO_TEXT),
            ("<title>Only a title</title>", Reason.NO_TEXT),
            ("<body><ul><li><a href=1>One link</a><li><a href=2>Another link</a></ul>", Reason.NO_CONTENT),
            ("<body><a href=1><img src=i></a>", Reason.NO_TEXT),
        ],
    )
    def test_pages_without_content(self, html: str, reason: Reason, configuration: str) -> None:
        page, selection = select(html, configuration)
        assert not selection.kept.any()
        assert selection.reason is reason
        assert selection.trace["winner"] is None
        assert len(selection.kept) == len(page)

    def test_all_links_have_a_positive_score_but_do_not_win(self) -> None:
        page, selection = select("<body><a href=1>one</a><a href=2>two</a>", "R2")
        assert selection.score is not None
        assert selection.score[page.body()] == pytest.approx(0.01)
        assert selection.reason is Reason.NO_CONTENT


class TestForms:
    BODY_IN_FORM = f"""<body><form><p>{words(90, "a")}</p><select><option>{words(5, "o")}</option></select>
        <textarea>{words(3, "t")}</textarea></form><p>{words(5, "z")}</p></body>"""

    @pytest.mark.parametrize("configuration", ["R4", "R5", "R6"])
    def test_a_body_inside_a_form_is_lost(self, configuration: str) -> None:
        _, selection = select(f"<body><form><p>{words(50, 'a')}</p></form></body>", configuration)
        assert selection.reason is Reason.NO_CONTENT
        assert selection.trace["page_text"] == 0

    def test_form_rescue_reads_it_without_its_fields(self) -> None:
        page, selection = select(self.BODY_IN_FORM, form_rescue=True)
        assert selection.trace["form_rescue"] is True
        assert selection.trace["page_text"] == 95
        assert kept_text(page, selection) == f"{words(90, 'a')} {words(5, 'z')}"

    def test_form_rescue_is_off_by_default(self) -> None:
        assert text(self.BODY_IN_FORM) == words(5, "z")

    @pytest.mark.parametrize(("inside", "rescued"), [(80, False), (81, True)])
    def test_form_rescue_needs_more_than_four_fifths(self, inside: int, rescued: bool) -> None:
        html = f"<body><form>{words(inside, 'a')}</form><p>{words(100 - inside, 'b')}</p>"
        assert select(html, form_rescue=True)[1].trace["form_rescue"] is rescued

    def test_a_long_menu_does_not_make_a_form_the_page(self) -> None:
        html = f"<body><form>Choose <select><option>{words(99, 'o')}</select></form><p>{words(9, 'a')}</p>"
        assert text(html, form_rescue=True) == words(9, "a")

    @pytest.mark.parametrize("tag", ["select", "textarea", "option"])
    def test_fields_outside_forms_are_ignored_too(self, tag: str) -> None:
        assert text(f"<body><p>{words(9, 'a')}</p><{tag}>{words(9, 'f')}</{tag}>") == words(9, "a")

    def test_a_form_between_table_rows_holds_nothing(self) -> None:
        # The HTML5 tree closes it at once, so that only its fields are skipped.
        row = f"<tr><td>{words(9, 'a')}<textarea>field</textarea></td></tr>"
        page, selection = select(f"<body><table><form>{row}</form></table>")
        assert int(page.end[find(page, "form")]) == find(page, "form") + 1
        assert kept_text(page, selection) == words(9, "a")

    def test_forms_inside_content_are_cut_out(self) -> None:
        html = f"<body><div>{words(9, 'a')}<form>Search here</form></div>"
        assert text(html, "R2", ignore_forms=True) == words(9, "a")


class TestTitles:
    # The links around #story and inside headers keep body from winning, so that the title lies outside the content.
    PAGE = """<head><title>Storm hits coast - The Daily</title></head><body><a href=0>Home</a>
        {before}<div id=story><p>{text}</p></div><ul><li><a href=1>a</a></li></ul></body>"""

    def page(self, before: str) -> str:
        return self.PAGE.format(before=before, text=f"{words(40, 'a')}</p><div><a href=2>ad</a></div><p>b1 b2")

    def recover(self, before: str, **kwargs: Any) -> tuple[Page, Selection]:
        return select(self.page(before), **kwargs)

    @pytest.mark.parametrize(
        ("before", "depth", "expected"),
        [
            ("<h1><a href=9>Storm hits coast</a></h1><a href=8>share</a>", "sibling", "Storm hits coast"),
            ("<h1><a href=9>Far</a></h1><h2><a href=9>Near</a></h2><a href=8>x</a>", "sibling", "Near"),
            ("<header><h1><a href=9>Deep</a></h1></header>", "sibling", None),
            ("<header><h1><a href=9>Deep</a></h1></header>", "subtree", "Deep"),
            (
                "<div><h1><a href=9>Far</a></h1></div><div><h2><a href=9>First</a></h2><h3><a href=9>2</a></h3></div>",
                "subtree",
                "First",
            ),
            ("<h2><a href=9>Text</a></h2><h1><a href=9><img></a></h1>", "sibling", "Text"),  # an empty one is no title
            ("<p><a href=9>No header</a></p>", "subtree", None),
            ("<form><h1>In a form</h1></form>", "subtree", None),
        ],
    )
    def test_header_rule(self, before: str, depth: Any, expected: str | None) -> None:
        page, selection = self.recover(before, title_recovery="header", title_depth=depth)
        content = f"{words(40, 'a')} b1 b2"
        assert (selection.title is None) == (expected is None)
        assert selection.trace["title_rule"] == (None if expected is None else "header")
        assert kept_text(page, selection) == (f"{expected} {content}" if expected else content)

    def test_headers_after_the_content_are_none(self) -> None:
        html = self.page("").replace("</body>", "<h2><a href=9>More news</a></h2></body>")
        assert select(html, title_recovery="header")[1].title is None

    @pytest.mark.parametrize("depth", ["sibling", "subtree"])
    def test_a_parent_without_siblings_has_no_header(self, depth: Any) -> None:
        html = f"<body><div><p>{words(9, 'a')}</p></div><a href=1>x</a><a href=2>y</a>"
        page, selection = select(html, "R2", title_recovery="header", title_depth=depth)
        assert selection.trace["winner"] == find(page, "div")
        assert selection.title is None

    def test_the_parent_of_a_text_node_is_asked(self) -> None:
        html = f"<body><h1><a href=1>Headline</a></h1><div>{words(30, 'a')} <a href=2>x</a> b</div>"
        page, selection = select(html, "R2", title_recovery="header")
        assert page.tag_name(selection.trace["winner"]) == "#text"
        assert kept_text(page, selection) == f"Headline {words(30, 'a')}"

    @pytest.mark.parametrize("configuration", ["R1", "R2"])
    def test_header_rule_without_subset(self, configuration: str) -> None:
        html = f"<body><a href=1>x</a><h1><a href=1>Headline</a></h1><div><p>{words(30, 'a')}</p></div>"
        assert text(html, configuration, title_recovery="header") == f"Headline {words(30, 'a')}"

    @pytest.mark.parametrize(
        ("title", "heading"),
        [
            ("Storm hits coast", "Storm hits coast"),
            ("STORM  hits\n coast", "storm hits Coast"),
            ("Storm hits coast - The Daily", "Storm hits coast"),
            ("The Daily | Storm hits coast", "Storm hits coast"),
            ("Storm hits coast :: News", "Storm hits coast"),
            ("Storm hits coast — News", "Storm hits coast"),
            ("Storm hits coast – News", "Storm hits coast"),
            ("News » Storm hits coast", "Storm hits coast"),
            ("News « Storm hits coast", "Storm hits coast"),
            ("台风登陆沿海_新闻中心", "台风登陆沿海"),
            ("Storm hits coast", "Storm<br>hits <b>coast</b>"),
            ("Storm", "Storm"),  # a whole title may be short
        ],
    )
    def test_page_title_rule(self, title: str, heading: str) -> None:
        html = self.page(f"<div><a href=8>x</a><p id=t><a href=9>{heading}</a></p></div>")
        page, selection = select(html.replace("Storm hits coast - The Daily", title), title_recovery="pagetitle")
        assert selection.title == find(page, "#t")
        assert selection.trace["title_rule"] == "pagetitle"
        assert selection.trace["title_added"] is True
        assert not kept_text(page, selection).startswith("a1")
        assert kept_text(page, selection).endswith(f"{words(40, 'a')} b1 b2")

    @pytest.mark.parametrize(
        ("title", "heading"),
        [
            ("Storm - The Daily", "Storm"),  # a part of one word is too common
            ("台风_新闻", "台风"),
            ("Storm hits coast-line", "Storm hits coast"),  # a hyphen is no break
            ("", "Storm hits coast"),
            ("Storm hits coast", "Storm hits the coast"),
        ],
    )
    def test_page_title_rule_does_not_guess(self, title: str, heading: str) -> None:
        html = self.page(f"<div><a href=8>x</a><p><a href=9>{heading}</a></p></div>")
        page, selection = select(html.replace("Storm hits coast - The Daily", title), title_recovery="pagetitle")
        assert selection.title is None
        assert kept_text(page, selection) == f"{words(40, 'a')} b1 b2"

    def test_a_title_inside_the_content_is_not_added_again(self) -> None:
        crumb = "<p id=crumb><a href=9>Storm hits coast</a></p>"
        html = self.page(crumb).replace("<div id=story>", "<div id=story><h1>Storm hits coast</h1>")
        page, selection = select(html, title_recovery="pagetitle")
        assert selection.title == find(page, "h1")
        assert selection.trace["title_added"] is False
        assert kept_text(page, selection).count("Storm hits coast") == 1

    def test_a_node_around_the_content_is_never_added(self) -> None:
        page, selection = select(
            "<title>one two</title><body><p>one <b>two</b></p><div></div>", title_recovery="pagetitle"
        )
        assert kept_text(page, selection) == "one two"

    def test_page_title_of_a_drawing_is_none(self) -> None:
        html = self.page("<p><a href=9>Logo of us</a></p><svg><title>Logo of us</title></svg>")
        assert (
            select(html.replace("<title>Storm hits coast - The Daily</title>", ""), title_recovery="both")[1].title
            is None
        )

    @pytest.mark.parametrize(
        ("before", "rule"),
        [
            ("<p><a href=9>Storm hits coast</a></p><h1><a href=9>Storm</a></h1>", "header"),
            ("<p><a href=9>Storm hits coast</a></p>", "pagetitle"),
            ("<p><a href=9>Another</a></p>", None),
        ],
    )
    def test_both_rules(self, before: str, rule: str | None) -> None:
        assert self.recover(before, title_recovery="both")[1].trace["title_rule"] == rule

    def test_recovery_is_off_by_default(self) -> None:
        page, selection = self.recover("<h1><a href=9>Storm hits coast</a></h1>")
        assert selection.title is None
        assert kept_text(page, selection) == f"{words(40, 'a')} b1 b2"


class TestCaptions:
    @pytest.mark.parametrize(
        ("caption", "dropped"),
        [
            ("<figure><img><figcaption>A caption</figcaption></figure>", True),
            ("<table><caption>A caption</caption></table>", True),
            ("<p class='photo caption'>A caption</p>", True),
            ("<p class=wp-caption-text>A caption</p>", True),
            ("<p id=Caption_7>A caption</p>", True),
            ("<p class=captions>A caption</p>", False),
            ("<p class=recaptioned>A caption</p>", False),
            ("<p title=caption>A caption</p>", False),
        ],
    )
    def test_captions(self, caption: str, dropped: bool) -> None:
        html = f"<body><div><p>{words(9, 'a')}</p>{caption}<p>{words(9, 'b')}</p></div>"
        assert "A caption" in text(html)  # the paper takes them for content (§6.1)
        assert ("A caption" in text(html, drop_captions=True)) != dropped

    def test_captions_do_not_count(self) -> None:
        html = f"<body class=caption><p>{words(9, 'a')}</p><div class=caption><p>Three more words</p></div>"
        _, selection = select(html, drop_captions=True)
        assert selection.trace["page_text"] == 9  # but a body is no caption, whatever it is called


class TestPageClass:
    def test_index_vector(self) -> None:
        page, selection = select(INDEX)
        trace = selection.trace
        assert (trace["page_text"], trace["page_links"], trace["words"]) == (24, 20, 4)
        assert trace["winner"] == page.body()
        assert tags(page, trace["set"]) == ["p"]
        assert trace["coverage"] == pytest.approx(0.1667, abs=1e-4)
        assert trace["page_ratio"] == pytest.approx(0.1667, abs=1e-4)
        assert trace["page_class"] == "index"
        assert selection.flags == ("index_page",)

    def test_t2_is_an_article_but_for_its_length(self) -> None:
        _, selection = select(T2)
        assert selection.trace["coverage"] == pytest.approx(0.8824, abs=1e-4)
        assert selection.trace["page_ratio"] == pytest.approx(0.8824, abs=1e-4)
        assert (selection.trace["words"], selection.trace["page_class"]) == (30, "index")
        _, selection = select(T2, article_words=30)
        assert selection.trace["page_class"] == "article"
        assert selection.flags == ()

    @pytest.mark.parametrize(
        ("limits", "expected"),
        [
            ({"article_words": 30, "article_coverage": 0.9}, "index"),
            ({"article_words": 30, "article_ratio": 0.9}, "index"),
            ({"article_words": 0, "article_coverage": 0.0, "article_ratio": 0.0}, "article"),
            ({"article_words": 30, "article_coverage": 15 / 17, "article_ratio": 15 / 17}, "article"),  # at the limit
        ],
    )
    def test_all_three_limits_have_to_be_met(self, limits: dict[str, Any], expected: str) -> None:
        assert select(T2, **limits)[1].trace["page_class"] == expected

    @pytest.mark.parametrize(
        ("html", "limits", "confidence"),
        [
            (T2, {}, (80 - 30) / 80),  # the words are what is missing most
            (T2, {"article_words": 15}, (30 / 34 - 0.6) / 0.4),
            (T2, {"article_words": 30}, 0.0),  # just so
            (INDEX, {}, (80 - 4) / 80),
            (f"<body><p>{words(200, 'a')}", {}, 1.0),
            (f"<body><p>{words(90, 'a')}", {"article_coverage": 1.0, "article_words": 0}, 1.0),
        ],
    )
    def test_confidence_is_the_weakest_margin(self, html: str, limits: dict[str, Any], confidence: float) -> None:
        assert select(html, **limits)[1].trace["class_confidence"] == pytest.approx(confidence)

    def test_a_page_of_links_is_an_index(self) -> None:
        assert select("<body><a href=1>x</a>")[1].flags == ("index_page",)

    def test_an_empty_page_is_neither(self) -> None:
        _, selection = select("")
        assert selection.trace["page_class"] is None
        assert selection.flags == ()


class TestSize:
    def test_a_very_deep_page(self) -> None:
        depth = 100_000
        page, selection = select(
            "<title>one two</title>" + "<span>" * depth + "one two", title_recovery="both", drop_captions=True
        )
        assert int(page.depth.max()) > depth
        assert selection.trace["winner"] == page.body()
        assert kept_text(page, selection) == "one two"

    def test_a_very_wide_page(self) -> None:
        html = "<title>w w</title><body>" + "<p class=caption-x>w w</p><a href=1>x</a>" * 200_000
        page, selection = select(html, title_recovery="both", title_depth="subtree", drop_captions=True, tie="random")
        assert selection.reason is Reason.NO_CONTENT  # all that is not a link calls itself a caption
        selection = CoreEx(title_recovery="both").select(page)
        assert len(selection.trace["set"]) == 200_000
        assert selection.trace["words"] == 400_000


def _arrays(page: Page) -> dict[str, Any]:
    return {name: np.array(getattr(page, name), copy=True) for name in Page.__slots__ if name != "other_tags"}


def test_the_page_is_left_as_it_was() -> None:
    page = page_of(T2 + T3 + "<figure><figcaption>c</figcaption></figure>")
    before = _arrays(page)
    CoreEx(title_recovery="both", form_rescue=True, drop_captions=True, tie="random").select(page)
    for name, array in _arrays(page).items():
        assert np.array_equal(array, before[name]), name


# The paper's own procedure, node by node and in exact fractions, against the arrays.


def _reference(page: Page, weighted: bool, subset: bool) -> tuple[dict[int, Fraction], list[int]]:
    text_cnt, link_cnt, chosen = [0] * len(page), [0] * len(page), [[row] for row in range(len(page))]
    set_text, set_link = [0] * len(page), [0] * len(page)
    for row in reversed(range(page.body(), len(page))):
        if page.tag[row] == 0:
            text_cnt[row] = set_text[row] = len(page.text_of(row).split())
        elif page.tag_name(row) == "a":
            text_cnt[row] = link_cnt[row] = set_text[row] = set_link[row] = int(bool(page.text_of(row).strip()))
        else:
            chosen[row] = []
            for child in page.children(row):
                t, n = text_cnt[child], link_cnt[child]
                text_cnt[row] += t
                link_cnt[row] += n
                if t and Fraction(t - n, t) > Fraction(9, 10):
                    chosen[row].append(child)
                    set_text[row] += t
                    set_link[row] += n
    scores = {}
    for row in range(page.body(), len(page)):
        t, n = (set_text[row], set_link[row]) if subset else (text_cnt[row], link_cnt[row])
        if t and not any(page.tag_name(above) == "a" for above in page.ancestors(row)):
            scores[row] = Fraction(t - n, t)
            if weighted:
                whole = text_cnt[page.body()]
                scores[row] = Fraction(99, 100) * scores[row] + Fraction(1, 100) * Fraction(t, whole)
            if t == n:
                scores[row] = Fraction(0)  # links alone are no content
    best = max(scores.values(), default=Fraction(0))
    if not best:
        return scores, []
    winner = min((row for row in scores if scores[row] == best), key=lambda row: (page.depth[row], row))
    return scores, chosen[winner] if subset else [winner]


LEAVES = st.integers(0, 12).map(lambda count: words(count, "w")) | st.just('<a href="x">two words</a>') | st.just(" ")
TREES = st.recursive(
    LEAVES,
    lambda inner: st.tuples(st.sampled_from(["div", "span", "section"]), st.lists(inner, max_size=6)).map(
        lambda node: f"<{node[0]}>{' '.join(node[1])}</{node[0]}>"
    ),
    max_leaves=30,
)


@settings(deadline=None, max_examples=200)
@given(tree=TREES, configuration=st.sampled_from(["R1", "R2", "R3"]))
def test_arrays_agree_with_the_procedure_of_the_paper(tree: str, configuration: Any) -> None:
    algorithm = CoreEx(configuration)
    page = page_of(f"<body>{tree}</body>")
    selection = algorithm.select(page)
    scores, members = _reference(page, bool(algorithm.weighted), bool(algorithm.subset))
    assert selection.score is not None
    assert set(np.flatnonzero(~np.isnan(selection.score))) == set(scores)
    for row, score in scores.items():
        if score:
            assert selection.score[row] == pytest.approx(float(score), abs=1e-12)
    assert selection.trace["set"] == members
