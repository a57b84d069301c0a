"""How hard hypothesis looks: `HYPOTHESIS_PROFILE=full` looks much harder than every day's run."""

import os

from hypothesis import HealthCheck, settings

_NEVER_FLAKY = {
    "deadline": None,  # a busy machine is no failure
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
    "database": None,
}
settings.register_profile("default", max_examples=60, derandomize=True, **_NEVER_FLAKY)
settings.register_profile("full", max_examples=2_000, **_NEVER_FLAKY)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
