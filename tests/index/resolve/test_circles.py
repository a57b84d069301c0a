from toolpost.index.resolve.circles import circles


def order(graph: dict[str, str], start: str) -> list[str]:
    return ["".join(sorted(members)) for members in circles(start, lambda node: graph.get(node, ""))]


def test_what_others_need_comes_first() -> None:
    assert order({"a": "bc", "b": "d", "c": "d"}, "a") == ["d", "b", "c", "a"]


def test_circles_come_together() -> None:
    assert order({"a": "b", "b": "cd", "c": "ab", "d": "ed", "e": "f", "f": "e"}, "a") == ["ef", "d", "abc"]


def test_a_long_chain_needs_no_deep_stack() -> None:
    found = list(circles("0", lambda node: [str(int(node) + 1)] if int(node) < 20_000 else []))
    assert found[0] == ["20000"]
    assert found[-1] == ["0"]
