import pytest

from toolpost.errors import InvalidArgument
from toolpost.sandbox.model import Fence
from toolpost.sandbox.seatbelt import arguments, profile

FENCE = Fence(
    roots=("/Users/me/work",),
    readable=("/Users/me/more",),
    masked=("/Users/me/work/.env",),
    protected=("/Users/me/work/.git/config",),
)


def test_a_profile_denies_first_and_takes_out_last() -> None:
    lines = profile(FENCE, own=("/private/tmp/own",), readable=("/Users/me/.cargo/bin",)).splitlines()
    assert lines[:2] == ["(version 1)", "(deny default)"]
    assert lines[-5:] == [
        '(allow file* (subpath "/private/tmp/own"))',
        '(allow file* process-exec (subpath "/Users/me/work"))',
        '(deny file-write* (subpath "/Users/me/work/.git/config"))',
        '(deny file-write-unlink (literal "/Users/me/work/.git"))',
        '(deny file-read* file-write* (subpath "/Users/me/work/.env"))',
    ]
    assert '(allow file-read* process-exec (subpath "/Users/me/.cargo/bin"))' in lines
    assert not [line for line in lines if "network" in line]


def test_a_read_only_root_gets_no_right_to_write() -> None:
    lines = profile(Fence(roots=("/w",), writes=False)).splitlines()
    assert lines[-1] == '(allow file-read* process-exec (subpath "/w"))'


def test_the_proxy_is_all_of_the_network() -> None:
    assert profile(Fence(roots=(), hosts=("a.example",), proxy="/tmp/p.sock")).splitlines()[-1] == (
        '(allow network-outbound (literal "/tmp/p.sock"))'
    )


def test_a_folders_name_writes_no_rules() -> None:
    said = profile(Fence(roots=('/w"))(allow default)(x "\\',))).splitlines()[-1]
    assert said == '(allow file* process-exec (subpath "/w\\"))(allow default)(x \\"\\\\"))'
    with pytest.raises(InvalidArgument):
        profile(Fence(roots=("/w\n(allow default)",)))


def test_the_command_stands_behind_the_profile() -> None:
    assert arguments(FENCE, ("ls", "-l"))[0::2] == ("/usr/bin/sandbox-exec", profile(FENCE), "-l")
