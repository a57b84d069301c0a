"""How hard hypothesis looks: `HYPOTHESIS_PROFILE=full` looks much harder than every day's run."""

import os

from hypothesis import HealthCheck, settings

_PATIENT = settings(
    deadline=None,  # a busy machine is no failure
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    database=None,
)
settings.register_profile("default", _PATIENT, max_examples=60, derandomize=True)
settings.register_profile("full", _PATIENT, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
