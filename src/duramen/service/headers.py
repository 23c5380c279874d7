"""The headers that every answer carries: what a browser may do with it."""

from __future__ import annotations

from functools import cache

from duramen.service.sheet import style_source


@cache
def page_policy() -> str:
    """The page's Content-Security-Policy: its own files and nothing else; a frame shows the shaded page.

    A frame made from `srcdoc` inherits this, so the hash of the shaded page's only style stands here. There is no
    `unsafe-inline` and no `unsafe-eval`: a script or style of a fetched page would not run even if it got through.
    """
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' {style_source()}; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src 'self' blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox"

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Permitted-Cross-Domain-Policies": "none",
}


@cache
def security_headers(page: bool) -> tuple[tuple[bytes, bytes], ...]:
    """The headers of the web page's files, or of the API's answers."""
    own = {
        "Content-Security-Policy": page_policy() if page else API_POLICY,
        "Cache-Control": "no-cache" if page else "no-store",
    }
    return tuple((name.lower().encode(), value.encode()) for name, value in (_ALWAYS | own).items())
