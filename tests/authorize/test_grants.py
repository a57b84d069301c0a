from toolpost import Decision
from toolpost.authorize.ask import Scope
from toolpost.authorize.grants import Grant, Grants

GRANT = Grant(id="1", rule="exec(git push *)", decision=Decision.ALLOW, scope=Scope.SESSION, tool="os.exec")


def test_a_grant_is_a_rule_that_names_itself_as_its_layer() -> None:
    rule = GRANT.rule_in_force()
    assert rule is not None
    assert (str(rule), rule.decision, rule.layer) == ("exec(git push *)", Decision.ALLOW, "grant:session:1")


def test_grants_are_kept_until_they_are_dropped() -> None:
    grants = Grants()
    grants.add(GRANT)
    assert (list(grants), len(grants)) == ([GRANT], 1)
    assert not grants.drop(lambda grant: grant.tool == "other")
    assert grants.drop(lambda grant: grant.tool == "os.exec")
    assert (list(grants), grants.drop(lambda _grant: True)) == ([], False)


def test_a_text_that_is_no_rule_grants_nothing() -> None:
    broken = Grant(id="2", rule="exek(x)", decision=Decision.ALLOW, scope=Scope.USER, tool="os.exec")
    assert broken.rule_in_force() is None
