from __future__ import annotations

import json
import pickle
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from duramen.algorithms.chinese.blog import BlogZh
from duramen.algorithms.chinese.forum import ForumZh
from duramen.algorithms.chinese.news import FIXED_WORD, FIXED_WORDS, HEADING, LEFT, NO_STOP, NewsZh
from duramen.algorithms.coreex import CoreEx
from duramen.algorithms.settings import configure
from duramen.decode import decode
from duramen.errors import OptionError
from duramen.page import Page, Reason, Selection
from duramen.parse import parse_html5
from duramen.render.text import to_text
from tests.support import find, kept_text, page_of

# The blocks of the specification, and a second sentence: with fewer than two stops the filter is skipped.
VECTOR = """<body><div id=nav>导航 新闻 体育</div><div id=foot>版权所有 不得转载。</div>
<div id=text>记者今天获悉，会议明日举行。</div></body>"""

NEWS = """<html><head><title>跨江大桥昨日合龙 全长三公里_临江新闻网</title></head><body>
<div class="top"><ul>
  <li><a href="/">首页</a></li><li><a href="/n">要闻</a></li><li><a href="/s">体育</a></li></ul></div>
<div class="crumbs">当前位置：<a href="/">首页</a> &gt; <a href="/n">要闻</a> &gt; 正文</div>
<div class="main">
  <div class="headline">跨江大桥昨日合龙 全长三公里</div>
  <div class="info">2009-05-18 09:30 来源：临江日报</div>
  <div class="text">
    <p>　　本报讯（记者 林一帆）昨日上午十时，跨江大桥主桥最后一块钢箱梁吊装到位，<b>大桥顺利合龙</b>。</p>
    <p><img src="bridge.jpg"></p>
    <p>　　大桥全长三点二公里，双向六车道，预计明年春节前通车。届时两岸车程将从一小时缩短到十分钟。</p>
    <p><strong>市民期待已久</strong></p>
    <p>　　家住南岸的王女士说：“以后上班再也不用等轮渡了。”她每天过江往返需要两个多小时。</p>
    <p>　　据了解，大桥还预留了人行步道。建成后，市民可以步行过江，欣赏沿岸风光。</p>
    <p>责任编辑：周小舟。</p>
  </div>
  <div class="related"><h3>相关新闻</h3><ul><li><a href="/1">轮渡公司调整班次</a></li>
    <li><a href="/2">南岸新区规划公布</a></li><li><a href="/3">大桥桥名征集揭晓</a></li></ul></div>
</div>
<div class="side"><h3>图片聚焦</h3><p><a href="/4">春日江畔</a></p><p><a href="/5">老街新貌</a></p></div>
<div class="foot">版权所有 临江新闻网 未经授权不得转载。京ICP备00000000号</div>
</body></html>"""
BODY = ("大桥顺利合龙", "明年春节前通车", "不用等轮渡了", "预留了人行步道")
NOISE = ("首页", "当前位置", "责任编辑", "相关新闻", "轮渡公司", "图片聚焦", "版权所有")


def select(html: str, **settings: Any) -> tuple[Page, Selection]:
    page = page_of(html)
    return page, NewsZh(**settings).select(page)


def text(html: str, **settings: Any) -> str:
    return kept_text(*select(html, **settings))


class TestSettings:
    def test_round_trips(self) -> None:
        made = NewsZh(strict=False, fixed_words=("声明", "all rights reserved"))
        assert NewsZh(**asdict(made)) == replace(made) == pickle.loads(pickle.dumps(made)) == made

    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ({"max_removed": 1.5}, "max_removed lies between 0 and 1"),
            ({"max_removed": float("nan")}, "max_removed"),
            ({"min_stops": -1}, "min_stops is 0 or more"),
            ({"fixed_word_limit": -1}, "fixed_word_limit is 0 or more"),
            ({"fixed_words": ("备案", " ")}, "empty word"),
            ({"weight_text": 0.2}, "add up to 1"),  # CoreEx checks what is CoreEx's
            ({"threshold": 2.0}, "threshold lies between"),
            ({"title_recovery": "on"}, "title_recovery is one of"),
        ],
    )
    def test_senseless_settings_are_refused(self, bad: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            NewsZh(**bad)

    def test_settings_come_from_text_too(self) -> None:
        table = {"news-zh": NewsZh}
        options = {"fixed-words": "声明, 备案", "strict": "off", "weight_ratio": "0.9", "weight_text": "0.1"}
        assert configure(table, "news-zh", "default", options) == NewsZh(
            fixed_words=("声明", "备案"), strict=False, weight_ratio=0.9, weight_text=0.1
        )
        with pytest.raises(OptionError, match="threshold"):
            configure(table, "news-zh", "news-zh", {"threshold": "7"})

    def test_the_listed_words_are_all_there(self) -> None:
        assert len(FIXED_WORDS) == len(set(FIXED_WORDS)) == 30


class TestVectors:
    @pytest.mark.parametrize(
        ("node", "verdict"), [("#nav", NO_STOP), ("#foot", FIXED_WORD), ("#text", LEFT)], ids=["nav", "foot", "text"]
    )
    def test_blocks(self, node: str, verdict: int) -> None:
        page, selection = select(VECTOR)
        assert selection.columns["removed"][find(page, node)] == verdict

    def test_only_the_news_is_kept(self) -> None:
        page, selection = select(VECTOR)
        assert kept_text(page, selection) == "记者今天获悉，会议明日举行。"
        assert selection.flags == ("index_page",)  # CoreEx's: 13 words are no article
        why = {entry["text"]: entry["why"] for entry in selection.trace["removed_blocks"]}
        assert why == {"导航新闻体育": "no full stop", "版权所有不得转载。": "版权所有"}


class TestNewsPage:
    def test_the_article_is_kept_and_the_noise_is_not(self) -> None:
        content = text(NEWS)
        assert all(piece in content for piece in BODY)
        assert not any(piece in content for piece in NOISE)

    def test_the_headline_comes_from_the_page_though_it_has_no_stop(self) -> None:
        page, selection = select(NEWS)
        assert selection.title is not None
        assert page.text_of(selection.title) == "跨江大桥昨日合龙 全长三公里"
        assert selection.trace["title_rule"] == "piece"
        assert [(part.label, part.rows) for part in selection.parts] == [("title", (selection.title,))]
        assert kept_text(page, selection).startswith("跨江大桥昨日合龙")

    def test_pictures_between_the_paragraphs_stay(self) -> None:
        page, selection = select(NEWS)
        assert selection.kept[find(page, "img")]

    @pytest.mark.parametrize(
        ("settings", "noise"),
        [
            ({"full_stop_filter": False}, "来源：临江日报"),
            ({"fixed_words": ()}, "责任编辑"),
            ({"full_stop_filter": False, "fixed_words": ()}, "责任编辑"),
        ],
    )
    def test_each_filter_takes_its_own_noise_out(self, settings: dict[str, Any], noise: str) -> None:
        assert noise in text(NEWS, **settings)
        assert noise not in text(NEWS)

    def test_without_filters_it_is_coreex(self) -> None:
        page, selection = select(NEWS, full_stop_filter=False, fixed_words=(), title_recovery="header")
        plain = CoreEx(title_recovery="header", form_rescue=True).select(page)
        assert kept_text(page, selection) == kept_text(page, plain)
        assert selection.score is not None and plain.score is not None
        assert np.array_equal(selection.score, plain.score, equal_nan=True)
        for name in ("winner", "set", "score", "path", "page_text"):
            assert selection.trace[name] == plain.trace[name]

    def test_the_trace_speaks_of_rows_of_the_whole_page(self) -> None:
        page, selection = select(NEWS)
        assert page.path(selection.trace["winner"]) == selection.trace["path"]
        assert page.tag_name(selection.trace["winner"]) == "body"  # the filters have left one way down to the text
        assert page.attribute(selection.trace["set"][0], "class") == "main"
        assert all(page.parent[row] == selection.trace["winner"] for row in selection.trace["set"])
        json.dumps(dict(selection.trace), allow_nan=False)

    @pytest.mark.parametrize("encoding", ["gbk", "gb2312", "utf-8", "utf-16", "gb18030"])
    def test_every_encoding_of_the_paper(self, encoding: str) -> None:
        raw = NEWS.encode(encoding, "ignore")
        page = parse_html5(decode(raw, charset=None if encoding == "utf-16" else encoding).utf8)
        assert all(piece in kept_text(page, NewsZh().select(page)) for piece in BODY)


class TestFullStopFilter:
    def test_a_paragraph_is_judged_as_a_whole(self) -> None:
        # Its first text node has no stop.
        html = (
            "<body><p>记者<b>今天</b>获悉。</p><p>会议<i>明日</i>举行，<br>地点未定。</p><p>更多<b>内容</b></p></body>"
        )
        assert text(html) == "记者 今天 获悉。 会议 明日 举行， 地点未定。"

    def test_text_around_child_blocks_is_one_leaf_block(self) -> None:
        page, selection = select("<body><div id=a>上半句<p>一。</p>下半句。</div><div id=b>没有<p>二。</p>句号</div>")
        removed = selection.columns["removed"]
        assert removed[find(page, '"上半句"')] == LEFT
        assert removed[find(page, '"句号"')] == NO_STOP

    @pytest.mark.parametrize(
        ("mark", "strict"), [("！", False), ("？", False), ("…", False), ("。", False), ("。", True)]
    )
    def test_what_ends_a_sentence(self, mark: str, strict: bool) -> None:
        html = f"<body><p>第一句话{mark}</p><p>第二句话{mark}</p><div>没有结尾的文字</div></body>"
        assert text(html, strict=strict) == f"第一句话{mark} 第二句话{mark}"

    def test_other_marks_do_not_count_when_strict(self) -> None:
        html = "<body><p>第一句话。</p><p>第二句话。</p><div><p>真的吗！</p></div></body>"
        assert "真的吗" not in text(html)
        assert "真的吗" in text(html, strict=False)

    def test_pages_with_fewer_than_two_stops_are_not_filtered(self) -> None:
        _, selection = select("<body><p>只有一句。</p><p>还有一行</p></body>")
        assert selection.trace["filter_skipped"] == "few_stops"
        assert "filter_skipped" in selection.flags
        assert text("<body><p>只有一句。</p><p>还有一行</p></body>") == "只有一句。 还有一行"
        assert text("<body><p>只有一句。</p><p>还有一行</p></body>", min_stops=1) == "只有一句。"

    @pytest.mark.parametrize(("chars", "skipped"), [(95, None), (96, "too_much")])
    def test_a_filter_that_would_take_more_than_95_percent_is_skipped(self, chars: int, skipped: str | None) -> None:
        # Five characters have stops: 95 of 100 are the limit, 96 of 101 are more.
        html = f"<body><p>是的。好。</p><div>{'字' * chars}</div></body>"
        assert select(html)[1].trace["filter_skipped"] == skipped

    def test_headings_are_left_for_the_title_and_no_more(self) -> None:
        html = """<body><h3>排行榜</h3>
        <div><h1>今天的标题</h1><p>第一段文字。</p><h2>小标题</h2><p>第二段文字。</p></div>
        <h2>猜你喜欢</h2></body>"""
        page, selection = select(html)
        assert selection.columns["removed"][find(page, "h1")] == HEADING
        # A heading inside the article is part of it, one before or after it is not.
        assert "小标题" in kept_text(page, selection)
        assert "猜你喜欢" not in kept_text(page, selection)

    def test_deeper_headings_are_blocks_like_others(self) -> None:
        page, selection = select("<body><h4>第四级</h4><p>第一段。</p><p>第二段。</p></body>")
        assert selection.columns["removed"][find(page, "h4")] == NO_STOP

    def test_paragraphs_without_a_stop_between_others_come_back(self) -> None:
        assert "市民期待已久" in text(NEWS)
        assert "市民期待已久" not in text(NEWS, restore=False)

    def test_what_comes_back_is_not_links_and_not_at_the_edge(self) -> None:
        html = """<body><div><p>编者按</p><p>第一段文字。</p><p>小标题</p><p><a href=1>点这里看全部图片</a></p>
        <p>第二段文字。</p><p>（完）</p></div></body>"""
        assert text(html) == "第一段文字。 小标题 第二段文字。"


class TestFixedWords:
    def test_long_blocks_stay(self) -> None:
        block = "公司称版权所有问题已经解决。" + "双方将继续合作。" * 30
        html = f"<body><p>{block}</p><p>版权所有。</p></body>"
        assert len(block) > 200
        assert text(html) == block
        assert text(html, fixed_word_limit=400) == ""

    @pytest.mark.parametrize(("length", "kept"), [(199, False), (200, True)])
    def test_the_limit_is_strict(self, length: int, kept: bool) -> None:
        statement = "免责声明" + "字" * (length - 5) + "。"
        assert ("免责声明" in text(f"<body><p>{statement}</p><p>正文在此。</p></body>")) == kept

    @pytest.mark.parametrize(
        "written", ["责任编辑：小李。", "责 任 编 辑：小李。", "<b>责任</b>编辑：小李。", "京icp备。"]
    )
    def test_words_are_found_however_they_are_written(self, written: str) -> None:
        page, selection = select(f"<body><p>第一段文字。</p><p>第二段文字。</p><p id=x>{written}</p></body>")
        assert selection.columns["removed"][find(page, "#x")] == FIXED_WORD

    def test_they_apply_to_headings_too(self) -> None:
        page, selection = select("<body><h2>相关新闻</h2><p>第一段文字。</p><p>第二段文字。</p></body>")
        assert selection.columns["removed"][find(page, "h2")] == FIXED_WORD

    def test_own_words(self) -> None:
        html = "<body><p>第一段文字。</p><p>第二段文字。</p><p>本报地址：江边路一号。</p></body>"
        assert "本报地址" not in text(html, fixed_words=("本报地址",))
        assert "本报地址" in text(html)


class TestEdges:
    def test_an_english_page_is_flagged_and_read_by_coreex(self) -> None:
        html = "<body><p>The bridge was closed at noon, and nobody was hurt. The mayor said so.</p></body>"
        page, selection = select(html)
        assert {"not_chinese", "filter_skipped"} <= set(selection.flags)
        assert "bridge was closed" in kept_text(page, selection)

    @pytest.mark.parametrize(("han", "flagged"), [(30, False), (29, True)])
    def test_thirty_percent_of_the_visible_characters_are_enough(self, han: int, flagged: bool) -> None:
        html = f"<body><script>{'字' * 500}</script><p>{'字' * han}{'a' * (100 - han)}</p></body>"
        assert ("not_chinese" in select(html)[1].flags) == flagged

    def test_nothing_left_is_no_content(self) -> None:
        _, selection = select("<body><p>版权所有。</p><p>免责声明。</p></body>")
        assert selection.reason is Reason.NO_CONTENT

    @pytest.mark.parametrize(
        "html", ["", "<body><script>var a = '字。字。'</script>", "<frameset><frame src=a></frameset>"]
    )
    def test_nothing_to_read_is_no_text(self, html: str) -> None:
        assert select(html)[1].reason is Reason.NO_TEXT

    def test_a_page_without_rows(self) -> None:
        none, start = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int32)
        text = (none, none.astype(np.uint8), start, b"", none, none, none, none)
        page = Page(none, none, none, *text, attr_at=start, attr_name_at=start, attr_value_at=none, attrs=b"")
        for algorithm in (NewsZh(), BlogZh(), ForumZh()):
            assert algorithm.select(page).reason is Reason.NO_TEXT

    def test_a_page_inside_a_form_is_read(self) -> None:
        html = "<body><form><p>第一段文字。</p><p>第二段文字。</p></form></body>"
        assert text(html) == "第一段文字。 第二段文字。"
        assert text(html, form_rescue=False) == ""

    def test_choices_of_a_form_are_never_text(self) -> None:
        html = "<body><select><option>北京。<option>上海。</select><p>第一段文字。</p><p>第二段文字。</p></body>"
        assert "北京" not in text(html)

    @pytest.mark.parametrize("rule", ["off", "header"])
    def test_no_headline_unless_asked_for(self, rule: str) -> None:
        assert select(NEWS, title_recovery=rule)[1].title is None

    def test_a_headline_in_the_container_of_all_is_one_text_node(self) -> None:
        html = "<title>大桥今日通车-晨报</title><body>大桥今日通车<div><p>第一段文字。</p><p>第二段文字。</p></div>"
        page, selection = select(html)
        assert selection.title is not None
        assert page.tag[selection.title] == 0
        assert to_text(page, selection).startswith("大桥今日通车")

    @pytest.mark.parametrize(
        "html",
        [
            "<title>标题</title><body>" + "<span>" * 100_000 + "第一句。第二句。",
            "<title>标题在此</title><body>" + "<span>标题在此。" * 50_000,
            "<title>标题</title><body>" + "<p>第一句，还有。</p>" * 100_000,
        ],
        ids=["deep", "deep text", "wide"],
    )
    def test_size_and_depth_only_cost_time(self, html: str) -> None:
        assert select(html)[1].reason is None
