"""Pages for the commands to read."""

from __future__ import annotations

from pathlib import Path

import pytest

FOX = """
The grey fox is the only member of its family in the region that climbs trees as a matter of course. Its hooked claws
let it scramble up a trunk to escape from dogs, to reach fruit, or simply to sleep in the sun, high above the path.
"""
OWL = """
Owls turn their heads much further than other birds, and for a good reason: their eyes are fixed in their sockets. Extra
bones in the neck, and arteries that keep the blood flowing, make the movement possible without any harm to the owl.
"""
MENU = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("home", "news", "sport", "contact", "imprint"))


def article(title: str, text: str) -> str:
    """A page with a menu, an article and a footer."""
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} | Café Nature</title></head>
<body><ul id="menu">{MENU}</ul>
<div id="main"><h1>{title}</h1><p>{text}</p><p>More on this, <a href="/deep">deep in the woods</a>: {text}</p>
<table><tr><td>Weight</td><td>five kilograms, more or less, as the seasons go.</td></tr></table>
<p><b>In short</b>, {text}</p><img src="/fox.png" alt="a picture"></div>
<div id="footer"><a href="/terms">Terms</a> <a href="/privacy">Privacy</a> ©</div></body></html>"""


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with pages in it and a folder of pages."""
    files = {
        "page.html": article("Foxes", FOX),
        "other.html": article("Owls", OWL),
        "empty.html": "",
        "shell.html": '<html><body><div id="root"></div><script src="/app.js"></script></body></html>',
        "site/index.html": article("Foxes", FOX),
        "site/news/owl.HTM": article("Owls", OWL),
        "site/news/fox.xhtml": article("Foxes", FOX),
        "site/notes.txt": "not a page",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path
