"""A URL → the page's bytes, safely.

Only http and https, only public addresses (each redirect is checked anew), only so long, only so many bytes, only
kinds of content that may be a page. Proxy variables of the environment are ignored: a proxy would look names up
itself, and nothing could be promised of where the connection ends. No cookies are kept, no scripts run.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from duramen.crawl.addresses import host_problem
from duramen.crawl.inflate import Inflater, TooMuchError
from duramen.errors import FetchError, MissingExtra
from duramen.version import VERSION

if TYPE_CHECKING:
    import httpcore
    import httpx

    from duramen.crawl.connect import Deadline, Resolve

MAX_BYTES = 20 * 1024 * 1024
TIMEOUT = 20.0  # seconds
MAX_REDIRECTS = 5
USER_AGENT = f"duramen/{VERSION}"

PAGE_TYPES = frozenset(
    {"", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"}  # "": not stated
)
_ACCEPT = b"text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ENCODINGS = {"": "", "identity": "", "gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate"}
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came back for a URL."""

    url: str  # where it was found in the end, after redirects
    status: int
    content_type: str  # lower case, without parameters; empty where the server stated none
    charset: str | None  # as the server stated it
    body: bytes  # decompressed


def fetch(
    url: str,
    *,
    timeout: float = TIMEOUT,
    max_bytes: int = MAX_BYTES,
    max_redirects: int = MAX_REDIRECTS,
    allow_private: bool = False,
    user_agent: str = USER_AGENT,
    resolve: Resolve | None = None,
) -> Fetched:
    """The page at a URL; `FetchError` says in one line why there is none.

    `timeout` bounds everything together: look-up, connection, redirects and the last byte. `max_bytes` bounds the
    body, both as sent and decompressed. `allow_private` permits addresses that are not public (loopback, private
    networks …). `resolve` looks host names up (default: as the system does); its answers are checked all the same.
    """
    try:
        import httpcore  # noqa: F401
        import httpx  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtra(f'fetching a URL needs {error.name}: pip install "duramen[cli]"') from None
    if not (timeout > 0 and max_bytes > 0):
        raise FetchError("the limits on time and size must be above zero")
    from duramen.crawl.connect import CheckedBackend, Deadline, system_resolve

    deadline = Deadline(timeout)
    backend = CheckedBackend(deadline, allow_private=allow_private, resolve=resolve or system_resolve)
    hops = [url]
    try:
        address = _read_url(url, allow_private)
        for _ in range(max_redirects + 1):
            with _reasons(deadline), _get(address, backend, user_agent) as response:
                if response.status not in _REDIRECTS:
                    return _receive(response, str(address), max_bytes)
                hops.append(_location(response))
                address = _read_url(hops[-1], allow_private, address)
        raise FetchError(f"more than {max_redirects} redirects")
    except FetchError as error:
        redirected = f", redirected to {_shown(hops[-1])}" if len(hops) > 1 else ""
        raise FetchError(f"cannot fetch {_shown(url)}{redirected}: {error}") from None


def _read_url(url: str, allow_private: bool, base: httpx.URL | None = None) -> httpx.URL:
    """The parsed URL, when it is one that may be fetched."""
    import httpx

    try:
        address = httpx.URL(url) if base is None else base.join(url)
    except (httpx.InvalidURL, ValueError, UnicodeError) as error:
        raise FetchError(f"it is no usable URL ({error})") from None
    if address.scheme not in ("http", "https"):
        raise FetchError(f"only http and https URLs are fetched, not {address.scheme or 'one without a scheme'}")
    if address.userinfo:
        raise FetchError("a URL with a user name or password is not fetched; leave them out")
    if address.port is not None and not 0 < address.port < 65536:
        raise FetchError(f"there is no port {address.port}")
    problem = host_problem(address.raw_host.decode("ascii"), allow_private)
    if problem:
        raise FetchError(problem)
    return address


@contextmanager
def _get(address: httpx.URL, backend: httpcore.NetworkBackend, user_agent: str) -> Iterator[httpcore.Response]:
    """The response to a GET request, its body not read yet."""
    import httpcore
    import httpx

    try:
        agent = user_agent.encode("latin-1")
    except UnicodeError:
        raise FetchError("a user agent is written in Latin letters") from None
    headers = [
        (b"Host", address.netloc),
        (b"User-Agent", agent),
        (b"Accept", _ACCEPT),
        (b"Accept-Encoding", b"gzip, deflate"),
        (b"Connection", b"close"),
    ]
    target = httpcore.URL(scheme=address.raw_scheme, host=address.raw_host, port=address.port, target=address.raw_path)
    # Certificates: certifi's, or those of SSL_CERT_FILE or SSL_CERT_DIR where an organisation has its own.
    tls = httpx.create_ssl_context() if address.scheme == "https" else None
    with (
        httpcore.ConnectionPool(ssl_context=tls, network_backend=backend) as pool,
        pool.stream("GET", target, headers=headers) as response,
    ):
        yield response


def _location(response: httpcore.Response) -> str:
    """Where a redirect leads."""
    location = _header(response, b"location")
    if not location:
        raise FetchError(f"the server answered {response.status}, a redirect, without saying where to")
    return location


def _receive(response: httpcore.Response, url: str, max_bytes: int) -> Fetched:
    """The body of a response that is a page, read no further than `max_bytes`."""
    if not 200 <= response.status < 300:
        raise FetchError(f"the server answered {response.status} {_phrase(response.status)}".rstrip())
    stated = _header(response, b"content-type")
    content_type = stated.partition(";")[0].strip().lower()
    if content_type not in PAGE_TYPES:
        raise FetchError(f"it is {content_type[:100]!r}, not a web page")
    encoding = _header(response, b"content-encoding").strip().lower()
    if encoding not in _ENCODINGS:
        raise FetchError(f"the server sent it compressed as {encoding[:100]!r}, which was not asked for")
    charset = _CHARSET.search(stated)
    try:
        body = _read(response, Inflater(_ENCODINGS[encoding], max_bytes))
    except TooMuchError:
        raise FetchError(f"it is larger than {max_bytes:,} bytes (the limit is max_bytes, --max-bytes)") from None
    except zlib.error:
        raise FetchError(f"its compressed data ({encoding}) are damaged or incomplete") from None
    return Fetched(url, response.status, content_type, charset[1] if charset else None, body)


def _read(response: httpcore.Response, inflater: Inflater) -> bytes:
    received = 0
    stated = _header(response, b"content-length")
    if stated.isdecimal() and int(stated[:20]) > inflater.limit:
        raise TooMuchError
    for piece in response.iter_stream():
        received += len(piece)
        if received > inflater.limit:  # compressed data that inflate to nothing would never end otherwise
            raise TooMuchError
        inflater.feed(piece)
    return inflater.finish()


@contextmanager
def _reasons(deadline: Deadline) -> Iterator[None]:
    """Turns what can go wrong on the way into a `FetchError` with a plain reason."""
    import httpcore

    try:
        yield
    except httpcore.TimeoutException:
        deadline.left()  # raises when the whole time is over
        raise FetchError("the server does not answer") from None
    except httpcore.ConnectError as error:
        raise FetchError(_connect_reason(error)) from None
    except (httpcore.NetworkError, httpcore.ProtocolError) as error:
        raise FetchError(f"the connection broke: {str(error) or type(error).__name__}") from None
    except OSError as error:  # certificates that cannot be read
        raise FetchError(f"it failed: {error}") from None


def _connect_reason(error: Exception) -> str:
    import ssl

    cause = error.__context__ or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({cause.verify_message})"
    if isinstance(cause, ssl.SSLError):
        return f"no secure connection came about ({cause.reason or cause})"
    if isinstance(cause, ConnectionRefusedError):
        return "the server refuses the connection"
    return f"there is no connection to the server ({getattr(cause, 'strerror', None) or cause})"


def _header(response: httpcore.Response, name: bytes) -> str:
    """The first header of that (lower-case) name, or an empty text."""
    value = next((value for key, value in response.headers if key.lower() == name), b"")
    try:
        return value.decode("utf-8")
    except UnicodeError:
        return value.decode("latin-1")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _shown(url: str) -> str:
    """A URL as an error shows it: on one line, without a password, and not endless."""
    url = re.sub(r"//[^/?#]*@", "//…@", "".join(letter if letter.isprintable() else "�" for letter in url))
    return url if len(url) <= 200 else f"{url[:199]}…"
