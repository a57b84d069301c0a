from toolpost.authorize.everyday import EVERYDAY
from toolpost.authorize.grammar import parse_rule
from toolpost.authorize.profiles import ASK, PROFILES, Mode
from toolpost.result import Decision


def test_there_is_a_profile_for_each_way_of_working() -> None:
    assert {name: profile.mode for name, profile in PROFILES.items()} == {
        "read-only": Mode.PLAN,
        "plan": Mode.PLAN,
        "headless": Mode.HEADLESS,
        "ask": Mode.ASK,
        "edit": Mode.EDIT,
        "workspace": Mode.EDIT,
        "auto": Mode.AUTO,
        "open": Mode.YOLO,
    }
    assert PROFILES["ask"] is ASK


def test_every_rule_of_a_profile_could_stand_in_a_policy() -> None:
    for profile in PROFILES.values():
        for rule in profile.rules:
            again = parse_rule(str(rule), rule.decision, rule.layer)
            assert again == rule
            assert rule.layer == f"profile:{profile.name}"


def test_everyday_commands_are_only_ever_allowed_and_each_stands_there_once() -> None:
    assert {rule.decision for rule in PROFILES["workspace"].rules} == {Decision.ALLOW}
    assert len(set(EVERYDAY)) == len(EVERYDAY)
