import gc
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.index.names.written import base_of, doc

from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.sections import Sections, write
from toolpost.index.model import Doc, Export
from toolpost.index.names import lookup, numbers, texts
from toolpost.index.names.lookup import Names, names_of
from toolpost.index.names.tables import RANK_BITS, make
from toolpost.index.names.texts import Entries

BARREL = Export("Button", source="./Button")
DOCS = [
    doc("a/barrel.ts", BARREL, Export("ButtonProps", source="./Button"), tags=["barrel", "typescript"]),
    doc("b/Button.tsx", "Button", "ButtonProps", tags=["react-component", "typescript"]),
    doc("c/Button.tsx", Export("default", local="Button"), tags=["react-component", "typescript"]),
    doc("d/button.py", "button", "Button", tags=["python"]),
    doc("e/zap.ts", "ZapButtonComponent", tags=["typescript"]),
    doc("f/zap.ts", Export("ZapButton", source="./e"), tags=["typescript"]),
    doc("g/none.ts", tags=["typescript"]),
]
OWN_PREFIX, PASSED_PREFIX, OWN_WITHIN, PASSED_WITHIN = range(4)


def opened(folder: Path, docs: Sequence[Doc] = DOCS) -> Names:
    path = folder / "names"
    write(path, make(enumerate(docs)), page_bits=6)
    return Names(Sections.open(path))


def listed(entries: Entries) -> list[tuple[int, int]]:
    """Ranks and files."""
    return [(entry >> RANK_BITS, entry & (1 << RANK_BITS) - 1) for entry in entries.take(0, len(entries))]


def test_a_spelling_finds_who_defines_it_then_who_defaults_to_it_then_who_passes_it_on(
    tmp_path: Path,
) -> None:
    names = opened(tmp_path)
    key = names.keys.find("button")
    low, high = names.spelled(key, key + 1)
    assert [names.spellings.at(one) for one in range(low, high)] == ["Button", "button"]
    assert listed(names.exporting(low, low + 1)) == [(0, 1), (0, 3), (1, 2), (2, 0)]
    assert listed(names.exporting(low + 1, high)) == [(0, 3)]


def test_an_exact_name_is_found_by_itself_only(tmp_path: Path) -> None:
    names = opened(tmp_path)
    exact = names.exact("button")
    assert exact is not None
    assert listed(exact) == [(0, 3)]
    assert [names.exact(name) for name in ("BUTTON", "zap", "Nothing")] == [None, None, None]


def test_parts_of_names_find_beginnings_first_and_no_file_twice(tmp_path: Path) -> None:
    names = opened(tmp_path)
    button, zap, none = names.key("button"), names.key("zap"), names.key("none")
    assert button is not None
    assert zap is not None
    assert none is None
    assert (button.total, button.high - button.low) == (6, 2)
    assert listed(button.parts) == [(OWN_WITHIN, 4), (PASSED_WITHIN, 5)]
    assert (zap.total, zap.high - zap.low) == (2, 0)
    assert listed(zap.parts) == [(OWN_PREFIX, 4), (PASSED_PREFIX, 5)]


def test_a_tag_finds_its_files_in_order(tmp_path: Path) -> None:
    names = opened(tmp_path)
    assert [names.tags.at(one) for one in range(names.tags.count)] == [
        "barrel",
        "python",
        "react-component",
        "typescript",
    ]
    assert listed(names.tagged(names.tags.find("typescript"))) == [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 4),
        (0, 5),
        (0, 6),
    ]
    assert names.tags.find("vue") == -1


def test_an_index_of_nothing_finds_nothing(tmp_path: Path) -> None:
    names = opened(tmp_path, [])
    assert names.keys.find("button") == -1
    assert names.keys.beginning("") == (0, 0)
    assert names.tags.find("x") == -1
    assert names.spellings.count == 0


@pytest.mark.parametrize("held", [1, 2, 3, 4096])
def test_every_key_is_found_among_many_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    monkeypatch.setattr(texts, "NAME_HELD", held)
    every = sorted({f"w{number * 7919 % 5003:x}" for number in range(700)})
    names = opened(tmp_path, [doc(f"{name}.ts", name) for name in every])
    keys = [names.keys.at(one) for one in range(names.keys.count)]
    assert keys == sorted(keys)
    assert [names.keys.find(key) for key in keys] == list(range(len(keys)))
    assert [names.keys.find(f"{key}!") for key in keys] == [-1] * len(keys)
    for prefix in ("", "w", "w1", "w12", "w1f", "zz", "0", "w1\U0010ffff"):
        low, high = names.keys.beginning(prefix)
        assert keys[low:high] == [key for key in keys if key.startswith(prefix)]


def test_a_key_of_very_many_spellings_finds_each(tmp_path: Path) -> None:
    every = sorted(
        "".join(c.upper() if bits >> at & 1 else c for at, c in enumerate("abcdefgh")) for bits in range(256)
    )
    every = [name for name in every if name.lower() == "abcdefgh"]
    underscored = ["_" * count + "solo" for count in range(1, 100)]
    names = opened(tmp_path, [doc("one.ts", *every), doc("two.ts", *underscored)])
    key = names.keys.find("solo")
    low, high = names.spelled(key, key + 1)
    assert high - low == 99
    assert all(listed(names.exporting(at, at + 1)) == [(0, 1)] for at in range(low, high))
    assert [names.spellings.find(name, low, high) >= 0 for name in underscored] == [True] * 99
    assert names.spellings.find("solo", low, high) == -1
    assert [names.spellings.at(names.spellings.find(name)) for name in underscored] == underscored
    assert [names.spellings.find(name) for name in ("solo", "none")] == [-1, -1]


def test_tables_made_in_many_pieces_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = make(enumerate(DOCS))
    monkeypatch.setattr(numbers, "NAME_ENTRIES", 1)
    assert make(enumerate(DOCS)) == whole


def test_a_place_is_found_alike_before_and_after_all_is_checked(tmp_path: Path) -> None:
    names = opened(
        tmp_path, [doc(f"{number:04}.ts", "x", tags=["t"] if number % 3 else []) for number in range(300)]
    )
    entries = names.tagged(0)
    expected = [number for number in range(300) if number % 3]
    assert [entries.place(number) for number in range(301)] == [
        sum(one < number for one in expected) for number in range(301)
    ]
    entries.take(0, len(entries))
    assert entries.numbers.pages.whole
    assert [entries.place(number) for number in range(301)] == [
        sum(one < number for one in expected) for number in range(301)
    ]
    assert [number in entries for number in range(301)] == [number in expected for number in range(301)]


@pytest.mark.parametrize("section", ["names.key_heads", "names.key_text", "names.key_rows", "names.files"])
def test_a_damaged_table_is_never_answered_from(tmp_path: Path, section: str) -> None:
    path = tmp_path / "names"
    sections = make(enumerate(DOCS))
    write(path, sections)
    content, sought = path.read_bytes(), sections[section]
    at = content.index(sought)
    path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    names = Names(Sections.open(path))
    with pytest.raises(Damaged):
        names.exporting(*names.spelled(*names.keys.beginning("button"))).take(0, 1)


def test_a_base_has_its_names_for_as_long_as_it_lives(tmp_path: Path) -> None:
    base = base_of(tmp_path, DOCS)
    assert names_of(base) is names_of(base)
    base.close()
    before = len(lookup._opened)
    del base
    gc.collect()
    assert len(lookup._opened) < before


@given(
    some.lists(
        some.lists(some.sampled_from(["Foo", "foo", "FooBar", "barFoo", "Bar", "foo_bar", "*"]), max_size=4)
    )
)
def test_a_total_is_the_number_of_files_with_such_a_run(
    tmp_path_factory: pytest.TempPathFactory, files: list[list[str]]
) -> None:
    names = opened(
        tmp_path_factory.mktemp("names"), [doc(f"{at:03}.ts", *found) for at, found in enumerate(files)]
    )
    for run, holders in {
        "foo": {"Foo", "foo", "FooBar", "barFoo", "foo_bar"},
        "bar": {"FooBar", "barFoo", "Bar", "foo_bar"},
    }.items():
        key = names.key(run)
        expected = sum(not holders.isdisjoint(found) for found in files)
        assert (key.total if key else 0) == expected


def test_whoever_only_asks_loads_neither_numpy_nor_grammars() -> None:
    asking = ("query", "graph", "similar", "export", "repo_map", "references")
    code = (
        f"import sys, importlib\n"
        f"for name in {asking}: importlib.import_module(f'toolpost.index.ask.{{name}}')\n"
        f"import toolpost.index.names.tables\n"
        f"print([name for name in ('numpy', 'tree_sitter', 'watchfiles') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "[]\n"
