from __future__ import annotations

from pathlib import Path

import pytest

from duramen.algorithms.everything import Everything
from duramen.jobs.inputs import find_inputs
from duramen.jobs.shards import Cut
from duramen.jobs.templates import SiteLearner, SiteTemplates
from duramen.jobs.templates.first_pass import learn_inputs
from tests.jobs.cluster.archives import page, record
from tests.support import kept_text, page_of

NOTICE = "<p>We use cookies to make this site work as you expect it to.</p>"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Twelve pages of one site with a notice, in an archive of several shards."""
    path = tmp_path / "site.warc.gz"
    path.write_bytes(b"".join(record(number, (NOTICE + page(number)).encode()) for number in range(12)))
    return path


def test_templates_of_an_archive_are_those_of_its_pages(archive: Path) -> None:
    learned = learn_inputs(find_inputs([str(archive)]), Cut(part_bytes=700), workers=2)
    learner = SiteLearner()
    learner.add_pages((f"https://site.example/{number}", page_of(NOTICE + page(number))) for number in range(12))
    assert learned.to_json() == learner.templates().to_json()
    assert list(learned.sites) == ["site.example"]
    shown = page_of(NOTICE + page(3))
    again = SiteTemplates.from_json(learned.to_json())
    rest = kept_text(shown, again.apply("https://site.example/3", shown, Everything().select(shown)))
    assert "cookies" not in rest
    assert rest.startswith("Page 3 Rain number 3")


def test_pages_that_cannot_be_read_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "bad.warc.gz"
    path.write_bytes(b"".join(record(number) for number in range(4)) + b"\x1f\x8b\x08\x00 damaged")
    (templates,) = learn_inputs(find_inputs([str(path)]), Cut(), workers=1).sites.values()
    assert templates.pages == 4
