from toolpost.opened import is_open, opening


def test_a_guard_is_open_to_one_call_and_only_while_it_runs() -> None:
    assert not is_open("write", ".mcp.json")
    with opening(frozenset({("write", ".mcp.json")})):
        assert is_open("write", ".mcp.json")
        assert not is_open("read", ".mcp.json")
        with opening(frozenset({("read", "a")})):
            assert is_open("write", ".mcp.json")
    assert not is_open("write", ".mcp.json")
