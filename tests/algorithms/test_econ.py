"""ECON: the worked examples of its specification, its settings, and a plain recursive reading of it to compare with."""

from __future__ import annotations

import json
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from duramen.algorithms.econ import BIG, BLOCK, Econ
from duramen.algorithms.econ import UNREAD as FIELDS
from duramen.algorithms.settings import configure
from duramen.errors import OptionError
from duramen.measure import seen_text
from duramen.page import Page, Reason, Selection
from duramen.tags import UNSEEN
from tests.support import find, kept_text, page_of

UNREAD = UNSEEN | set(FIELDS)

E1 = (
    "<body><div id=nav><a href=1>Home</a><a href=2>World</a></div><div id=c><h1>Storm hits coast</h1>"
    "<p>A storm hit the coast on Monday, officials said.</p>"
    "<p>Two <b>towns</b> lost <a href=3>power</a>, but nobody was hurt.</p>"
    "<ul><li><a href=4>Related story</a></li></ul><p>Repairs go on.</p></div><div id=f>Copyright 2010</div></body>"
)
E2 = (
    "<body><table><tr><td id=l><a href=1>a</a></td><td id=r>First line, one.<br><br>Second line, two."
    "<table><tr><td><a href=2>ad link</a></td></tr></table>Third line, three.</td></tr></table></body>"
)
E3 = (
    "<div id=c><div id=i><p>The only long paragraph in its own box, long enough to win.</p></div>"
    "<p>Short end, kept?</p></div>"
)
E4 = (
    "<div id=m><p>新华网北京电，记者今天获悉。</p><p>会议将于明日举行，请关注。</p></div>"
    "<div id=n><a href=1>更多新闻</a></div>"
)
E5 = "<p>No marks here</p>"
E6 = (
    "<div><p>Fire kills two in town.</p></div>"
    "<div><p>All rights reserved, Example Media Group, no copying of any kind.</p></div>"
)
TITLED = f"<title>Fire in town - Example Media</title><h1>Fire in town</h1>{E6}"


def select(html: str, **options: Any) -> tuple[Page, Selection]:
    page = page_of(html)
    return page, Econ(**options).select(page)


def text(html: str, **options: Any) -> str:
    return kept_text(*select(html, **options))


def paras(page: Page, selection: Selection) -> list[tuple[str, int, int, str]]:
    """Text, nodes, punc-num and fate of every set that has text."""
    found, seen = [], seen_text(page)
    for para in selection.trace["text_paras"]:
        rows = [row for row in range(para["first"], para["end"]) if seen[row]]
        words = " ".join(page.text_of(row).strip() for row in rows)
        found.append((words, para["units"], para["punc"], para["state"]))
    return found


def climb(selection: Selection) -> list[tuple[str, int, int]]:
    """Every comparison: the last step of the path, its node-punc-num and the distance."""
    steps = selection.trace["backtracking"]
    return [(step["path"].split(" > ")[-1], step["punc"], step["distance"]) for step in steps]


def last_step(place: dict[str, Any]) -> tuple[str, int]:
    return place["path"].split(" > ")[-1], place["punc"]


class TestVectors:
    def test_e1_noise_in_and_around_the_content(self) -> None:
        page, selection = select(E1)
        content = (
            "Storm hits coast A storm hit the coast on Monday, officials said. "
            "Two towns lost power , but nobody was hurt."
        )
        assert paras(page, selection) == [
            ("Home World", 2, 0, "pruned"),
            (content, 3, 4, "kept"),
            ("Related story", 1, 0, "pruned"),
            ("Repairs go on.", 1, 1, "kept"),
            ("Copyright 2010", 1, 0, "pruned"),
        ]
        assert last_step(selection.trace["snippet"]) == ("h1", 0)  # a start without punctuation is fine
        assert climb(selection) == [("div#c", 5, 5), ("body", 5, 0)]
        assert selection.trace["steps"] == 2
        assert last_step(selection.trace["summary"]) == ("div#c", 5)
        assert kept_text(page, selection) == f"{content} Repairs go on."
        assert selection.reason is None

    def test_e2_lines_in_a_table_cell(self) -> None:
        page, selection = select(E2)
        assert paras(page, selection) == [
            ("a", 1, 0, "pruned"),
            ("First line, one. Second line, two.", 4, 4, "kept"),  # a run, two line breaks, a run
            ("ad link", 1, 0, "pruned"),
            ("Third line, three.", 1, 2, "kept"),
        ]
        # HTML5 puts a tbody between tr and table; the climb ends at the tr, below it, so no figure changes.
        assert last_step(selection.trace["snippet"]) == ("td#r", 6)
        assert climb(selection) == [("tr", 6, 0)]
        assert selection.trace["steps"] == 1
        assert kept_text(page, selection) == "First line, one. Second line, two. Third line, three."

    def test_e3_a_lone_box_ends_the_climb_at_once(self) -> None:
        page, selection = select(E3)
        assert last_step(selection.trace["snippet"]) == last_step(selection.trace["summary"]) == ("p", 2)
        assert climb(selection) == [("div#i", 2, 0)]
        assert kept_text(page, selection) == "The only long paragraph in its own box, long enough to win."
        assert [state for *_, state in paras(page, selection)] == ["kept", "outside"]

    def test_e4_chinese(self) -> None:
        page, selection = select(E4)
        assert [(units, punc, state) for _, units, punc, state in paras(page, selection)] == [
            (2, 4, "kept"),
            (1, 0, "pruned"),
        ]
        assert last_step(selection.trace["snippet"]) == ("p", 2)
        assert climb(selection) == [("div#m", 4, 2), ("body", 4, 0)]
        assert kept_text(page, selection) == "新华网北京电，记者今天获悉。 会议将于明日举行，请关注。"

    def test_e5_no_marks_no_content(self) -> None:
        page, selection = select(E5)
        assert not selection.kept.any()
        assert selection.reason is Reason.NO_CONTENT
        assert selection.flags == ("no_content",)
        assert selection.trace["snippet"] is selection.trace["summary"] is None
        assert paras(page, selection) == [("No marks here", 1, 0, "pruned")]

    def test_e6_a_short_page_starts_in_the_wrong_place(self) -> None:
        page, selection = select(E6)
        assert kept_text(page, selection) == "All rights reserved, Example Media Group, no copying of any kind."
        assert climb(selection) == [("div", 3, 0)]
        assert "short_page" in selection.flags


class TestEdges:
    @pytest.mark.parametrize("html", ["", "<p> </p>", "<body><br><hr></body>", "<script>a, b.</script>"])
    def test_nothing_to_read(self, html: str) -> None:
        _, selection = select(html)
        assert selection.reason is Reason.NO_TEXT
        assert selection.flags == ("no_content",)

    def test_a_line_break_may_be_the_start(self) -> None:
        _, selection = select("<div id=c><br><p>One, two.</p></div><div>x</div>")
        assert last_step(selection.trace["snippet"]) == ("br", 0)
        assert climb(selection) == [("div#c", 2, 2), ("body", 2, 0)]

    def test_noise_with_marks_inside_the_summary_stays(self) -> None:
        html = "<div><p>First paragraph, long enough.</p><ul><li>Ad, cheap.</li></ul><p>Last, short.</p></div>"
        assert text(html) == "First paragraph, long enough. Ad, cheap. Last, short."

    def test_a_credit_in_the_same_text_cannot_be_told_apart(self) -> None:
        assert "(Photo agency)" in text("<div><p>Two were hurt, it said. (Photo agency)</p></div>")

    @pytest.mark.parametrize(
        ("html", "kept"),
        [
            ("<div id=c><h2>Heading</h2><p>One, two.</p><hr><p>Three, four.</p></div>", True),
            ("<div id=c><h2>Heading</h2><hr><p>One, two.</p><hr><p>Three, four.</p></div>", False),
        ],
        ids=["beside its paragraphs", "alone"],
    )
    def test_a_heading_lives_by_its_neighbours(self, html: str, kept: bool) -> None:
        assert ("Heading" in text(html)) is kept

    @pytest.mark.parametrize("between", [" ", "\n", "<!-- x -->", "<script>a.</script>", "<style>b,</style>"])
    def test_blanks_comments_and_scripts_do_not_part_neighbours(self, between: str) -> None:
        page, selection = select(f"<div><p>One</p>{between}<p>Two.</p></div>")
        assert paras(page, selection) == [("One Two.", 2, 1, "kept")]

    @pytest.mark.parametrize("between", ["<hr>", "<img src=x>", "<div></div>", "<span></span>", "<iframe></iframe>"])
    def test_any_other_element_parts_them(self, between: str) -> None:
        page, selection = select(f"<div><p>One</p>{between}<p>Two.</p></div>")
        assert paras(page, selection) == [("One", 1, 0, "pruned"), ("Two.", 1, 1, "kept")]

    def test_images_are_part_of_a_run_of_text_but_no_text_themselves(self) -> None:
        page, selection = select("<div>One<img>two.<hr><img src=x><p>Three.</p></div>")
        assert paras(page, selection) == [("One two.", 1, 2 - 1, "kept"), ("Three.", 1, 1, "kept")]
        assert selection.kept[find(page, "img")]

    def test_text_in_the_body_itself(self) -> None:
        page, selection = select("One, two.<br>Three, <a href=1>four</a>.")
        assert paras(page, selection) == [("One, two. Three, four .", 3, 4, "kept")]
        assert last_step(selection.trace["snippet"]) == ("body", 4)
        # Nothing above the body has text, so that it is the last that a climb can reach.
        assert climb(selection) == [("html", 4, 0)]

    def test_the_climb_goes_no_further_than_the_body(self) -> None:
        html = "<title>A, b.</title><div><p>One, two, three.</p><p>x.</p></div><div><p>Four, five.</p></div>"
        _, selection = select(html)
        assert climb(selection) == [("div", 4, 1), ("body", 6, 2), ("html", 6, 0)]
        assert last_step(selection.trace["summary"]) == ("body", 6)

    def test_the_first_of_equally_long_text_paras_wins(self) -> None:
        assert text("<div><p>One, two.</p></div><hr><div><p>Six, ten.</p></div>") == "One, two."

    def test_a_block_inside_a_rule_two_element_makes_it_a_container(self) -> None:
        page, selection = select("<font><div>Menu</div><table><tr><td>One, two.</td></tr></table></font>")
        assert paras(page, selection) == [("Menu", 1, 0, "pruned"), ("One, two.", 1, 2, "kept")]

    def test_a_box_with_text_and_only_inline_elements_is_one_node(self) -> None:
        page, selection = select("<div><div>One<br><b>two</b></div><div>Three, <i>four</i>.</div></div>")
        assert paras(page, selection) == [("One two Three, four .", 2, 2, "kept")]

    @pytest.mark.parametrize("tag", ["noscript", "select", "textarea", "iframe", "svg", "title"])
    def test_what_is_no_text_of_the_page_counts_for_nothing(self, tag: str) -> None:
        page, selection = select(f"<div><p>One, two.</p></div><{tag}>Many, many, marks, and words. Yes.</{tag}>")
        assert kept_text(page, selection) == "One, two."
        assert selection.columns["puncts"][page.body()] == 2

    def test_boxes_that_pruning_leaves_empty_go_with_what_they_held(self) -> None:
        page, selection = select(E1)
        assert not selection.kept[find(page, "ul")]
        assert not selection.kept[find(page, "li")]


class TestSettings:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"punct": "all"}, "punct is one of default, extended"),
            ({"pick": "last"}, "pick is one of first, random"),
            ({"nesting": "deep"}, "nesting is one of units, literal"),
            ({"short_fallback": "on"}, "short_fallback is one of off, heading, density"),
            ({"marks": ". ,"}, "without blanks"),
            ({"marks": "a"}, "punctuation characters"),
            ({"short_chars": -1}, "short_chars is 0 or more"),
            ({"short_chars_cjk": -1}, "short_chars_cjk is 0 or more"),
            ({"pieces_per_100": 0.0}, "pieces_per_100 is a number above 0"),
            ({"pieces_per_100": float("nan")}, "pieces_per_100 is a number above 0"),
        ],
    )
    def test_bad_values_are_refused_with_what_is_allowed(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            Econ(**options)

    def test_settings_are_read_from_text(self) -> None:
        given_as_text = {"punct": "extended", "skip-inword": "on", "seed": "7", "pieces_per_100": "2.5"}
        chosen = configure({"econ": Econ}, "econ", "econ", given_as_text)
        assert chosen == Econ(punct="extended", skip_inword=True, seed=7, pieces_per_100=2.5)
        with pytest.raises(OptionError, match="one of units, literal"):
            configure({"econ": Econ}, "econ", "econ", {"nesting": "no"})

    @pytest.mark.parametrize(
        ("mark", "default"), [*((mark, 1) for mark in ".,。，．｡"), *((mark, 0) for mark in "、､،۔!")]
    )
    def test_which_marks_count(self, mark: str, default: int) -> None:
        page = page_of(f"<p>one{mark} two</p>")
        row, extended = find(page, "p"), 0 if mark == "!" else 1
        assert Econ().select(page).columns["puncts"][row] == default
        assert Econ(punct="extended").select(page).columns["puncts"][row] == extended
        assert Econ(marks="!?").select(page).columns["puncts"][row] == 1 - extended

    @pytest.mark.parametrize(
        ("words", "plain", "skipping"),
        [
            ("see www.example.com, page 1,234.5", 5, 1),
            ("end.Next", 1, 0),
            ("end. Next", 1, 1),
            ("ü.b, c.", 3, 3),  # ü is no ASCII letter
            ("a.", 1, 1),
            (".a", 1, 1),
            ("a<b>.</b>c", 1, 1),  # neighbours are looked for in the same text node
            ("a..b", 2, 2),
            ("中.文", 1, 1),
        ],
    )
    def test_marks_inside_words_may_be_skipped(self, words: str, plain: int, skipping: int) -> None:
        page = page_of(f"<p>{words}</p><p>x</p>")
        row = find(page, "p")
        assert Econ().select(page).columns["puncts"][row] == plain
        assert Econ(skip_inword=True).select(page).columns["puncts"][row] == skipping

    def test_a_random_pick_depends_on_the_seed_alone(self) -> None:
        html = "<div id=c>" + "".join(f"<p>Paragraph {k}, one of many.</p>" for k in range(50)) + "</div><div>x</div>"
        page = page_of(html)
        starts = [Econ(pick="random", seed=seed).select(page).trace["snippet"]["row"] for seed in range(8)]
        again = [Econ(pick="random", seed=seed).select(page).trace["snippet"]["row"] for seed in range(8)]
        assert starts == again
        assert len(set(starts)) > 1
        assert all(page.tag_name(row) == "p" for row in starts)
        assert Econ(pick="random", seed=3).select(page).trace["summary"]["row"] == find(page, "#c")

    def test_literal_nesting_prunes_the_pieces_of_a_paragraph(self) -> None:
        page, selection = select(E1, nesting="literal")
        assert "Two lost , but nobody was hurt." in kept_text(page, selection)  # "towns" and "power" have no marks
        assert last_step(selection.trace["summary"]) == ("div#c", 5)

    def test_literal_nesting_lets_a_container_with_text_swallow_its_content(self) -> None:
        html = "<div id=o>Page top<div id=c><p>One, two, three.</p><p>Four, five.</p></div></div>"
        assert last_step(select(html, nesting="literal")[1].trace["snippet"])[0] == "div#o"
        assert last_step(select(html)[1].trace["snippet"])[0] == "p"

    def test_collapsing_the_start_finds_the_rest_of_e3(self) -> None:
        page, selection = select(E3, collapse_start=True)
        assert last_step(selection.trace["snippet"]) == ("div#i", 2)
        assert climb(selection) == [("div#c", 3, 1), ("body", 3, 0)]
        assert kept_text(page, selection).endswith("Short end, kept?")

    @pytest.mark.parametrize(
        ("html", "start"),
        [
            ("<div id=a><div id=b>\n<p>One, two.</p><script>x</script></div></div><p>x</p>", "div#a"),
            ("<div id=a><div id=b><p>One, two.</p><hr></div></div><p>x</p>", "p"),
            ("<div id=a><div id=b><p>One, two.</p><p>Three.</p></div></div><p>x</p>", "p"),  # two nodes in the set
            ("<div id=a>One, two.<hr></div><p>x</p>", "div#a"),  # the parent of the text is the start already
        ],
    )
    def test_only_a_lone_start_is_collapsed(self, html: str, start: str) -> None:
        assert last_step(select(html, collapse_start=True)[1].trace["snippet"])[0] == start


class TestShortPages:
    def test_the_heading_that_says_the_title_leads_to_the_content(self) -> None:
        page, selection = select(TITLED, short_fallback="heading")
        assert selection.title == find(page, "h1")
        assert selection.trace["fallback"] == "heading"
        assert kept_text(page, selection) == "Fire kills two in town."
        assert text(TITLED).startswith("All rights reserved")

    def test_a_heading_beside_its_paragraphs_is_part_of_the_start(self) -> None:
        html = TITLED.replace("<h1>Fire in town</h1>", "").replace("<p>Fire", "<h1>Fire in town</h1><p>Fire")
        page, selection = select(html, short_fallback="heading")
        assert selection.trace["snippet"]["row"] == selection.title == find(page, "h1")
        assert kept_text(page, selection).startswith("Fire in town Fire kills two in town.")

    @pytest.mark.parametrize("heading", ["Other news", ""])
    def test_without_such_a_heading_nothing_changes(self, heading: str) -> None:
        html = TITLED.replace("<h1>Fire in town</h1>", f"<h1>{heading}</h1>")
        page, selection = select(html, short_fallback="heading")
        assert selection.title is None
        assert selection.trace["fallback"] is None
        assert kept_text(page, selection) == text(html)

    def test_else_the_densest_element_if_it_has_more_text(self) -> None:
        html = (
            "<div id=c><p>Fire kills two. More soon, says the mayor.</p><hr><p>The fire began at noon, people say.</p>"
            "<hr><p>Streets are closed, for now.</p></div>"
            "<div id=f><p><a href=1>All rights reserved by the Example Media Group, no copying, anywhere</a></p></div>"
        )
        page, selection = select(html, short_fallback="density")
        assert selection.trace["fallback"] == "density"
        assert last_step(selection.trace["summary"])[0] == "div#c"
        assert kept_text(page, selection).endswith("Streets are closed, for now.")
        assert text(html).startswith("All rights reserved")

    def test_the_densest_element_loses_when_it_has_less_text(self) -> None:
        _, selection = select("<div><p>One, two.</p></div>", short_fallback="density")
        assert selection.trace["fallback"] is None

    def test_a_long_page_never_falls_back(self) -> None:
        html = TITLED + "<div><p>" + "A long story, told in full. " * 9 + "</p></div>"
        page, selection = select(html, short_fallback="density")
        assert selection.trace["fallback"] is None
        assert "short_page" not in selection.flags
        assert kept_text(page, selection).startswith("A long story")

    @pytest.mark.parametrize(
        ("title", "heading", "same"),
        [
            ("Fire in town", "Fire in town", True),
            ("Fire in town | Example", "FIRE in\n town", True),
            ("Example » Fire in town", "Fire <i>in</i> town", True),
            ("火灾两人死亡_新闻_示例网", "火灾两人死亡", True),
            ("Fire in town", "Fire in", False),
            ("Fire in town", "", False),
            ("", "Fire in town", False),
        ],
    )
    def test_which_heading_says_the_title(self, title: str, heading: str, same: bool) -> None:
        page, selection = select(f"<title>{title}</title><h2>{heading}</h2><p>One, two.</p>")
        assert selection.title == (find(page, "h2") if same else None)

    def test_the_heading_with_most_of_the_title_is_taken(self) -> None:
        page, selection = select(
            "<title>Fire in town - Example</title><h1>Example</h1><h2>Fire in town</h2><p>A, b.</p>"
        )
        assert selection.title == find(page, "h2")


class TestFlags:
    @pytest.mark.parametrize(
        ("words", "short"),
        [
            ("A sentence of this length has quite a few characters in it. So has this one, yes.", False),
            ("A sentence of this length has quite a few characters in it, and so has this one too.", True),  # one end
            ("Brief, it is. Yes.", True),
            ("Is a question the end of a sentence when nothing follows it? It is, and so is a cry!", False),
            ("The value of 3.14159 or 2.71828 at www.example.com is no end of a sentence, is it, now", True),
            (
                "今天上午台风登陆沿海地区，港口已经关闭。市长表示目前没有人员伤亡，救援正在进行。",
                False,
            ),  # 41 characters
            ("今天上午台风登陆沿海地区，港口关闭。市长表示目前没有伤亡，救援正在进行。", True),  # 36
        ],
    )
    def test_short_page(self, words: str, short: bool) -> None:
        assert ("short_page" in select(f"<div><p>{words}</p></div>")[1].flags) is short

    def test_the_thresholds_can_be_moved(self) -> None:
        html = "<div><p>Brief, it is. Yes.</p></div>"
        assert "short_page" not in select(html, short_chars=10)[1].flags
        chinese = "<div><p>今天上午台风登陆。港口关闭。</p></div>"
        assert "short_page" in select(chinese)[1].flags
        assert "short_page" not in select(chinese, short_chars_cjk=10)[1].flags

    @pytest.mark.parametrize(
        ("html", "pieces"),
        [
            ("<p>" + "Word, <a href=1>word</a> word <b>word</b> and <br> so on. " * 3 + "</p>", True),
            ("<p>" + "Plain words, and nothing else. " * 9 + "<b>Bold</b></p>", False),
            ("<p>Line, one.<br>Line, two.<br>Line, three.<br>Line, four.</p>", True),
        ],
    )
    def test_pieces_page(self, html: str, pieces: bool) -> None:
        assert ("pieces_page" in select(f"<div>{html}</div>")[1].flags) is pieces
        assert "pieces_page" not in select(f"<div>{html}</div>", pieces_per_100=90.0)[1].flags

    def test_three_boundaries_in_a_hundred_characters_are_enough(self) -> None:
        # An inline element has two boundaries, a line break is one: three in exactly a hundred characters.
        words = "A" * 48 + ",<b>b</b>" + "<br>" + "c" * 49 + "."
        assert "pieces_page" in select(f"<div><p>{words}</p></div>")[1].flags
        assert "pieces_page" not in select(f"<div><p>{words}c</p></div>")[1].flags


class TestPosts:
    FORUM = (
        "<body><div class=top><a href=1>Board</a></div><div id=thread>"
        "<div class='post odd'><div><a href=2>anna</a></div><div><div><p>How do I prune an apple tree, and when?</p>"
        "<p>It is old, and tall.</p></div></div></div>"
        "<div class='post even'><div><a href=3>ben</a></div><div><div><p>In late winter, before the buds open. "
        "Take out dead wood first, then what crosses.</p></div></div></div>"
        "<div class='post odd'><div><a href=4>carla</a></div><div><div><p>Thanks, that helps.</p></div></div></div>"
        "<div class='post even'><div><a href=5>dora</a></div><div><div><p>+1</p></div></div></div>"
        "<div class=ad><p>Buy saws, cheap.</p></div></div></body>"
    )

    def test_each_post_gets_its_own_climb(self) -> None:
        page, selection = select(self.FORUM, split_posts=True)
        assert kept_text(page, selection) == (
            "How do I prune an apple tree, and when? It is old, and tall. In late winter, before the buds open. "
            "Take out dead wood first, then what crosses. Thanks, that helps."
        )
        assert selection.trace["post_count"] == 3  # the one without punctuation holds no text-para
        assert [part.label for part in selection.parts] == ["post"] * 3
        assert page.text_of(selection.parts[2].rows[0]) == "Thanks, that helps."
        # The climb told in full is the one from the longest text-para.
        assert selection.trace["snippet"]["row"] == selection.trace["posts"][1]["snippet"]

    def test_without_splitting_only_one_post_is_found(self) -> None:
        assert text(self.FORUM).startswith("In late winter")
        assert "anna" not in text(self.FORUM)

    def test_a_climb_never_leaves_its_post(self) -> None:
        posts = "".join(f"<li class=c><p>Comment {k}, one.</p><hr><p>Two, {k}.</p></li>" for k in range(4))
        _, selection = select(f"<ul>{posts}</ul>", split_posts=True)
        assert [post["row"] for post in selection.trace["posts"]] == [
            post["summary"] for post in selection.trace["posts"]
        ]
        assert last_step(selection.trace["summary"])[0] == "li.c"

    def test_of_nested_containers_the_most_repeated_ones_are_the_posts(self) -> None:
        post = "<div class=post>" + "<div class=quote><p>So, I said.</p></div>" * 3 + "</div>"
        page, selection = select("<main>" + post * 5 + "</main>", split_posts=True)
        assert [page.attribute(entry["row"], "class") for entry in selection.trace["posts"]] == ["post"] * 5

    @pytest.mark.parametrize(
        "html",
        [
            "<div class=post><p>One, two.</p></div>" * 2,
            "<div class=a><p>One, two.</p></div><div class=b><p>One, two.</p></div><div class=c><p>One, two.</p></div>",
            "<div><p>One, two.</p><p>Three, four.</p><p>Five, six.</p></div>",
            E1,
        ],
        ids=["only two", "different classes", "paragraphs", "an article"],
    )
    def test_pages_without_repeated_posts_are_read_as_ever(self, html: str) -> None:
        page, selection = select(html, split_posts=True)
        assert selection.trace["posts"] == []
        assert selection.parts == ()
        assert np.array_equal(selection.kept, Econ().select(page).kept)


NAV = "<div><a href=1>{0}</a> <a href=2>{0}</a></div>"


@pytest.mark.parametrize(
    ("word", "paragraphs"),
    [
        ("新闻", ["台风今天登陆，港口已经关闭。", "市长说，没有人员伤亡。"]),
        ("ニュース", ["台風は今日上陸し、港は閉鎖された。", "市長は、けが人はいないと述べた。"]),
        ("أخبار", ["وصلت العاصفة إلى الساحل اليوم، وأغلق الميناء.", "قال العمدة إنه لم يصب أحد."]),
        ("Новости", ["Шторм достиг побережья, порт закрыт.", "Мэр сказал, что никто не пострадал."]),
        (
            "Nachrichten",
            ["Der Sturm erreichte die Küste, der Hafen ist zu.", "Niemand wurde verletzt, hieß es."],
        ),
    ],
    ids=["zh", "ja", "ar", "ru", "de"],
)
@pytest.mark.parametrize("punct", ["default", "extended"])
def test_languages(word: str, paragraphs: list[str], punct: str) -> None:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    assert text(f"{NAV.format(word)}<div>{body}</div>{NAV.format(word)}", punct=punct) == " ".join(paragraphs)


@pytest.mark.parametrize("line", ["港、町、村", "ایک، دو", "ختم ہوا۔"])
def test_only_the_extended_marks_keep_lines_with_no_other(line: str) -> None:
    html = f"<div><p>{'One, two. ' * 9}</p><hr><p>{line}</p></div>"
    assert line not in text(html)
    assert line in text(html, punct="extended")


class TestResult:
    def test_columns_and_score(self) -> None:
        page, selection = select(E1)
        assert selection.score is not None
        body, heading, first_link = page.body(), find(page, "h1"), find(page, "a")
        assert set(selection.columns) == {"puncts", "unit", "set", "pruned"}
        assert selection.columns["puncts"][body] == 5 == selection.score[body]
        assert np.isnan(selection.score[0])
        assert selection.columns["set"][heading] == 1
        assert selection.columns["unit"][heading] == 2
        bold = find(page, "b")
        assert selection.columns["unit"][bold] == selection.columns["unit"][page.parent[bold]]
        assert selection.columns["set"][body] == selection.columns["unit"][body] == -1
        assert selection.columns["pruned"][first_link]
        assert not selection.columns["pruned"][heading]

    def test_the_trace_is_ready_for_json_and_bounded(self) -> None:
        html = "<div>" + "<p>One, two.</p><hr>" * 500 + "</div>"
        _, selection = select(html)
        trace = json.loads(json.dumps(dict(selection.trace), allow_nan=False))
        assert len(trace["text_paras"]) == 200
        assert trace["text_para_count"] == 500

    def test_the_page_is_left_alone(self) -> None:
        page = page_of(E1)
        before = pickle.dumps(page)
        options = {"split_posts": True, "collapse_start": True, "short_fallback": "density", "skip_inword": True}
        Econ(**options).select(page)  # type: ignore[arg-type]
        assert pickle.dumps(page) == before

    def test_an_odd_id_does_not_spoil_the_paths(self) -> None:
        page, selection = select("<div id='a > b'><p>One, two.</p><p>Three.</p></div><p>x</p>")
        assert selection.trace["summary"]["path"] == page.path(find(page, "div"))


class TestSize:
    """Nothing recurses, and nothing grows faster than the page; the bounds are far above what is needed."""

    def timed(self, page: Page, **options: Any) -> Selection:
        return Econ(**options).select(page)

    def test_deep(self) -> None:
        page = page_of("<span>" * 100_000 + "deep text, here." + "</span>" * 100_000)
        selection = self.timed(page)
        assert kept_text(page, selection) == "deep text, here."
        assert selection.trace["steps"] == 1
        assert self.timed(page, collapse_start=True).trace["snippet"]["row"] == page.body()

    @pytest.mark.parametrize("nesting", ["units", "literal"])
    def test_a_long_way_up(self, nesting: str) -> None:
        levels = 20_000
        page = page_of("<span><u>a, b.</u>" * levels + "<u>The longest of all, by far.</u>")
        selection = self.timed(page, nesting=nesting, split_posts=True)
        assert selection.trace["steps"] > levels
        assert len(selection.trace["backtracking"]) == 200
        assert selection.trace["summary"]["row"] == page.body() + 1

    @pytest.mark.parametrize("options", [{}, {"split_posts": True, "skip_inword": True, "nesting": "literal"}])
    def test_wide(self, options: dict[str, Any]) -> None:
        page = page_of("<title>t</title><body>" + "<p>Some words, and an end.</p>" * 200_000)
        selection = self.timed(page, **options)
        assert selection.trace["summary"]["row"] == page.body()
        assert selection.trace["text_para_count"] == 1

    def test_a_line_of_dots(self) -> None:
        page = page_of(f"<div><p>Contents, {'.' * 1_000_000}x</p></div>")
        assert "short_page" in self.timed(page).flags  # no sentence ends in it

    def test_many_posts(self) -> None:
        page = page_of("<body>" + "<div class=p><h2>T</h2><p>Some words, and.</p></div>" * 100_000)
        selection = self.timed(page, split_posts=True)
        assert selection.trace["post_count"] == len(selection.parts) == 100_000


# A plain recursive reading of the specification, for small pages.


class Para(NamedTuple):
    units: list[list[int]]  # topmost rows of each unit
    parent: int
    anonymous: list[bool]


class Reference:
    """Joint-para and Extract-news, step by step."""

    def __init__(self, page: Page, *, literal: bool) -> None:
        self.page = page
        self.body = page.body()
        self.sets: list[Para] = []
        self.read_all(self.body) if literal else self.visit(self.body)
        self.sets.sort(key=lambda para: para.units[0][0])

    def name(self, row: int) -> str:
        return self.page.tag_name(row)

    def children(self, row: int) -> list[int]:
        """Without scripts, styles and blanks."""
        dropped = ("script", "style", "template")
        return [
            row
            for row in self.page.children(row)
            if self.name(row) not in dropped and (self.name(row) != "#text" or self.page.chars[row])
        ]

    def texts(self, row: int) -> list[int]:
        if self.name(row) in UNREAD:
            return []
        if self.name(row) == "#text":
            return [row]
        return [text for child in self.children(row) for text in self.texts(child)]

    def puncts(self, row: int) -> int:
        return sum(sum(map(self.page.text_of(text).count, ".,。，．｡")) for text in self.texts(row))

    def has_text(self, row: int) -> bool:
        return self.name(row) not in UNREAD and any(self.name(child) == "#text" for child in self.children(row))

    def holds_block(self, row: int) -> bool:
        if self.name(row) in UNREAD:
            return False
        below = [child for child in self.children(row) if self.name(child) not in UNREAD]
        return any(self.name(child) in BLOCK or self.holds_block(child) for child in below)

    def is_big(self, row: int) -> bool:
        return self.name(row) not in ("#text", *UNREAD) and (self.name(row) in BIG or self.has_text(row))

    def visit(self, row: int) -> None:
        """The sibling list below a container: runs become anonymous units, other children are units or containers."""
        mixed = self.has_text(row)
        items: list[tuple[str, list[int]]] = []
        for child in self.children(row):
            inline = self.name(child) not in (*BLOCK, *BIG) and not self.holds_block(child)
            if self.name(child) == "#text" or (mixed and inline):
                if items and items[-1][0] == "run":
                    items[-1][1].append(child)
                else:
                    items.append(("run", [child]))
            elif self.is_big(child) and not self.holds_block(child):
                items.append(("unit", [child]))
            else:
                items.append(("other", [child]))
        group: list[tuple[str, list[int]]] = []
        for kind, rows in [*items, ("end", [])]:
            textless = kind == "run" and not any(self.texts(member) for member in rows)
            if kind in ("run", "unit") and not textless:
                group.append((kind, rows))
                continue
            if group:
                self.sets.append(Para([rows for _, rows in group], row, [kind == "run" for kind, _ in group]))
                group = []
            if kind == "other" and self.name(rows[0]) not in UNREAD:
                self.visit(rows[0])

    def read_all(self, row: int) -> None:
        """The paper to the letter: every big-node, wherever it is."""
        group: list[int] = []
        for child in [*self.children(row), -1]:
            if child >= 0 and self.is_big(child):
                group.append(child)
            elif group:
                self.sets.append(Para([[member] for member in group], row, [False] * len(group)))
                group = []
        for child in self.children(row):
            if self.name(child) not in ("#text", *UNREAD):
                self.read_all(child)

    def figures(self, para: Para) -> tuple[int, int]:
        """Characters and punc-num of a text-para."""
        rows = [row for unit in para.units for row in unit]
        chars = sum(int(self.page.chars[text]) for row in rows for text in self.texts(row))
        return chars, sum(self.puncts(row) for row in rows)

    def extract(self) -> tuple[int, int, int, list[int]] | None:
        """Snippet, summary, steps and the text that is left; None where there is no text-para."""
        kept = [para for para in self.sets if self.figures(para)[1]]
        if not kept:
            return None
        longest = max(kept, key=lambda para: self.figures(para)[0])  # the first of them
        node = snippet = longest.parent if longest.anonymous[0] else longest.units[0][0]
        steps = 0
        while True:
            parent = int(self.page.parent[node])
            steps += 1
            if self.puncts(parent) == self.puncts(node) or node == self.body:
                break
            node = parent
        pruned = {
            text
            for para in self.sets
            if not self.figures(para)[1]
            for unit in para.units
            for row in unit
            for text in self.texts(row)
        }
        return snippet, node, steps, [text for text in self.texts(node) if text not in pruned]


WORDS = st.sampled_from(["", " ", "\n", "word", "two words ", "a, b.", " End.", "中文，好。", "1.5"])
TAGS = ["div", "p", "span", "a", "b", "font", "u", "h2", "ul", "li", "td", "section", "script", "noscript", "select"]
VOID = st.sampled_from(["<br>", "<hr>", "<img src=x>", "<!-- a, b. -->", "<script>a, b.</script>"])


def wrap(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    many = st.lists(inner, max_size=4).map("".join)
    return st.builds(lambda tag, body: f"<{tag}>{body}</{tag}>", st.sampled_from(TAGS), many)


PIECES = st.recursive(WORDS | VOID, wrap, max_leaves=25)
HTML = st.lists(PIECES, max_size=6).map(lambda parts: "<body>" + "".join(parts))


@pytest.mark.parametrize("nesting", ["units", "literal"])
@hypothesis_settings(max_examples=300, deadline=None)
@given(html=HTML)
def test_same_as_the_plain_reading(nesting: Any, html: str) -> None:
    page, selection = select(html, nesting=nesting)
    reference = Reference(page, literal=nesting == "literal")
    expected = [
        (para.units[0][0], int(page.end[para.units[-1][-1]]), len(para.units), *reference.figures(para))
        for para in reference.sets
        if reference.figures(para)[0]
    ]
    names = ("first", "end", "units", "characters", "punc")
    assert [tuple(para[name] for name in names) for para in selection.trace["text_paras"]] == expected
    assert selection.columns["puncts"].tolist()[reference.body] == reference.puncts(reference.body)
    result = reference.extract()
    if result is None:
        assert not selection.kept.any()
        assert selection.reason is (Reason.NO_CONTENT if reference.texts(reference.body) else Reason.NO_TEXT)
        return
    snippet, summary, steps, texts = result
    assert selection.trace["snippet"]["row"] == snippet
    assert selection.trace["summary"]["row"] == summary
    assert selection.trace["steps"] == steps
    assert np.flatnonzero(selection.kept & (page.chars > 0)).tolist() == texts
