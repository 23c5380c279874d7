"""News, blog and forum sites of our own invention, in many encodings, and a crawl of them as users run it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.web import Answer, Site

PARAGRAPHS = (
    "本市今天上午举行新闻发布会，介绍老城区排水管网改造工程的进展情况。负责人表示，第一阶段已经完成，第二阶段将在秋天开始。",
    "据了解，工程共涉及十二条街道，总长约三十公里。施工期间公交线路会临时调整，居民可以在车站看到详细的通知。",
    "住在附近的王先生说，往年下大雨的时候路面积水很深，出门非常不方便。今年夏天情况好了很多，大家都很高兴。",
    "专家指出，城市排水系统的设计要考虑未来几十年的变化。只有提前规划，才能避免一边修路一边挖路的问题。",
    "下一步，有关部门还会公布施工时间表，并且开通热线电话，随时回答市民的问题。",
)
POST = (
    "周末和朋友一起去了山里的小村子，早上六点就出发了。路上雾很大，什么也看不见，可是空气特别好。",
    "村口有一棵很老的银杏树，老人说它已经有八百年了。我们在树下坐了很久，听他讲以前的故事。",
    "中午吃的是自己种的青菜和豆腐，味道很简单，却比城里的饭馆好吃得多。下次还想再来住几天。",
)
REPLIES = (
    "楼主说得很有道理，我上个月也遇到了同样的问题，后来换了一根内存条就好了。",
    "建议先把系统日志贴出来，大家才能帮你看看到底是哪里出了错误。",
    "谢谢各位的热心回答，我按照上面的方法试过了，现在电脑已经可以正常启动了。",
)


def news(number: int = 0, *, links: Sequence[str] = (), charset: str = "", extra: str = "") -> str:
    """A news page; `charset` is what it says of itself."""
    body = "".join(f"<p>{text}</p>\n" for text in PARAGRAPHS[: 3 + number % 3])
    menu = "".join(f'<li><a href="{link}">栏目</a></li>' for link in links)
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">' if charset else ""
    return f"""<html><head>{meta}<title>排水工程第{number}期进展顺利_晨报网</title></head><body>
<div id="nav"><ul><li><a href="/">首页</a></li><li><a href="#top">顶部</a></li>{menu}</ul></div>
<div id="main"><h1>排水工程第{number}期进展顺利</h1><div class="text">{body}{extra}</div></div>
<div id="foot">版权所有 不得转载。<a href="/login?next=1">登录</a> <a href="/logo.png">标志</a></div></body></html>"""


def blog(number: int = 0) -> str:
    """A blog page."""
    body = "".join(f"<p>{text}</p>\n" for text in POST)
    return f"""<html><head><title>山村周末第{number}记_小林的博客</title></head><body>
<div class="head"><a href="/">小林的博客</a></div>
<h2 class="title">山村周末第{number}记</h2><span>2024-05-0{number % 9 + 1}</span>{body}
<div>阅读(120) | 评论(3)</div><div>相关文章</div><ul><li><a href="/b">别的文章</a></li></ul></body></html>"""


def forum(number: int = 0) -> str:
    """A forum page: a question and its replies."""
    posts = "".join(
        f"<tr><td>会员{at}<br>积分: {at}20</td><td>发表于 2024-5-{at + 1} 10:00</td></tr><tr><td>{text}</td></tr>"
        for at, text in enumerate(
            (f"电脑第{number}次开机黑屏，风扇会转，显示器没有信号，请大家帮忙看看怎么办。", *REPLIES)
        )
    )
    return f"""<html><head><title>开机黑屏问题{number} - 硬件论坛</title></head><body><h1>开机黑屏问题{number}</h1>
<table>{posts}</table><div>Powered by Board</div></body></html>"""


def html(text: str, encoding: str = "utf-8", said: str | None = None) -> Answer:
    """A page in an encoding; `said` is what the server claims (None: nothing)."""
    return Answer(text.encode(encoding), content_type=f"text/html; charset={said}" if said else "text/html")


def write_list(folder: Path, lines: Sequence[str]) -> Path:
    path = folder / "urls.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# Loopback is private, a test server is no stranger, and a test does not wait.
LOCAL = ("--allow-private", "--host-rate", "0", "--rate", "0", "--workers", "1")


def command(folder: Path, *arguments: str) -> list[str]:
    """The command for a crawl of `urls.txt` in a folder into `out` in it."""
    listed = ("--url-list", str(folder / "urls.txt"), "--output-dir", str(folder / "out"))
    return [sys.executable, "-m", "duramen", "crawl", *listed, *LOCAL, *arguments]


def crawl(folder: Path, *arguments: str, code: int | None = 0) -> subprocess.CompletedProcess[str]:
    """Run a crawl to its end."""
    run = subprocess.run(command(folder, *arguments), capture_output=True, text=True, timeout=120, check=False)
    assert code is None or run.returncode == code, f"exit code {run.returncode}\n{run.stdout}{run.stderr}"
    assert "Traceback" not in run.stderr, run.stderr
    return run


def results(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "out" / "results.jsonl").read_bytes().splitlines()
    return [json.loads(line) for line in lines]


def by_path(folder: Path) -> dict[str, dict[str, Any]]:
    """The records by the path of the URL that was asked for."""
    return {"/" + record["url"].split("/", 3)[-1]: record for record in results(folder)}


def fetched(site: Site) -> list[str]:
    """The paths of pages that were asked for."""
    return [path for path, _ in site.requests if path != "/robots.txt"]
