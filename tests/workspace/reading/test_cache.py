from io import BytesIO
from threading import Thread

from toolpost.limits import CACHE_ENTRY_BYTES
from toolpost.workspace.reading.cache import Kept, ReadCache
from toolpost.workspace.reading.parts import facts_of
from toolpost.workspace.root import Entry, Kind, Source


def source(stamp: object, *, is_racy: bool = False) -> Source:
    return Source(Entry("a", Kind.FILE), BytesIO(), stamp, is_racy=is_racy)


def kept(data: bytes) -> Kept:
    return Kept(data, facts_of(data))


def test_a_file_is_found_while_its_stamp_is_the_same() -> None:
    cache = ReadCache()
    assert cache.find("root", "a", source(1)) is None
    cache.keep("root", "a", source(1), kept(b"text"))
    assert cache.find("root", "a", source(1)) == kept(b"text")
    assert cache.find("root", "a", source(2)) is None
    assert cache.find("other", "a", source(1)) is None
    assert (cache.hits, cache.misses) == (1, 3)


def test_a_file_changed_a_moment_ago_is_neither_kept_nor_found() -> None:
    cache = ReadCache()
    cache.keep("root", "a", source(1, is_racy=True), kept(b"text"))
    assert cache.find("root", "a", source(1)) is None
    cache.keep("root", "a", source(1), kept(b"text"))
    assert cache.find("root", "a", source(1, is_racy=True)) is None


def test_the_file_unused_longest_makes_room() -> None:
    weight = 100 + CACHE_ENTRY_BYTES
    cache = ReadCache(max_bytes=2 * weight)
    for name in ("a", "b"):
        cache.keep("root", name, source(1), kept(b"x" * 100))
    assert cache.find("root", "a", source(1)) is not None
    cache.keep("root", "c", source(1), kept(b"x" * 100))
    assert cache.find("root", "b", source(1)) is None
    assert cache.find("root", "a", source(1)) is not None
    assert cache.size_bytes == 2 * weight


def test_empty_files_weigh_something_too() -> None:
    cache = ReadCache(max_bytes=10 * CACHE_ENTRY_BYTES)
    for number in range(1_000):
        cache.keep("root", str(number), source(1), kept(b""))
    assert cache.size_bytes == cache.max_bytes


def test_a_file_larger_than_the_cache_is_not_kept() -> None:
    cache = ReadCache(max_bytes=1_000)
    cache.keep("root", "a", source(1), kept(b"x" * 1_000))
    assert cache.size_bytes == 0


def test_a_newer_version_takes_the_place_of_the_older() -> None:
    cache = ReadCache()
    cache.keep("root", "a", source(1), kept(b"old, and longer"))
    cache.keep("root", "a", source(2), kept(b"new"))
    assert cache.find("root", "a", source(1)) is None
    assert cache.find("root", "a", source(2)) == kept(b"new")
    assert cache.size_bytes == 3 + CACHE_ENTRY_BYTES


def test_what_is_forgotten_is_gone() -> None:
    cache = ReadCache()
    cache.keep("root", "a", source(1), kept(b"text"))
    cache.forget("root", "a")
    cache.forget("root", "never there")
    assert cache.find("root", "a", source(1)) is None
    assert cache.size_bytes == 0


def test_threads_leave_the_count_right() -> None:
    cache = ReadCache(max_bytes=20 * CACHE_ENTRY_BYTES)

    def work(seed: int) -> None:
        for number in range(500):
            name = str((seed * number) % 37)
            cache.keep("root", name, source(number), kept(b"x" * (number % 50)))
            cache.find("root", name, source(number))
            cache.forget("root", str(number % 11))

    threads = [Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    for number in range(37):
        cache.forget("root", str(number))
    assert cache.size_bytes == 0
    assert cache.hits + cache.misses == 2_000
