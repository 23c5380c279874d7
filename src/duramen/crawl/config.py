# ruff: noqa: RUF009  (`_key` makes a dataclass field)
"""The configuration of a crawl: every key, its default, and how it is read from a file and the command line."""

from __future__ import annotations

import codecs
import dataclasses
import os
import re
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from duramen.algorithms import algorithm
from duramen.crawl.fetch import MAX_REDIRECTS, PAGE_TYPES, USER_AGENT
from duramen.crawl.lines import line_of
from duramen.crawl.links import LINK_EXCLUDE, LinkFilter
from duramen.encode import Unmappable
from duramen.errors import DuramenError, InputError, MissingExtra, OptionError

Format = Literal["txt", "json", "html", "markdown"]
LineEnd = Literal["lf", "crlf"]

ALGORITHMS: Mapping[str, str] = {"news": "news-zh", "blog": "blog-zh", "forum": "forum-zh"}
"""The algorithm of each type that is always there."""
_TYPE_NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")


def _key(default: Any, text: str) -> Any:
    """A key with its default and what it means."""
    if isinstance(default, (list, dict)):
        return field(default_factory=default.copy, metadata={"help": text})
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Config:
    """All settings of a crawl. Bad values raise `OptionError`, which names the key."""

    url_list: str = _key("", "File with one URL or page file a line; after a tab optionally its type. # comments.")
    output_dir: str = _key("results", "Folder for results; a run that finds results there continues it.")
    output_format: Format = _key("txt", "What a page's file is: txt (standardised paragraphs), json, html, markdown.")
    output_encoding: str = _key("gbk", "Encoding of the pages' files; results.jsonl is always UTF-8.")
    unmappable: Unmappable = _key("replace", "A character that the encoding lacks: replace (?), entity or drop.")
    line_end: LineEnd = _key("lf", "How lines of txt files end: lf or crlf.")
    indent_headings: bool = _key(True, "Indent headings like paragraphs.")
    gallery: bool = _key(True, "Write a gallery of the results, as HTML pages to look through.")

    default_type: str = _key("news", "Type of a page that no rule matches.")
    type_rules: tuple[tuple[str, str], ...] = _key((), "Rules REGEX=TYPE on URLs; the first that matches wins.")
    algorithms: dict[str, str] = _key({}, "TYPE=ALGORITHM: another algorithm for a type, or a type of your own.")

    follow_links: bool = _key(False, "Follow the useful links of pages.")
    max_pages: int = _key(1000, "Following stops at so many pages; listed ones are always fetched.")
    max_depth: int = _key(1, "How many links away from the list following goes.")
    same_host: bool = _key(True, "Follow only links to the page's own host.")
    link_include: tuple[str, ...] = _key((), "Follow only URLs that match one of these regular expressions.")
    link_exclude: tuple[str, ...] = _key(LINK_EXCLUDE, "Never follow URLs that match one of these. [default: logins …]")
    dropped_links: bool = _key(False, "Record every dropped link with its reason, not only how many there were.")

    timeout: float = _key(10.0, "Seconds for a page, from the connection to the last byte.")
    retries: int = _key(1, "Further attempts where the network or the server fails.")
    rate: float = _key(80.0, "Most requests a second, all hosts together; 0: no limit.")
    host_rate: float = _key(10.0, "Most requests a second to one host; 0: no limit.")
    autothrottle: bool = _key(False, "Slow down where a host answers slowly.")
    concurrency: int = _key(32, "Most requests at a time.")
    host_concurrency: int = _key(8, "Most requests at a time to one host.")
    max_redirects: int = _key(MAX_REDIRECTS, "Redirects that are followed for a page.")
    max_bytes: int = _key(5_000_000, "Size limit for a page, decompressed.")
    max_host_failures: int = _key(20, "After so many failures in a row a host is given up; 0: never.")
    content_types: tuple[str, ...] = _key(tuple(sorted(PAGE_TYPES - {""})), "Content types that are pages.")
    user_agent: str = _key(USER_AGENT, "What the crawler calls itself.")
    robots: bool = _key(True, "Obey robots.txt.")
    allow_private: bool = _key(False, "Fetch from this machine and private networks too.")
    http_cache: str = _key("", "Folder where responses are kept and taken from; empty: none.")

    workers: int = _key(os.cpu_count() or 1, "Processes that extract. [default: one a processor]")
    page_seconds: float = _key(10.0, "Seconds that extracting one page may take.")
    page_memory: int = _key(1024, "Megabytes that extracting one page may take.")
    charset_default: str = _key("gb18030", "Encoding of a page that states none and is not UTF-8; empty: as it looks.")
    retry_failed: bool = _key(False, "Fetch again the pages that failed in an earlier run.")

    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Settings of the algorithms by type (`[news]`, `[blog]`, `[forum]` …) and of CoreEx (`[coreex]`)."""

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise OptionError(f"{name} is {least} or more, not {getattr(self, name)}")
        for name in ("timeout", "page_seconds"):
            if not getattr(self, name) > 0:
                raise OptionError(f"{name} is above 0, not {getattr(self, name)}")
        for name in ("output_encoding", "charset_default"):
            _check_encoding(name, getattr(self, name), empty=name == "charset_default")
        if not (self.user_agent.strip() and self.user_agent.isascii() and self.user_agent.isprintable()):
            raise OptionError("user_agent is written in plain Latin letters")
        if not self.output_dir:
            raise OptionError("output_dir is missing: name a folder")
        for name in ("link_include", "link_exclude"):
            for pattern in getattr(self, name):
                _check_regex(name, pattern)
        for kind in self.types:
            if not _TYPE_NAME.fullmatch(kind):
                raise OptionError(f"algorithms: a type is a short word in small letters, not {kind!r}")
        _check_type("default_type", self.default_type, self.types)
        for pattern, kind in self.type_rules:
            _check_regex("type_rules", pattern)
            _check_type("type_rules", kind, self.types)
        for name in self.tables:
            if name != "coreex" and name not in self.types:
                raise OptionError(f"there is no key {name!r}: {_suggest(name, [*KEYS, 'coreex', *self.types])}")
        for kind in self.types:
            self.algorithm(kind)

    @property
    def types(self) -> dict[str, str]:
        """Every type and its algorithm."""
        return {**ALGORITHMS, **self.algorithms}

    def type_of(self, url: str) -> str:
        """The type of a page by its URL."""
        rules = (kind for pattern, kind in self.type_rules if re.search(pattern, url))
        return next(rules, self.default_type)

    def algorithm(self, kind: str) -> tuple[str, dict[str, Any]]:
        """The algorithm of a type, by name, and its settings."""
        name = self.types[kind]
        settings = self.tables.get(kind, {})
        shared = self.tables.get("coreex", {}) if name in ("news-zh", "coreex") else {}
        _check_algorithm(kind, name, settings, shared)
        return name, {**shared, **settings}

    @property
    def link_filter(self) -> LinkFilter:
        """Which links are useful."""
        return LinkFilter(self.link_include, self.link_exclude, self.same_host)


KEYS: Mapping[str, dataclasses.Field[Any]] = {
    entry.name: entry for entry in dataclasses.fields(Config) if entry.name != "tables"
}
"""Every key outside of the tables."""
_HINTS = typing.get_type_hints(Config)
_LEAST = {
    "max_pages": 1,
    "max_depth": 0,
    "retries": 0,
    "rate": 0,
    "host_rate": 0,
    "concurrency": 1,
    "host_concurrency": 1,
    "max_redirects": 0,
    "max_bytes": 1,
    "max_host_failures": 0,
    "workers": 1,
    "page_memory": 1,
}


def load(path: str | Path | None = None, overrides: Mapping[str, object] | None = None) -> Config:
    """The configuration of a TOML file, with `overrides` (as text or as what they are) on top.

    A key of a table is written with a dot in overrides (`forum.min_length`). Paths in the file are relative to it.
    An error names the key, and the line where the file has it.
    """
    text, values = _read(Path(path)) if path is not None else ("", {})
    try:
        entries = _flat(values)
        read = {name: _convert(name, value) for name, value in entries.items() if name in KEYS}
        if path is not None:
            for name in _PATHS & read.keys():
                read[name] = str(Path(path).parent / read[name]) if read[name] else ""
        tables: dict[str, dict[str, Any]] = {}
        for name, value in {**entries, **(overrides or {})}.items():
            table, dot, key = name.partition(".")
            if dot:
                tables.setdefault(table, {})[key] = value
            elif name not in KEYS:
                raise OptionError(f"there is no key {name!r}: {_suggest(name, KEYS)}")
        read |= {name: _convert(name, value) for name, value in (overrides or {}).items() if name in KEYS}
        return Config(**read, tables=tables)
    except DuramenError as problem:
        spoken = re.split(r":? ", str(problem), maxsplit=1)[0]
        if path is None or spoken in (overrides or {}):  # the command line's fault, not the file's
            raise
        raise type(problem)(f"{path}{line_of(text, str(problem))}: {problem}") from None


_PATHS = {"url_list", "output_dir", "http_cache"}


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        toml: Any = import_module("tomllib")
    except ModuleNotFoundError:  # Python 3.10
        try:
            toml = import_module("tomli")
        except ModuleNotFoundError:
            raise MissingExtra('reading a configuration file needs tomli: pip install "duramen[crawl]"') from None
    try:
        text = path.read_text(encoding="utf-8-sig")
        return text, toml.loads(text)
    except OSError as problem:
        raise InputError(f"cannot read {path}: {problem.strerror or problem}") from None
    except (toml.TOMLDecodeError, UnicodeError) as problem:
        raise OptionError(f"{path} is no TOML: {problem}") from None


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keys of tables by dotted names; those that are themselves settings stay whole."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict) and name not in KEYS:
            flat |= {f"{name}.{key}": inner for key, inner in value.items()} or {f"{name}.": None}
        else:
            flat[name] = value
    flat.pop("", None)
    return {name: value for name, value in flat.items() if not name.endswith(".")}


def _convert(name: str, value: object) -> Any:
    """A value, given as text or as what it is, as the type of its key."""
    try:
        if name == "type_rules":
            return tuple(_rule(entry) for entry in _listed(value))
        if name == "algorithms":
            return dict(value) if isinstance(value, Mapping) else dict(_pair(entry) for entry in _listed(value))
        return _as(_HINTS[name], value)
    except (ValueError, TypeError, KeyError):
        raise OptionError(f"{name} takes {_describe(name)}, not {value!r}") from None


def _rule(entry: object) -> tuple[str, str]:
    if isinstance(entry, Mapping):
        if set(entry) != {"pattern", "type"}:
            raise ValueError
        entry = (entry["pattern"], entry["type"])
    pattern, kind = _pair(entry) if isinstance(entry, str) else typing.cast(Sequence[str], entry)
    return str(pattern), str(kind)


def _pair(entry: object) -> tuple[str, str]:
    first, equals, second = str(entry).rpartition("=")
    if not equals or not first:
        raise ValueError
    return first.strip(), second.strip()


def _listed(value: object) -> list[object]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping) or not isinstance(value, Sequence):
        raise ValueError
    return list(value)


_SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def _as(hint: Any, value: object) -> Any:
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise ValueError
        return value
    if get_origin(hint) is tuple:
        if not all(isinstance(entry, str) for entry in _listed(value)):
            raise ValueError
        return tuple(_listed(value))
    if hint is bool:
        return value if isinstance(value, bool) else _SWITCH[str(value).lower()]
    if isinstance(value, bool):
        raise ValueError
    if hint is int:
        if isinstance(value, float) and not value.is_integer():
            raise ValueError
        return int(typing.cast(Any, value))
    if hint is float:
        number = float(typing.cast(Any, value))
        if not 0 <= number < float("inf"):
            raise ValueError
        return number
    if not isinstance(value, str):
        raise ValueError
    return value


def _describe(name: str) -> str:
    """What a key takes, in words."""
    if name == "type_rules":
        return 'a list of rules, each {pattern = "…", type = "…"}'
    if name == "algorithms":
        return "a table of types and algorithms"
    hint = _HINTS[name]
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(get_args(hint))
    if get_origin(hint) is tuple:
        return "a list of texts"
    return {bool: "true or false", int: "a whole number", float: "a number, 0 or more", str: "a text"}[hint]


def _suggest(word: str, known: typing.Iterable[str]) -> str:
    known = list(known)
    close = get_close_matches(word, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"


def _check_regex(key: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as problem:
        raise OptionError(f"{key}: {pattern!r} is no regular expression ({problem})") from None


def _check_type(key: str, kind: str, types: Mapping[str, str]) -> None:
    if kind not in types:
        raise OptionError(f"{key}: there is no type {kind!r}: {_suggest(kind, types)}")


def _check_encoding(key: str, name: str, *, empty: bool) -> None:
    if not name and empty:
        return
    try:
        if not codecs.lookup(name)._is_text_encoding:
            raise LookupError
    except (LookupError, ValueError):
        raise OptionError(f"{key}: unknown encoding {name!r}: try gbk, gb18030 or utf-8") from None


def _check_algorithm(kind: str, name: str, settings: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
    """Each setting by itself first: the error can then name its key."""
    tables = {f"{kind}.{key}": {key: value} for key, value in settings.items()}
    tables |= {f"coreex.{key}": {key: value} for key, value in shared.items()}
    tables[f"algorithms.{kind}" if kind not in ALGORITHMS or not settings else kind] = {**shared, **settings}
    for key, options in sorted(tables.items(), key=lambda entry: "." not in entry[0]):
        try:
            algorithm(name, options)
        except DuramenError as problem:
            raise OptionError(f"{key}: {problem}") from None
