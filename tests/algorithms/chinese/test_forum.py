from __future__ import annotations

import json
import pickle
from dataclasses import asdict, replace
from typing import Any

import pytest

from duramen.algorithms.chinese.forum import NOISE_PATTERNS, SEPARATORS, ForumZh
from duramen.algorithms.settings import configure
from duramen.page import Page, Reason, Selection
from tests.support import find, kept_text, page_of

POST = ("大家好，这是我第一次在这里发帖，请多多关照。", "希望学到东西。")
REPLY = "欢迎欢迎，有问题可以先看一看置顶帖里的说明文档。"
# One block a line of the specification's table; a | there is a new text node here.
BLOCKS = (
    ("首页 论坛", 5, True),
    ("<b>楼主小王</b>积分: 120", 11, True),
    ("发表于 2010-5-6 10:00", 18, True),
    (f"<p>{POST[0]}</p><p>{POST[1]}</p>", 29, False),
    ("<a href=r>回复</a> <a href=q>引用</a>", 4, True),
    ("顶一下", 3, False),
    (REPLY, 24, False),
)
VECTOR = "<body>" + "".join(f"<div>{block}</div>" for block, _, _ in BLOCKS) + "</body>"

FORUM = """<html><head><title>新手求助：如何选择第一台相机？ - 摄影交流 - 光影论坛</title></head><body>
<div id="menu"><a href="/">首页</a> <a href="/reg">注册</a> <a href="/login">登录</a> <a href="/help">帮助</a></div>
<div id="path"><a href="/">光影论坛</a> » <a href="/f1">摄影交流</a> » 新手求助</div>
<h1>新手求助：如何选择第一台相机，预算五千元左右？</h1>
<table><tr>
  <td class="author"><b>小王</b><br>积分: 120<br>注册时间: 2009-1-1<br>来自: 江南</td>
  <td class="post"><div class="info">发表于 2010-5-6 10:00</div>
    <div class="text">各位老师好，我想买第一台单反相机，主要拍风景和家人。<br><br>预算五千左右，请问应该怎么选？
      <img src="shop.jpg">最好是能用很多年的。</div>
    <div class="tools"><a href="#">回复</a> <a href="#">引用</a> <a href="#">举报</a> TOP</div></td></tr>
<tr>
  <td class="author"><b>老李</b><br>积分: 5210<br>注册时间: 2003-7-1<br>来自: 塞北</td>
  <td class="post"><div class="info">发表于 2010-5-6 10:32</div>
    <div class="text"><p>先想清楚拍什么。拍风景的话，广角镜头比机身重要。</p>
      <p>预算有限就买二手的，省下的钱可以买三脚架。</p></div>
    <div class="tools"><a href="#">回复</a> <a href="#">引用</a></div></td></tr>
<tr>
  <td class="author"><b>阿花</b></td>
  <td class="post"><div class="info">发表于 2010-5-6 11:05</div><div class="text">顶！</div></td></tr>
</table>
<form><textarea>请在这里输入您要回复的内容，不少于五个字，文明发言。</textarea>
<select><option>摄影交流</option><option>器材讨论与二手市场交易专区版块</option></select></form>
<div id="foot">Powered by Example Board 7.0 光影论坛 版权所有</div>
</body></html>"""


def select(html: str, **settings: Any) -> tuple[Page, Selection]:
    page = page_of(html)
    return page, ForumZh(**settings).select(page)


def text(html: str, **settings: Any) -> str:
    return kept_text(*select(html, **settings))


def part_texts(page: Page, selection: Selection) -> list[tuple[str, str]]:
    return [(part.label, " ".join(page.text_of(row).strip() for row in part.rows)) for part in selection.parts]


class TestSettings:
    def test_round_trips(self) -> None:
        made = ForumZh(min_length=5, noise="node", separators=("div", "p"))
        assert ForumZh(**asdict(made)) == replace(made) == pickle.loads(pickle.dumps(made)) == made

    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ({"min_length": -1}, "min_length is 0 or more"),
            ({"max_noise_length": -1}, "max_noise_length is 0 or more"),
            ({"noise": "page"}, "noise is one of block, node"),
            ({"separators": ("div", "dvi", "#text")}, "'dvi', '#text'"),
            ({"noise_patterns": ("a", "(b")}, r"noise_patterns: '\(b' is no regular expression"),
        ],
    )
    def test_senseless_settings_are_refused(self, bad: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            ForumZh(**bad)

    def test_settings_come_from_text_too(self) -> None:
        options = {"min-length": "30", "noise-patterns": r"\d+楼, 顶", "separators": "div,td"}
        assert configure({"forum-zh": ForumZh}, "forum-zh", "default", options) == ForumZh(
            min_length=30, noise_patterns=(r"\d+楼", "顶"), separators=("div", "td")
        )

    def test_the_defaults_survive_that(self) -> None:
        assert not any("," in pattern for pattern in NOISE_PATTERNS)

    def test_paragraphs_and_line_breaks_do_not_separate(self) -> None:
        assert not {"p", "br", "span", "b", "a"} & set(SEPARATORS)


class TestVectors:
    @pytest.mark.parametrize("at", range(len(BLOCKS)))
    def test_lengths_and_noise(self, at: int) -> None:
        _, selection = select(VECTOR)
        length, noisy = BLOCKS[at][1:]
        assert selection.columns["length"][at] == length
        assert (selection.columns["noise"][at] > 0) == noisy

    def test_one_post_and_one_reply(self) -> None:
        page, selection = select(VECTOR)
        assert part_texts(page, selection) == [("post", " ".join(POST)), ("reply", REPLY)]
        assert kept_text(page, selection) == f"{' '.join(POST)} {REPLY}"
        assert selection.flags == ()

    def test_every_block_is_reported(self) -> None:
        _, selection = select(VECTOR)
        assert selection.blocks is not None
        assert len(selection.blocks) == selection.trace["blocks"] == len(BLOCKS)
        assert selection.columns["chosen"].tolist() == [False, False, False, True, False, False, True]
        assert (selection.trace["noisy"], selection.trace["too_short"], selection.trace["chosen"]) == (4, 1, 2)


class TestForumPage:
    def test_title_post_and_reply(self) -> None:
        page, selection = select(FORUM)
        labels = [label for label, _ in part_texts(page, selection)]
        assert labels == ["title", "post", "reply"]
        assert selection.title == find(page, "h1")

    def test_noise_is_left_out(self) -> None:
        content = text(FORUM)
        assert "预算五千左右" in content and "省下的钱可以买三脚架" in content
        for noise in ("首页", "积分", "发表于", "引用", "请在这里输入", "器材讨论", "Powered", "光影论坛"):
            assert noise not in content

    def test_paragraphs_of_one_post_stay_together(self) -> None:
        page, selection = select(FORUM)
        assert part_texts(page, selection)[2][1].startswith("先想清楚拍什么。")
        assert part_texts(page, selection)[2][1].endswith("三脚架。")

    def test_pictures_of_a_post_are_kept(self) -> None:
        page, selection = select(FORUM)
        assert selection.kept[find(page, "img")]

    def test_the_trace_can_be_written(self) -> None:
        trace = json.dumps(dict(select(FORUM)[1].trace), allow_nan=False)
        assert "noise_patterns_met" in trace


class TestLength:
    @pytest.mark.parametrize(("length", "chosen"), [(20, False), (21, True)])
    def test_the_limit_is_strict(self, length: int, chosen: bool) -> None:
        assert (text(f"<div>{'字' * length}</div>") != "") == chosen

    def test_white_space_is_collapsed_first(self) -> None:
        assert text(f"<div>{' 字 　' * 10}</div>") == ""  # 19 characters

    def test_all_text_nodes_of_a_block_count(self) -> None:
        assert text(f"<div>{'字' * 11}<p>{'文' * 11}</p></div>") != ""
        assert text(f"<div>{'字' * 11}<div>{'文' * 11}</div></div>") == ""

    def test_nothing_long_enough_is_flagged_with_a_hint(self) -> None:
        _, selection = select("<div>顶一下</div><div>同意楼上的看法</div>")
        assert selection.reason is Reason.NO_CONTENT
        assert selection.flags == ("lower_min_length",)
        assert selection.trace["longest_clean_block"] == 7
        assert text("<div>顶一下</div><div>同意楼上的看法</div>", min_length=6) == "同意楼上的看法"


class TestNoise:
    LONG = "这一段文字足够长，可以算作一个完整的回帖内容了。"

    @pytest.mark.parametrize(
        "noise",
        [
            *(
                "发表于 2010-5-6 10:00",
                "发表于：2010/5/6",
                "发布于 2020-12-30 19:24:15",
                "2010-5-6",
                "2010年5月6日 10:00",
            ),
            *("回复", "引用", "举报", "只看该作者", "楼主", "沙发", "板凳", "顶", "TOP", "top", "12#", "3 楼"),
            *("注册时间: 2009-1-1", "积分 120", "帖子：7", "来自: 江南", "阅读权限 10"),
            *("本帖最后由 小王 于 2010-5-6 编辑", "登录 | 注册", "返回列表", "上一主题", "发新话题"),
            *(
                "Powered by Example",
                "Copyright 2010",
                "© 光影论坛",
                "光影论坛 版权所有",
                "京ICP备00000000号",
                "IP: 127.0.0.*",
            ),
            "--------------",
        ],
    )
    def test_a_noisy_node_spoils_its_block(self, noise: str) -> None:
        assert text(f"<div>{self.LONG}<b>{noise}</b></div>") == ""

    @pytest.mark.parametrize(
        "words", ["顶楼的风景", "回复一下楼上", "第12#号", "编辑部", "----", "我来自江南", "2010-5-6那天"]
    )
    def test_patterns_match_whole_nodes(self, words: str) -> None:
        assert text(f"<div>{self.LONG}<b>{words}</b></div>") == f"{self.LONG} {words}"

    def test_long_nodes_are_no_noise(self) -> None:
        long = "来自北方的朋友都知道，" + "冬天的风很大。" * 40
        assert text(f"<div>{long}</div>") == long
        assert text(f"<div>{long}</div>", max_noise_length=1_000) == ""

    def test_only_the_node_may_be_left_out(self) -> None:
        html = f"<div><i>本帖最后由 小王 于 2010-5-6 编辑</i><br>{self.LONG}</div>"
        assert text(html) == ""
        assert text(html, noise="node") == self.LONG
        # What is left out does not count.
        assert text("<div><i>注册时间: 2009-1-1 10:00</i>太短了</div>", noise="node") == ""

    def test_own_patterns_and_separators(self) -> None:
        html = f"<div><p>{self.LONG}</p><p>打赏作者</p></div>"
        assert text(html, noise_patterns=("打赏.*",)) == ""
        assert text(html, noise_patterns=("打赏.*",), separators=("p",)) == self.LONG


class TestParts:
    def test_a_heading_is_the_title_only_before_all_posts(self) -> None:
        post = "这一段文字足够长，可以算作一个完整的回帖内容了。"
        heading = "这是一个超过二十个字的标题，看看它会变成什么呢"
        page, selection = select(f"<h1>{heading}</h1><div>{post}</div><h2>{heading}</h2>")
        assert [label for label, _ in part_texts(page, selection)] == ["title", "post", "reply"]
        page, selection = select(f"<div>{post}</div><h1>{heading}</h1>")
        assert [label for label, _ in part_texts(page, selection)] == ["post", "reply"]
        assert selection.title is None


class TestEdges:
    def test_an_english_page_is_flagged(self) -> None:
        page, selection = select("<div>I bought a camera last week, and it broke.</div>")
        assert selection.flags == ("not_chinese",)
        assert "camera" in kept_text(page, selection)

    @pytest.mark.parametrize("html", ["", "<div></div>", "<script>很长很长很长很长很长很长很长很长很长的脚本</script>"])
    def test_nothing_to_read_is_no_text(self, html: str) -> None:
        assert select(html)[1].reason is Reason.NO_TEXT

    @pytest.mark.parametrize(
        "html",
        [
            "<span>" * 100_000 + "这一段文字足够长，可以算作一个完整的回帖内容了。",
            "<span>字" * 50_000,
            "<div>这一段文字足够长，可以算作一个完整的回帖内容了。</div>" * 50_000,
            f"<div>{'版权' * 200_000}</div>",
        ],
        ids=["deep", "deep text", "wide", "long"],
    )
    def test_size_and_depth_only_cost_time(self, html: str) -> None:
        assert select(html)[1].reason is None
