from functools import reduce

from hypothesis import given
from hypothesis import strategies as st
from tests.index.disk.samples import DOCS, doc

from toolpost.index.disk import repo_hash
from toolpost.index.model import Doc, Stamp

ALL = reduce(repo_hash.add, DOCS, 0)


def test_it_is_the_same_whatever_the_order() -> None:
    assert reduce(repo_hash.add, reversed(DOCS), 0) == ALL


def test_a_change_is_taken_back_by_removing_it() -> None:
    changed = repo_hash.add(repo_hash.remove(ALL, DOCS[0]), doc("README.md", b"new\n"))
    assert changed != ALL
    assert repo_hash.add(repo_hash.remove(changed, doc("README.md", b"new\n")), DOCS[0]) == ALL


def test_only_path_and_content_count_in_a_file_that_was_read() -> None:
    known = DOCS[0]
    touched = Doc(known.path, Stamp(1, 2, 3, 4), known.blob_id, None, tags=("other",))
    assert repo_hash.of(touched) == repo_hash.of(known)


def test_only_path_and_size_count_in_a_file_that_was_not_so_that_clones_agree() -> None:
    same = [Stamp(1, 2, 3, 4), Stamp(1, 3, 3, 4), Stamp(1, 2, 9, 9)]
    found = {repo_hash.of(Doc("a", stamp, b"", None, "secret")) for stamp in same}
    assert len(found) == 1
    assert repo_hash.of(Doc("a", Stamp(2, 2, 3, 4), b"", None, "secret")) not in found
    assert repo_hash.of(Doc("b", same[0], b"", None, "secret")) not in found


@given(st.integers(0, 2**128 - 1))
def test_it_is_shown_as_32_hex_digits(total: int) -> None:
    assert len(repo_hash.shown(total)) == 32
    assert repo_hash.read(repo_hash.shown(total)) == total


def test_its_value_does_not_change_between_versions() -> None:
    assert repo_hash.shown(repo_hash.add(0, doc("a.txt", b"a\n"))) == "4b5ff881bd7aefd44ab33c0aafd417f5"
