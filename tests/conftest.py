import re

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.kit")

# `scripts/test` takes `ci`: every run tries the same examples.
settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dev")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse tests whose name differs from run to run: workers would not agree on them."""
    unstable = [item.nodeid for item in items if re.search(r" at 0x[0-9a-f]+>", item.nodeid)]
    if unstable:
        raise pytest.UsageError(f"give these parameters ids: {', '.join(unstable)}")
