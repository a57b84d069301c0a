import struct
from errno import ENOSYS, EPERM

import pytest

from toolpost.errors import SandboxUnavailable
from toolpost.sandbox.seccomp import Scope, program
from toolpost.sandbox.syscalls import AARCH64, CLONE3, X86_64, Machine

ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
MACHINES = [pytest.param("x86_64", X86_64, id="x86_64"), pytest.param("aarch64", AARCH64, id="aarch64")]


def _judge(steps: bytes, number: int, *args: int, audit: int) -> int:
    """What the kernel would: loads, equal, at least, any bit, return."""
    data = struct.pack(
        "=iIQ6Q", number - (1 << 32 if number >= 1 << 31 else 0), audit, 0, *args, *[0] * (6 - len(args))
    )
    program_ = [struct.unpack_from("=HBBI", steps, place) for place in range(0, len(steps), 8)]
    place = loaded = 0
    for _ in range(len(program_)):
        code, jump, fall, value = program_[place]
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
            place += 1
            continue
        held = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
        place += 1 + (jump if held else fall)
    raise AssertionError("the program does not end")


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_every_call_gets_the_answer_the_tables_give(name: str, machine: Machine) -> None:
    special = {machine.socket: FAIL | EPERM, CLONE3: FAIL | ENOSYS}
    scopes = {
        Scope(): (*machine.refused, *machine.shared),
        Scope(writes=False): (*machine.refused, *machine.shared, *machine.marks),
        Scope(apart=True): machine.refused,
    }
    for scope, refused in scopes.items():
        steps = program(scope, name)
        said = [
            _judge(steps, number, 0 if number != machine.socket else 40, audit=machine.audit)
            for number in range(600)
        ]
        assert said == [
            FAIL | EPERM if number in refused else special.get(number, ALLOW) for number in range(600)
        ]


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_a_process_sets_limits_for_itself_alone(name: str, machine: Machine) -> None:
    said = [
        _judge(program(Scope(), name), machine.prlimit, process, audit=machine.audit)
        for process in (0, 1, 4711)
    ]
    assert said == [ALLOW, FAIL | EPERM, FAIL | EPERM]


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_another_processors_calls_end_the_process(name: str, machine: Machine) -> None:
    assert _judge(program(Scope(), name), 0, audit=0x40000003) == KILL


def test_x32_numbers_end_the_process() -> None:
    steps = program(Scope(), "x86_64")
    assert {_judge(steps, 0x40000000 + number, audit=X86_64.audit) for number in (0, 41, 520)} == {KILL}


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_new_namespaces_are_refused_and_threads_are_not(name: str, machine: Machine) -> None:
    steps = program(Scope(), name)
    flags = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
    assert {_judge(steps, machine.clone, flag | 17, audit=machine.audit) for flag in flags} == {FAIL | EPERM}
    assert _judge(steps, machine.clone, 0x003D0F00, audit=machine.audit) == ALLOW


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_nobody_types_for_the_user_whatever_the_high_half_says(name: str, machine: Machine) -> None:
    steps = program(Scope(), name)
    said = [
        _judge(steps, machine.ioctl, 0, request, audit=machine.audit)
        for request in (0x5412, 0x541C, 0x1_0000_5412)
    ]
    assert said == [FAIL | EPERM] * 3
    assert _judge(steps, machine.ioctl, 0, 0x5413, audit=machine.audit) == ALLOW


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_only_families_that_a_network_of_its_own_holds_are_opened(name: str, machine: Machine) -> None:
    steps = program(Scope(apart=True), name)
    allowed = [
        family for family in range(64) if _judge(steps, machine.socket, family, audit=machine.audit) == ALLOW
    ]
    assert allowed == [1, 2, 10, 16]


@pytest.mark.parametrize(("name", "machine"), MACHINES)
def test_truncate_is_refused_where_landlock_does_not_know_it(name: str, machine: Machine) -> None:
    said = [
        _judge(program(Scope(truncates=known), name), machine.truncate, audit=machine.audit)
        for known in (True, False)
    ]
    assert said == [ALLOW, FAIL | EPERM]


def test_a_processor_without_a_table_has_no_filter() -> None:
    with pytest.raises(SandboxUnavailable, match="no filter of system calls"):
        program(Scope(), "riscv64")
