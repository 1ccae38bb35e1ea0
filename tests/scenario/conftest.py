"""One bot in its sandbox for the journeys of a module; each journey starts its own thread."""

from collections.abc import Iterator

import pytest

from tests.scenario.stage import Stage, leave, stage


@pytest.fixture(scope="session", autouse=True)
def everyone_leaves() -> Iterator[None]:
    """No stage outlives the session; one that does not stop when told to is a failure."""
    yield
    leave()


@pytest.fixture(scope="module")
def on_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("stage")) as ready:
        yield ready


@pytest.fixture
def good_day(on_stage: Stage) -> Iterator[None]:
    """Whatever a test switches on is off again after it."""
    yield
    on_stage.post("faults")
