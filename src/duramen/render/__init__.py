"""Page and selection → text, Markdown or cleaned HTML."""

from duramen.render.html import to_html
from duramen.render.markdown import to_markdown
from duramen.render.options import RenderOptions
from duramen.render.standard import to_standard
from duramen.render.text import to_text
from duramen.render.xhtml import to_xhtml

__all__ = ["RenderOptions", "to_html", "to_markdown", "to_standard", "to_text", "to_xhtml"]
