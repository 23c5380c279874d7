"""The three algorithms of a Chinese information system: news, blog and forum pages (Song, Cheng, Guo & Ding).

`text` (what is read of a page) → `leaves` (leaf blocks) → news; `text` and `patterns` → blog, forum. News is CoreEx on
a filtered page, and a blog page without a title is read as news: these two are made of other algorithms.
"""

from duramen.algorithms.chinese.blog import BlogZh
from duramen.algorithms.chinese.forum import ForumZh
from duramen.algorithms.chinese.news import NewsZh

__all__ = ["BlogZh", "ForumZh", "NewsZh"]
