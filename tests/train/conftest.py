"""Cases for several tests, made once."""

from __future__ import annotations

import pytest

from duramen.train.cases import Case
from tests.train.made import made_cases


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    return made_cases()
