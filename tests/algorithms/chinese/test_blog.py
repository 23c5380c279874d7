from __future__ import annotations

import json
import pickle
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.algorithms.chinese.blog import END_PATTERNS, BlogZh, _common_lengths
from duramen.algorithms.chinese.news import NewsZh
from duramen.algorithms.settings import configure
from duramen.page import Page, Reason, Selection
from tests.support import find, kept_text, page_of

TITLE = "我的旅行日记_小明的博客_新浪博客"
QUOTE = "昨天写完了我的旅行日记之后我又去了海边玩"  # and a full stop: 21 characters

BLOG = f"""<html><head><title>{TITLE}</title></head><body>
<div id="head"><a href="/">新浪首页</a> <a href="/b">博客</a><h2><a href="/x">小明的博客</a></h2></div>
<div id="side"><p>小明，男，爱好旅行和摄影。欢迎来我的博客做客，请多多留言！</p></div>
<div id="article">
  <h2 class="titName">我的旅行日记</h2> <span class="time">(2010-05-06 20:15:30)</span>
  <p>标签：<a href="/t">旅行</a> <a href="/t2">杂谈</a></p>
  <div class="content">
    <p>五月的第一天，我和几个朋友一起坐火车去了海边。</p>
    <p>{QUOTE}。</p>
    <p><img src="sea.jpg"></p>
    <p>推荐大家也去看看那里的日出，早上五点就要起床，不过真的很值得，比照片上好看多了。</p>
    <p>分享快乐。</p>
  </div>
  <div class="more">分享到：<a href="/w">微博</a></div>
  <div class="count">阅读(120) 评论(8) 收藏(3)</div>
  <p>前一篇：<a href="/p">春天来了</a></p>
</div>
<div id="comments"><h3>评论</h3><p>小红：写得真好，我也想去。</p></div>
</body></html>"""


def select(html: str, **settings: Any) -> tuple[Page, Selection]:
    page = page_of(html)
    return page, BlogZh(**settings).select(page)


def text(html: str, **settings: Any) -> str:
    return kept_text(*select(html, **settings))


def blog(body: str, title: str = "海边的一天") -> str:
    return f"<title>{title}</title><body>{body}</body>"


class TestSettings:
    def test_round_trips(self) -> None:
        made = BlogZh(include_title=False, end_patterns=("完$",))
        assert BlogZh(**asdict(made)) == replace(made) == pickle.loads(pickle.dumps(made)) == made

    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            ({"min_similarity": 1.1}, "min_similarity lies between 0 and 1"),
            ({"near_tie": -0.1}, "near_tie lies between 0 and 1"),
            ({"max_end_length": -1}, "max_end_length is 0 or more"),
            ({"end_patterns": ("评论", "[a")}, r"end_patterns: '\[a' is no regular expression"),
            ({"end_patterns": ("a)(b",)}, "is no regular expression"),
        ],
    )
    def test_senseless_settings_are_refused(self, bad: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            BlogZh(**bad)

    def test_patterns_come_from_text_split_at_commas(self) -> None:
        made = configure({"blog-zh": BlogZh}, "blog-zh", "default", {"end-patterns": r"完\s*$, 后记"})
        assert made == BlogZh(end_patterns=(r"完\s*$", "后记"))

    def test_the_defaults_survive_that(self) -> None:
        assert not any("," in pattern for pattern in END_PATTERNS)


class TestVectors:
    @pytest.mark.parametrize(
        ("node", "similarity"),
        [("小明的博客", 0.4545), ("我的旅行日记", 0.5217), ("新浪首页", 0.1905), (f"{QUOTE}。", 0.3158)],
    )
    def test_similarities(self, node: str, similarity: float) -> None:
        page, selection = select(BLOG, min_similarity=0.0)
        assert selection.columns["similarity"][find(page, f'"{node}"')] == pytest.approx(similarity, abs=5e-5)

    def test_lengths(self) -> None:
        assert (len(TITLE), len(f"{QUOTE}。")) == (17, 21)

    def test_the_title_node_is_right(self) -> None:
        page, selection = select(BLOG)
        assert selection.title == find(page, '"我的旅行日记"')
        assert selection.trace["most_similar"][0] == {
            "row": selection.title,
            "similarity": 0.5217,
            "text": "我的旅行日记",
        }


class TestBlogPage:
    def test_the_post_is_all_between_title_and_end(self) -> None:
        content = text(BLOG)
        assert content.startswith("我的旅行日记 (2010-05-06 20:15:30) 标签： 旅行 杂谈 五月的第一天")
        assert content.endswith("分享快乐。")

    def test_what_ended_it_is_told(self) -> None:
        page, selection = select(BLOG)
        assert selection.trace["end_row"] == find(page, '"分享到："')
        assert (selection.trace["end_text"], selection.trace["end_pattern"]) == ("分享到：", "分享到?")
        assert selection.flags == ()
        json.dumps(dict(selection.trace), allow_nan=False)

    def test_parts(self) -> None:
        page, selection = select(BLOG)
        title, post = selection.parts
        assert (title.label, title.rows) == ("title", (selection.title,))
        assert post.label == "post"
        assert "".join(page.text_of(row) for row in post.rows).endswith("分享快乐。")

    def test_the_title_may_stay_out(self) -> None:
        page, selection = select(BLOG, include_title=False)
        assert kept_text(page, selection).startswith("(2010-05-06")
        assert selection.title is not None
        assert [part.label for part in selection.parts] == ["post"]

    def test_pictures_of_the_post_are_kept(self) -> None:
        page, selection = select(BLOG)
        assert selection.kept[find(page, "img")]

    def test_scripts_and_choices_are_no_text_nodes(self) -> None:
        html = BLOG.replace("<p><img", "<script>分享到</script><select><option>收藏</select><p><img")
        assert text(html) == text(BLOG)


class TestTitle:
    @pytest.mark.parametrize(
        ("body", "chosen"),
        [
            # The same text, told apart by place: a heading, then a class or id, then what follows, then order.
            ("<a id=a>{t}</a><p>短。</p><h2 id=b>{t}</h2><p>长长的正文。</p>", "b"),
            ("<a id=a>{t}</a><p>短。</p><div class=postTitle><b id=b>{t}</b></div><p>正文。</p>", "b"),
            ("<a id=a>{t}</a><p>短。</p><p>评论</p><b id=b>{t}</b><p>这里是更长的正文。</p><p>评论</p>", "b"),
            ("<div><a id=a>{t}</a></div><div><b id=b>{t}</b></div><p>正文。</p>", "a"),
            # The name counts only where the text is, not around everything.
            ("<div class=title-page><p><a id=a>{t}</a></p><p id=title><i id=b>{t}</i></p><p>正文。</p></div>", "b"),
        ],
    )
    def test_equals_are_told_apart_by_their_place(self, body: str, chosen: str) -> None:
        page, selection = select(blog(body.format(t="海边的一天")))
        assert selection.title is not None
        assert page.attribute(int(page.parent[selection.title]), "id") == chosen

    def test_near_ties_too(self) -> None:
        # 2·20/41 = .976 is within .03 of 1, and 2·20/42 = .952 is not.
        name = "一二三四五六七八九十甲乙丙丁戊己庚辛壬癸"
        html = "<a>{}</a><h1>{}</h1><p>正文在这里。</p>"
        page, selection = select(blog(html.format(name, f"{name}！"), name), near_tie=0.03)
        assert selection.title is not None
        assert page.tag_name(int(page.parent[selection.title])) == "h1"
        page, selection = select(blog(html.format(name, f"{name}！？"), name), near_tie=0.03)
        assert selection.title is not None
        assert page.tag_name(int(page.parent[selection.title])) == "a"

    def test_letter_case_and_white_space_do_not_matter(self) -> None:
        page, selection = select(blog("<b>my  Python 笔记</b><p>正文。</p>", "My Python\n笔记"))
        assert selection.trace["most_similar"][0]["similarity"] == 1.0
        assert selection.title == find(page, '"my  Python 笔记"')

    @pytest.mark.parametrize(
        "html",
        [
            BLOG.replace(TITLE, ""),
            BLOG.replace(f"<title>{TITLE}</title>", ""),
            BLOG.replace(TITLE, "欢迎光临本站的主页面"),
        ],
        ids=["empty title", "no title", "another title"],
    )
    def test_no_title_means_news(self, html: str) -> None:
        page, selection = select(html)
        assert selection.flags[0] == "title_not_found"
        assert selection.trace["fallback"] == "news-zh"
        assert kept_text(page, selection) == kept_text(page, NewsZh().select(page))

    def test_the_last_text_is_no_title(self) -> None:
        page, selection = select(blog("<p>第一段正文。</p><p>第二段正文。</p><p>海边的一天</p>"))
        assert "title_not_found" in selection.flags
        assert "第一段正文。" in kept_text(page, selection)

    def test_the_title_of_a_picture_is_not_the_pages(self) -> None:
        html = "<body><svg><title>海边的一天</title></svg><p>海边的一天</p><p>正文。</p></body>"
        assert select(html)[1].trace["page_title"] == ""

    @given(st.lists(st.text("甲乙丙a", max_size=12), max_size=8), st.text("甲乙丙a", min_size=1, max_size=12))
    def test_common_substrings_are_the_longest(self, texts: list[str], title: str) -> None:
        pieces = {title[i:j] for i in range(len(title)) for j in range(i + 1, len(title) + 1)}
        expected = [max((len(piece) for piece in pieces if piece in text), default=0) for text in texts]
        assert _common_lengths(texts, title).tolist() == expected

    def test_nodes_too_long_to_win_are_not_compared(self) -> None:
        page, selection = select(blog(f"<h1>海边的一天</h1><p>海边的一天，{'风' * 500}。</p><p>评论</p>"))
        row = int(np.flatnonzero(page.chars > 500)[0])
        assert np.isnan(selection.columns["similarity"][row])


class TestEnd:
    @pytest.mark.parametrize(
        "end",
        [
            *(
                "阅读(120)",
                "阅读全文(3)",
                "评论（5）",
                "评论 8",
                "发表评论",
                "网友评论",
                "收藏",
                "分享",
                "转载(2)",
                "引用通告",
            ),
            *(
                "标签：海边",
                "分类: 旅行",
                "类别：杂谈",
                "上一篇：春天",
                "下一篇",
                "前一篇",
                "后一篇",
                "固定链接",
                "相关博文",
            ),
            *("推荐", "浏览(99)", "Trackback", "Comments (3)", "comment", "Posted by xiaoming"),
        ],
    )
    def test_patterns(self, end: str) -> None:
        assert (
            text(blog(f"<h1>海边的一天</h1><p>正文在这里。</p><div>{end}</div><p>别的。</p>"))
            == "海边的一天 正文在这里。"
        )

    @pytest.mark.parametrize(
        "paragraph",
        [
            "推荐大家也去看看那里的日出，早上五点就要起床，不过真的很值得，比照片上好看",  # more than 30 characters
            "推荐大家去看看。",  # a sentence
            "我推荐",  # not at the start
        ],
    )
    def test_what_does_not_end_a_post(self, paragraph: str) -> None:
        html = blog(f"<h1>海边的一天</h1><p>正文在这里。</p><p>{paragraph}</p><div>评论</div><p>别的。</p>")
        assert paragraph in text(html)
        assert "别的" not in text(html)

    def test_the_length_is_a_setting(self) -> None:
        html = blog("<h1>海边的一天</h1><p>正文在这里。</p><p>评论人：小李和小王</p><p>后面。</p>")
        assert text(html) == "海边的一天 正文在这里。"
        assert text(html, max_end_length=5) == "海边的一天 正文在这里。 评论人：小李和小王 后面。"

    @pytest.mark.parametrize("first", ["正文从这里开始。", "是吗？", "字" * 50])
    def test_what_stands_before_the_first_sentence_does_not_end_it(self, first: str) -> None:
        html = blog(f"<h1>海边的一天</h1><p>阅读(3)</p><p>标签：海</p><p>{first}</p><p>评论</p><p>别的。</p>")
        assert text(html) == f"海边的一天 阅读(3) 标签：海 {first}"

    def test_own_patterns_may_refer_to_their_groups(self) -> None:
        html = blog("<h1>海边的一天</h1><p>正文在这里。</p><p>完完</p><p>别的。</p>")
        assert text(html, end_patterns=("评论", r"(.)\1$")) == "海边的一天 正文在这里。"
        assert text(html, end_patterns=()) == "海边的一天 正文在这里。 完完 别的。"

    def test_without_an_end_the_container_of_most_text_is_the_post(self) -> None:
        html = blog("""<div id=all><div id=post><h1>海边的一天</h1><p>第一段正文，很长很长。</p>
        <p>第二段正文，也很长。</p></div>
        <div><a href=1>一条很长很长的链接文字，不算在里面</a></div><div>页脚</div></div>""")
        page, selection = select(html)
        assert kept_text(page, selection) == "海边的一天 第一段正文，很长很长。 第二段正文，也很长。"
        assert selection.flags == ("no_end",)
        assert selection.trace["container_row"] == find(page, "#post")

    def test_nothing_but_links_after_the_title(self) -> None:
        html = blog("<p>海边的一天</p><p><a href=1>链接一</a></p><p><a href=2>链接二</a></p>")
        assert text(html, include_title=False) == "链接一 链接二"


class TestEdges:
    def test_an_english_page_is_flagged(self) -> None:
        page, selection = select(blog("<h1>A day at sea</h1><p>We went to sea, and it rained.</p>", "A day at sea"))
        assert "not_chinese" in selection.flags
        assert "it rained" in kept_text(page, selection)

    @pytest.mark.parametrize("html", ["", "<title>标题</title>", "<title>标题</title><script>标题</script>"])
    def test_nothing_to_read_is_no_text(self, html: str) -> None:
        assert select(html)[1].reason is Reason.NO_TEXT

    @pytest.mark.parametrize(
        "html",
        [
            blog("<span class=title>" * 100_000 + "海边的一天"),
            blog("<span class=title>海边的一天" * 50_000),
            blog("<p>海边的一天</p>" * 100_000),
            blog("<p>评论</p><p>海边的一天。</p>" * 50_000),
            blog(f"<p>{'啊' * 1_000}</p>" * 500, "啊" * 1_000),
        ],
        ids=["deep", "deep text", "wide", "many ends", "long"],
    )
    def test_size_and_depth_only_cost_time(self, html: str) -> None:
        assert select(html)[1].reason is None
