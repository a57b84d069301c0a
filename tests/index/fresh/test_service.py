import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.index.fresh.trees import Tree, elsewhere, told

from toolpost.errors import LimitExceeded
from toolpost.index.fresh.client import ask
from toolpost.index.fresh.line import Broken, is_ours, receive, send
from toolpost.index.fresh.live import Live, Means
from toolpost.index.fresh.service import Service, Taken, serve
from toolpost.index.fresh.told import Ask, Reply, Told
from toolpost.index.limits import FRESH_REQUEST_BYTES


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "run" / "fresh.sock"


@pytest.fixture
def live(tree: Tree) -> Live:
    return tree.live()


@pytest.fixture
def service(tree: Tree, live: Live, place: Path) -> Iterator[Service]:
    made = serve({tree.root.key: live}.get, place)
    yield made
    made.stop()


def _nobody(key: str) -> Live | None:
    return None


def _said(place: Path, line: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(place))
        until = time.monotonic() + 10
        send(connection, line, until)
        return receive(connection, 1 << 20, until)


def test_another_process_is_told_what_changed(tree: Tree, live: Live, service: Service, place: Path) -> None:
    generation = live.snapshot().base.generation
    assert ask(place, tree.root.key, generation) == Told()
    elsewhere(tree.folder, "import os; os.mkdir('new'); open('new/a', 'w'); os.unlink('src/one.ts')")
    script = (
        "import sys; from pathlib import Path; from toolpost.index.fresh.client import ask;"
        "told = ask(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), 10.0); print(told.paths, told.folders)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(place), tree.root.key, str(generation)],
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.decode().strip() == "['new/a', 'src/one.ts'] ['new']"


@pytest.mark.parametrize("watch", [True, False])
def test_an_index_is_opened_without_a_look_at_every_file(
    tree: Tree, live: Live, service: Service, place: Path, watch: bool
) -> None:
    tree.settle()
    live.snapshot()
    elsewhere(
        tree.folder,
        "import os; os.makedirs('new/er'); open('new/er/a.ts', 'w').write('export let a'); os.unlink('src/one.ts');"
        "os.mkdir('bare')",
    )

    def asked(generation: int) -> Told | None:
        return ask(place, tree.root.key, generation, 10.0)

    other = tree.live(ask=asked) if watch else tree.live(ask=asked, watch=None, check_s=3600)
    tree.reads.clear()
    state = other.snapshot()
    assert told(state) == tree.truth()
    assert state.freshness == "watched"
    assert set(tree.reads) == {"new/er/a.ts"}
    elsewhere(
        tree.folder,
        "open('bare/b.ts', 'w').write('export let b'); os = __import__('os'); os.unlink('new/er/a.ts')",
    )
    assert told(other.snapshot()) == tree.truth()


def test_a_tree_or_generation_nobody_watches_is_not_known(
    tree: Tree, live: Live, service: Service, place: Path
) -> None:
    generation = live.snapshot().base.generation
    assert ask(place, "another", generation) is None
    assert ask(place, tree.root.key, generation + 1) is None


def test_a_tree_that_is_only_checked_is_not_vouched_for(tree: Tree) -> None:
    live = tree.live(watch=None)
    assert live.told(live.snapshot().base.generation) is None


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"\xff", b'{"key": 1}', b'{"key": "\\ud800"}'])
def test_what_is_no_question_is_answered_with_nothing_known(
    service: Service, place: Path, line: bytes
) -> None:
    assert _said(place, line) == msgspec.json.encode(Reply())


def test_a_line_without_end_is_not_answered(service: Service, place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(place))
        send(connection, b"x" * (FRESH_REQUEST_BYTES + 1000), time.monotonic() + 10)
        with pytest.raises(Broken):
            receive(connection, 100, time.monotonic() + 10)


def test_who_hangs_up_harms_nobody(service: Service, place: Path, tree: Tree, live: Live) -> None:
    for _ in range(50):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(place))
    assert ask(place, tree.root.key, live.snapshot().base.generation, 10.0) == Told()


def test_names_that_are_not_utf8_are_not_told_and_so_nothing_is(
    tree: Tree, live: Live, service: Service, place: Path
) -> None:
    elsewhere(tree.folder, "open(b'\\xff', 'w')")
    assert ask(place, tree.root.key, live.snapshot().base.generation) is None


def test_an_answer_that_would_be_too_long_is_none(
    tree: Tree, live: Live, service: Service, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.fresh.service.FRESH_REPLY_BYTES", 100)
    tree.write({f"long-name-{number}": "" for number in range(10)})
    assert ask(place, tree.root.key, live.snapshot().base.generation) is None


def test_a_tree_that_breaks_is_not_known(tree: Tree, live: Live, service: Service, place: Path) -> None:
    generation = live.snapshot().base.generation
    live.close()
    assert ask(place, tree.root.key, generation) is None


def test_only_one_serves_and_only_its_user_may_enter(
    tree: Tree, live: Live, service: Service, place: Path
) -> None:
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    with pytest.raises(Taken):
        serve(_nobody, place)
    assert ask(place, tree.root.key, live.snapshot().base.generation) == Told()


def test_a_dead_servers_socket_is_nobody_and_is_replaced(tree: Tree, live: Live, place: Path) -> None:
    place.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(place))
    generation = live.snapshot().base.generation
    assert ask(place, tree.root.key, generation) is None
    service = serve({tree.root.key: live}.get, place)
    assert ask(place, tree.root.key, generation) == Told()
    service.stop()
    service.stop()
    assert not place.exists()
    assert ask(place, tree.root.key, generation) is None
    assert ask(place.parent / "no" / "folder", tree.root.key, generation) is None


def test_a_server_that_says_nothing_is_not_waited_for_long(place: Path) -> None:
    place.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(place))
        silent.listen()
        assert ask(place, "key", 1, 0.01) is None


def test_a_server_of_another_user_is_not_believed(
    service: Service, place: Path, tree: Tree, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert ask(place, tree.root.key, live.snapshot().base.generation) is None


def test_a_folder_others_may_enter_is_refused(place: Path) -> None:
    place.parent.mkdir(mode=0o755)
    with pytest.raises(PermissionError):
        serve(_nobody, place)


def test_a_folder_of_any_depth_can_hold_the_socket(tree: Tree, live: Live, tmp_path: Path) -> None:
    place = tmp_path / ("d" * 120) / "fresh.sock"
    service = serve({tree.root.key: live}.get, place)
    assert ask(place, tree.root.key, live.snapshot().base.generation) == Told()
    service.stop()


def test_a_socket_that_cannot_be_made_leaves_no_lock(place: Path) -> None:
    place.mkdir(parents=True)
    place.parent.chmod(0o700)
    with pytest.raises(OSError, match="directory"):
        serve(_nobody, place)
    place.rmdir()
    serve(_nobody, place).stop()


def test_a_question_is_a_line_of_json() -> None:
    assert msgspec.json.encode(Ask("local-1", 7)) == b'{"key":"local-1","generation":7}'
    assert msgspec.json.encode(Reply(Told(["a"], ["b"]))) == b'{"told":{"paths":["a"],"folders":["b"]}}'


def test_a_name_no_socket_can_have_is_refused_and_leaves_no_lock(place: Path) -> None:
    long = place.with_name("s" * 120)
    with pytest.raises(OSError, match="too long"):
        serve(_nobody, long)
    with pytest.raises(OSError, match="too long"):
        serve(_nobody, long)


class Full(Live):
    def told(self, generation: int) -> Told | None:
        raise LimitExceeded("There are too many files.")


def test_a_tree_that_cannot_be_listed_is_not_known(tree: Tree, place: Path) -> None:
    live = Full(tree.root, tree.index, Means(read=tree.read))
    service = serve({tree.root.key: live}.get, place)
    assert ask(place, tree.root.key, live.snapshot().base.generation) is None
    service.stop()
    live.close()


def test_a_line_nobody_takes_is_broken() -> None:
    here, there = socket.socketpair()
    there.close()
    with here, pytest.raises(Broken):
        send(here, b"anybody?", time.monotonic() + 10)


def test_where_a_system_does_not_tell_who_calls_the_folder_has_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.index.fresh.line._PEER", None)
    here, there = socket.socketpair()
    with here, there:
        assert is_ours(here)
