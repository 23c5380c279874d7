"""Why a page was not fetched: one word for the summary, and a line for people."""

from __future__ import annotations

import re

from scrapy.exceptions import IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError

# By the names of exceptions, which moved between versions of Scrapy.
_WORDS = {
    "DownloadTimeoutError": "timeout",
    "TimeoutError": "timeout",
    "TCPTimedOutError": "timeout",
    "CannotResolveHostError": "dns",
    "DNSLookupError": "dns",
    "DownloadConnectionRefusedError": "refused",
    "ConnectionRefusedError": "refused",
    "DownloadCancelledError": "too_large",  # Scrapy cancels a download only when it is larger than it may be
    "CancelledError": "too_large",
    "DownloadFailedError": "connection",
    "ResponseDataLossError": "connection",
    "ResponseFailed": "connection",
    "ConnectError": "connection",
    "ConnectionClosed": "connection",
    "UnsupportedURLSchemeError": "scheme",
    "NotSupported": "scheme",
    "FileNotFoundError": "no_file",
    "IsADirectoryError": "no_file",
    "PermissionError": "no_file",
    "error": "damaged",  # zlib's
}
_IGNORED = {"robots.txt": "robots", "redirections": "too_many_redirects", "MAXSIZE": "too_large"}
_DETAIL_CHARS = 300
_INNER = re.compile(r"^\[<twisted\.python\.failure\.Failure [\w.]+: (.*?)>", re.DOTALL)


class Refused(IgnoreRequest):
    """A request that is not made, for a reason of ours."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def explain(problem: BaseException) -> tuple[str, str]:
    """The reason in one word, and in detail."""
    inner = _INNER.search(str(problem))  # how Twisted writes a failure within a failure
    detail = " ".join((inner[1] if inner else str(problem)).split())[:_DETAIL_CHARS]
    if isinstance(problem, Refused):
        return problem.reason, detail
    if isinstance(problem, HttpError):
        return f"http_{problem.response.status}", f"the server answered {problem.response.status}"
    if isinstance(problem, IgnoreRequest):
        return next((word for piece, word in _IGNORED.items() if piece in detail), "ignored"), detail
    word = next((_WORDS[kind.__name__] for kind in type(problem).__mro__ if kind.__name__ in _WORDS), "error")
    if word == "connection" and ("certificate" in detail or "SSL" in detail or "TLS" in detail):
        word = "tls"
    return word, detail or type(problem).__name__
