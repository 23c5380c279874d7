"""UTF-8 HTML → Page."""

from duramen.parse.html5 import parse_html5

__all__ = ["parse_html5"]
