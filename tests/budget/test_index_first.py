import pytest

from toolpost.budget.index_first import IndexFirst
from toolpost.call import Call, Caller, Words
from toolpost.errors import PolicyViolation

Cost = dict[str, int]
READ: Cost = {"calls": 1, "reads": 1}
LIST: Cost = {"calls": 1, "lists": 1}
QUERY: Cost = {"calls": 1}


def call(component: str = "Button", tool: str = "readFile") -> Call:
    return Call(tool="x", caller=Caller(component=component), words=Words(tool=tool))


def admit(policy: IndexFirst, cost: Cost, component: str = "Button", why: str = "") -> str:
    return policy.admit(cost, {"justification": why}, call(component))


def test_listing_without_a_reason_is_refused_when_strict() -> None:
    with pytest.raises(PolicyViolation) as refused:
        admit(IndexFirst("strict"), LIST)
    assert refused.value.parameter == "justification"
    assert refused.value.detail == (
        "readFile explores folders. Query the index first, or say in `justification` what it cannot answer."
    )


def test_listing_with_a_reason_is_let_through() -> None:
    assert admit(IndexFirst("strict"), LIST, why="The index knows no CSS files.") == ""


def test_a_blank_is_no_reason() -> None:
    with pytest.raises(PolicyViolation):
        admit(IndexFirst("strict"), LIST, why="  \n")


def test_the_sixth_read_needs_a_reason_and_five_do_not() -> None:
    policy = IndexFirst("strict")
    assert [admit(policy, READ) for _ in range(5)] == [""] * 5
    with pytest.raises(PolicyViolation):
        admit(policy, READ)
    assert admit(policy, READ, why="Each theme is a file of its own.") == ""


def test_components_are_counted_each_on_its_own() -> None:
    policy = IndexFirst("strict")
    for component in "ABCDEF":
        assert admit(policy, READ, component) == ""


def test_a_warning_is_a_hint_and_no_refusal() -> None:
    assert admit(IndexFirst(), LIST).startswith("readFile explores folders.")


def test_the_index_itself_is_free() -> None:
    assert admit(IndexFirst("strict"), QUERY) == ""


@pytest.mark.parametrize(("policy", "component"), [("off", "Button"), ("strict", "")])
def test_it_says_nothing_when_off_or_without_a_component(policy: str, component: str) -> None:
    assert admit(IndexFirst(policy), LIST, component) == ""


def test_six_files_in_one_call_are_six_reads() -> None:
    with pytest.raises(PolicyViolation):
        admit(IndexFirst("strict"), {"calls": 1, "reads": 6})


def test_only_so_many_components_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.budget.index_first.SESSIONS_KEPT", 2)
    policy = IndexFirst("strict")
    for component in "ABC":
        for _ in range(5):
            admit(policy, READ, component)
    assert admit(policy, READ, "A") == ""
