"""Where keys and strings stand in a TOML text."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from toolpost.authorize.toml_places import Places, Spot, Statement, Text

TEXT = '''# "no string"
top = 1 # "nor this"
[permissions] # [header]
deny = [
  "exec(psql *)", # 'comment'
  'read(a)', "b\\"c",
]
"quoted.key" = {x = "in # line", y = ["[", """two
lines"""]}
a.b = \'\'\'it's''\'\'\'
[[test]]
call = {}'''


def test_every_key_and_string_has_its_place() -> None:
    assert Places(TEXT).statements == [
        Statement(("top",), Spot(2, 1)),
        Statement(("permissions",), Spot(3, 1), is_header=True),
        Statement(
            ("permissions", "deny"),
            Spot(4, 1),
            texts=(
                Text("exec(psql *)", Spot(5, 4), is_plain=True),
                Text("read(a)", Spot(6, 4), is_plain=True),
                Text('b"c', Spot(6, 14), is_plain=False),
            ),
        ),
        Statement(
            ("permissions", "quoted.key"),
            Spot(8, 1),
            texts=(
                Text("in # line", Spot(8, 22), is_plain=True),
                Text("[", Spot(8, 40), is_plain=True),
                Text("two\nlines", Spot(8, 44), is_plain=False),
            ),
        ),
        Statement(
            ("permissions", "a", "b"), Spot(10, 1), texts=(Text("it's''", Spot(10, 7), is_plain=False),)
        ),
        Statement(("test",), Spot(11, 1), is_header=True),
        Statement(("test", "call"), Spot(12, 1)),
    ]


def test_a_comment_may_end_the_text() -> None:
    assert Places('a = "x" # end').statements == [
        Statement(("a",), Spot(1, 1), texts=(Text("x", Spot(1, 6), is_plain=True),))
    ]
    assert Places("# end").statements == []


def test_a_key_is_found_where_it_is_set_or_in_what_holds_it() -> None:
    places = Places('outer = {inner = "x"}\n[table]\nkey = 1')
    assert places.first("outer", "inner") == Spot(1, 1)
    assert places.first("table", "key") == Spot(3, 1)
    assert places.first("absent") == Spot(1, 1)


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


@given(st.text("ab=[]{}\"'#\n,.\\ ", max_size=40))
def test_any_text_that_is_toml_keeps_its_strings(text: str) -> None:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = [one.value for statement in Places(text).statements for one in statement.texts]
    assert set(strings(table)) <= set(found)
