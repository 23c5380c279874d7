"""What is still to fetch: the list and what following adds, less what is finished; rebuilt from the results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from duramen.crawl.config import Config
from duramen.crawl.lists import Listed
from duramen.crawl.store import Record, Store


@dataclass(frozen=True, slots=True)
class Todo:
    """A page to fetch."""

    url: str
    depth: int = 0  # links away from the list
    type: str | None = None  # where the list states it; else the URL decides
    listed: bool = False
    problem: str | None = None  # why it cannot even be tried


class Frontier:
    """Hands out every page once, within the bounds."""

    def __init__(self, config: Config, store: Store, listed: Iterable[Listed]) -> None:
        self._config = config
        self._store = store
        self._listed = listed
        self._seen: set[str] = set()
        self.finished = 0  # pages of earlier runs
        self._pages = 0
        for record in store.records():
            self._seen |= {record["url"], record["final_url"] or record["url"]}
            self.finished += 1
        self._pages = self.finished

    def pending(self) -> Iterator[Todo]:
        """What an unfinished run had left: of the list, then of the links of finished pages."""
        for entry in self._listed:
            yield from self._offer(Todo(entry.url, 0, entry.type, True, entry.problem))
        if self.finished:
            for record in self._store.records():
                yield from self.following(record)

    def following(self, record: Record) -> Iterator[Todo]:
        """The pages that a finished one adds: its links, and the frames of a page that is nothing but frames."""
        further = self._config.follow_links and record["depth"] < self._config.max_depth
        for link in record["links"]:
            if "dropped" in link:
                continue
            if record["frameset"] and link["kind"] == "frame":
                yield from self._offer(Todo(link["url"], record["depth"]))
            elif further:
                yield from self._offer(Todo(link["url"], record["depth"] + 1))

    def claim(self, url: str) -> bool:
        """Take a page that another one redirects to; False where it is taken already."""
        if url in self._seen:
            return False
        self._seen.add(url)
        return True

    def _offer(self, todo: Todo) -> Iterator[Todo]:
        if todo.url not in self._seen and (todo.listed or self._pages < self._config.max_pages):
            self._seen.add(todo.url)
            self._pages += 1
            yield todo
