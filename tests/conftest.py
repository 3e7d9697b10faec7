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
