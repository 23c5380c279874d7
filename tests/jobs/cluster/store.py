"""A small object store that speaks enough of S3's protocol for Arrow's client: a real server, on a free port."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape, unescape


class Store(ThreadingHTTPServer):
    """Objects by `bucket/key`, in memory."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Requests)
        self.objects: dict[str, bytes] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.failures: list[str] = []  # keys whose next read fails, as stores do now and then

    def address(self, name: str) -> str:
        """The address of an object or folder, as Arrow takes it."""
        host, port = self.server_address[:2]
        return f"s3://x:y@{name}?scheme=http&endpoint_override={host!s}:{port}&region=here"


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Store

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def do_HEAD(self) -> None:
        self._object(body=False)

    def do_GET(self) -> None:
        name, query = self._asked()
        if "list-type" in query:
            self._list(name, query)
        else:
            self._object(body=True)

    def do_PUT(self) -> None:
        name, query = self._asked()
        body = self._body()
        if "uploadId" in query:
            self.server.uploads[query["uploadId"]][int(query["partNumber"])] = body
        elif "/" in name.rstrip("/"):  # else a bucket
            self.server.objects[name] = body
        self._answer(200, headers={"ETag": '"x"'})

    def do_POST(self) -> None:
        name, query = self._asked()
        body = self._body()
        if "uploads" in query:
            number = f"u{len(self.server.uploads)}"
            self.server.uploads[number] = {}
            self._xml(f"<InitiateMultipartUploadResult><UploadId>{number}</UploadId></InitiateMultipartUploadResult>")
        elif "uploadId" in query:
            parts = self.server.uploads.pop(query["uploadId"])
            self.server.objects[name] = b"".join(parts[number] for number in sorted(parts))
            self._xml("<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>")
        else:
            for key in re.findall(r"<Key>(.*?)</Key>", body.decode()):
                self.server.objects.pop(f"{name.rstrip('/')}/{unescape(key)}", None)
            self._xml("<DeleteResult></DeleteResult>")

    def do_DELETE(self) -> None:
        name, query = self._asked()
        self.server.uploads.pop(query.get("uploadId", ""), None)
        self.server.objects.pop(name, None)
        self._answer(204)

    def _asked(self) -> tuple[str, dict[str, str]]:
        parts = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(parts.query, keep_blank_values=True).items()}
        return unquote(parts.path).lstrip("/"), query

    def _body(self) -> bytes:
        body = self._read()
        if "aws-chunked" not in (self.headers.get("Content-Encoding") or ""):
            return body
        plain = b""
        while found := re.match(rb"([0-9a-fA-F]+)[^\r\n]*\r\n", body):
            size = int(found[1], 16)
            plain += body[found.end() : found.end() + size]
            if not size:
                break
            body = body[found.end() + size + 2 :]
        return plain

    def _read(self) -> bytes:
        if "chunked" not in (self.headers.get("Transfer-Encoding") or ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return body

    def _object(self, *, body: bool) -> None:
        name, _ = self._asked()
        data = self.server.objects.get(name)
        if name in self.server.failures and body:
            self.server.failures.remove(name)
            self._answer(400, b"<Error><Code>BadDay</Code><Message>not today</Message></Error>")
            return
        if data is None:
            known = "/" not in name.rstrip("/")  # a bucket
            self._answer(200 if known else 404)
            return
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        headers = {"ETag": '"x"', "Last-Modified": "Wed, 01 May 2024 00:00:00 GMT", "Accept-Ranges": "bytes"}
        status = 200
        if found:
            first, last = int(found[1]), min(int(found[2] or len(data)), len(data) - 1)
            headers["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
            data, status = data[first : last + 1], 206
        self._answer(status, data, headers, body=body)

    def _list(self, bucket: str, query: dict[str, str]) -> None:
        bucket = bucket.rstrip("/")
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        files, folders = [], set()
        for name in sorted(self.server.objects):
            key = name.removeprefix(f"{bucket}/")
            if key == name or not key.startswith(prefix):
                continue
            rest = key[len(prefix) :]
            if delimiter and delimiter in rest:
                folders.add(prefix + rest.split(delimiter)[0] + delimiter)
            else:
                files.append((key, len(self.server.objects[name])))
        shown = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{size}</Size>"
            "<LastModified>2024-05-01T00:00:00.000Z</LastModified><ETag>x</ETag></Contents>"
            for key, size in files
        )
        shown += "".join(
            f"<CommonPrefixes><Prefix>{escape(each)}</Prefix></CommonPrefixes>" for each in sorted(folders)
        )
        count = len(files) + len(folders)
        self._xml(
            f"<ListBucketResult><Name>{bucket}</Name><KeyCount>{count}</KeyCount><IsTruncated>false</IsTruncated>"
            f"{shown}</ListBucketResult>"
        )

    def _xml(self, text: str) -> None:
        self._answer(200, f'<?xml version="1.0" encoding="UTF-8"?>{text}'.encode(), {"Content-Type": "application/xml"})

    def _answer(
        self, status: int, data: bytes = b"", headers: dict[str, str] | None = None, *, body: bool = True
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)


@contextmanager
def running() -> Iterator[Store]:
    """A store that runs until the block ends."""
    store = Store()
    thread = threading.Thread(target=store.serve_forever, daemon=True)
    thread.start()
    try:
        yield store
    finally:
        store.shutdown()
        store.server_close()
        thread.join()
