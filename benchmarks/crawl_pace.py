"""How fast `duramen crawl` is: pages a second through fetch, extract and write, and through extraction alone.

    python benchmarks/crawl_pace.py [--pages 2000] [--kilobytes 60]

A server in a process of its own hands out pages of our own invention, of the size of real ones, in mixed encodings. The
crawl is the command that users run. Extraction alone reads the same pages from files, with one worker and with two.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from multiprocessing import Process, Queue
from pathlib import Path
from typing import Any

from duramen.crawl.config import Config
from duramen.crawl.work import Job, Made, process
from duramen.pool import Pool

ENCODINGS = ("gbk", "utf-8", "gb18030", "utf-16", "gb2312")
TYPES = ("news", "blog", "forum")
LETTERS = """
的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行
学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些
然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月
""".replace("\n", "")
NOISE = "首页 国内 国际 财经 体育 娱乐 科技 汽车 房产 教育 旅游 图片 视频 论坛 博客 专题 滚动 排行".split()


def sentence(chance: random.Random) -> str:
    return "".join(chance.choices(LETTERS, k=chance.randint(12, 40))) + "。"


def link(chance: random.Random, folder: str, text: str) -> str:
    return f'<li class="item"><a href="/{folder}/{chance.randrange(10**6)}.html" target="_blank">{text}</a></li>'


def main_part(chance: random.Random, kind: str, title: str) -> str:
    text = ["".join(sentence(chance) for _ in range(chance.randint(2, 6))) for _ in range(chance.randint(8, 25))]
    if kind != "forum":
        return f"<h1>{title}</h1>{''.join(f'<p>{each}</p>' for each in text)}<div>阅读(12) 评论(3)</div>"
    posts = (
        f'<tr><td class="who">会员{at}<br>积分: {at}0</td><td><div class="date">发表于 2010-5-6 10:00</div>'
        f'<div class="post">{each}</div><div class="do"><a href="#">回复</a> <a href="#">引用</a></div></td></tr>'
        for at, each in enumerate(text)
    )
    return f"<table>{''.join(posts)}</table>"


def page(number: int, kilobytes: int) -> tuple[str, bytes, str]:
    """Path, bytes and what the server says of a page: menus, boxes and scripts as real ones have them."""
    chance = random.Random(number)
    kind = TYPES[number % len(TYPES)]
    title = "".join(chance.choices(LETTERS, k=14))
    menu = "".join(link(chance, kind, word) for word in NOISE * 6)
    boxes = (
        f'<div class="box"><h3>{word}</h3><ul>{"".join(link(chance, "x", sentence(chance)[:18]) for _ in range(10))}'
        "</ul></div>"
        for word in NOISE[:6]
    )
    body = (
        f'<body><div id="top"><ul>{menu}</ul></div><div id="main">{main_part(chance, kind, title)}</div>'
        f'<div id="side">{"".join(boxes)}</div><div id="foot">版权所有 不得转载。</div></body></html>'
    )
    encoding = ENCODINGS[number % len(ENCODINGS)]
    head = f"<html><head><title>{title}_{kind}</title><script>"
    script = "var list=[];function show(a,b){if(a>b){return a-b;}list.push({key:a,value:b});}\n"
    missing = max(0, kilobytes * 1024 - len((head + body).encode(encoding)))
    filler = script * (missing // len(script.encode(encoding)) + 1)
    data = f"{head}{filler}</script></head>{body}".encode(encoding, "replace")
    return f"/{kind}/{number}.html", data, "text/html" if encoding == "utf-16" else f"text/html; charset={encoding}"


def processor_seconds() -> float:
    """What the processes that we started and that have ended took of the processors: other people's load aside."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def serve(pages: list[tuple[str, bytes, str]], port: Queue[int]) -> None:
    """A small HTTP server that keeps its connections."""
    answers = {
        path.encode(): f"HTTP/1.1 200 OK\r\nContent-Type: {said}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data
        for path, data, said in pages
    }
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                writer.write(answers.get(request.split(b" ", 2)[1], missing))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def crawl(pages: list[tuple[str, bytes, str]], folder: Path) -> dict[str, Any]:
    """The summary of a crawl of all pages."""
    told: Queue[int] = Queue()
    server = Process(target=serve, args=(pages, told), daemon=True)
    server.start()
    port = told.get(timeout=60)
    (folder / "urls.txt").write_text("".join(f"http://127.0.0.1:{port}{path}\n" for path, _, _ in pages))
    rules = [part for kind in TYPES for part in ("--type-rules", f"/{kind}/={kind}")]
    options = ["--url-list", str(folder / "urls.txt"), "--output-dir", str(folder / "out"), "--allow-private"]
    options += ["--rate", "0", "--host-rate", "0", "--host-concurrency", "32", "--quiet", "--no-gallery", *rules]
    subprocess.run([sys.executable, "-m", "duramen", "crawl", *options], check=True)
    server.terminate()  # not waited for: its time is not the crawl's
    summary: dict[str, Any] = json.loads((folder / "out" / "summary.json").read_text())
    return summary


def extract(pages: list[tuple[str, bytes, str]], folder: Path, workers: int) -> float:
    """Pages a second from files through extraction, encoding and links, without a network and without writing."""
    config = Config()
    algorithms = {kind: config.algorithm(kind)[0] for kind in TYPES}
    for path, data, _ in pages:
        (folder / path.replace("/", "_")).write_bytes(data)

    def jobs() -> Any:
        for path, _, said in pages:
            data = (folder / path.replace("/", "_")).read_bytes()
            yield Job(data, f"http://example.org{path}", said, algorithms[path.split("/")[1]], links=config.link_filter)

    with Pool[Job, Made](process, workers=workers) as pool:
        list(pool.map([job for job, _ in zip(jobs(), range(2 * workers))], ahead=2))  # workers are started
        started = time.perf_counter()
        done = sum(outcome.value is not None and bool(outcome.value.text) for outcome in pool.map(jobs()))
        seconds = time.perf_counter() - started
    assert done == len(pages), f"{done} of {len(pages)} pages gave text"
    return len(pages) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--kilobytes", type=int, default=60, help="least size of a page")
    wanted = parser.parse_args()
    pages = [page(number, wanted.kilobytes) for number in range(wanted.pages)]
    size = sum(len(data) for _, data, _ in pages) / len(pages) / 1024
    print(f"{len(pages)} pages of {size:.0f} KB in {', '.join(ENCODINGS)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before we began")
    with tempfile.TemporaryDirectory() as name:
        before = processor_seconds()
        summary = crawl(pages, Path(name))
        spent = 1000 * (processor_seconds() - before) / len(pages)
        print(f"fetch, extract and write: {summary['pages_per_second']:.0f} pages/s ({summary['ok']} with content)")
        print(f"  {spent:.1f} ms of processor time a page, start and imports included, the server not")
        for workers in (1, 2):
            before = processor_seconds()
            pace = extract(pages, Path(name), workers)
            spent = 1000 * (processor_seconds() - before) / len(pages)
            print(f"extraction alone, {workers} core{'s' * (workers > 1)}: {pace:.0f} pages/s; {spent:.1f} ms a page")


if __name__ == "__main__":
    main()
