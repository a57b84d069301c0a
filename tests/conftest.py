"""How hard hypothesis looks: `HYPOTHESIS_PROFILE=full` looks much harder than every day's run."""

import os

import pytest
from hypothesis import HealthCheck, settings

_PATIENT = settings(
    deadline=None,  # a busy machine is no failure
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    database=None,
)
settings.register_profile("default", _PATIENT, max_examples=60, derandomize=True)
settings.register_profile("full", _PATIENT, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a test that did not run counts as failed; elsewhere it is listed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
