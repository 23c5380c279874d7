"""A real CommonMark renderer to hold our Markdown against."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

_READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def tokens(markdown: str) -> list[Token]:
    """The tokens of Markdown, block by block."""
    return _READER.parse(markdown)


def rendered(markdown: str) -> str:
    """The HTML that Markdown stands for, without the line breaks between tags."""
    html: str = _READER.render(markdown)
    return html.replace("\n<", "<").strip()


def read(markdown: str) -> str:
    """The text that a reader of the rendered Markdown sees."""
    seen: list[str] = []
    for token in tokens(markdown):
        if token.type == "fence":
            seen.append(token.content)
        elif token.type == "inline":
            seen += [_inline(child) for child in token.children or []]
        else:
            # Everything that we write is one of ours: neither indented code nor raw HTML.
            assert token.type not in ("code_block", "html_block"), token.content
        seen.append(" ")
    return "".join(seen)


def _inline(token: Token) -> str:
    if token.type == "image":
        return ""
    if token.type == "html_inline":
        assert token.content == "<br>"
        return " "
    return " " if token.type in ("softbreak", "hardbreak") else token.content
