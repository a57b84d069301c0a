"""Numbers of system calls, by processor: what a command in the sandbox has no use for, and what is looked at closer.

Where a processor lacks a call, its row has none. Numbers from 424 on are the same everywhere.
"""

from msgspec import Struct

_EVERYWHERE = (
    *(425, 426, 427),  # io_uring_setup, io_uring_enter, io_uring_register: they do what a filter cannot see
    *(428, 429, 430, 431, 432, 433, 442, 467),  # open_tree, move_mount, fs*, mount_setattr, open_tree_attr
    438,  # pidfd_getfd
    443,  # quotactl_fd
)


class Machine(Struct, frozen=True, kw_only=True):
    audit: int
    """AUDIT_ARCH_*: how the kernel names the processor to a filter."""
    foreign: int
    """Numbers from here on belong to another way of calling (x32); 0: there is none."""
    socket: int
    clone: int
    ioctl: int
    truncate: int
    prlimit: int
    refused: tuple[int, ...]
    shared: tuple[int, ...]
    """System V's shared memory, semaphores and messages, and POSIX queues: of everybody, unless a namespace holds them."""
    seccomp: int
    connect: int
    serving: tuple[int, ...]
    """bind and listen."""
    sendmsg: int
    sending: tuple[int, ...]
    """sendto and sendmmsg, whose flags are one place further."""
    marks: tuple[int, ...]
    """Modes, owners, times and attributes of files: Landlock does not look at them."""


CLONE3 = 435

X86_64 = Machine(
    audit=0xC000003E,
    foreign=0x40000000,
    socket=41,
    clone=56,
    ioctl=16,
    truncate=76,
    prlimit=302,
    seccomp=317,
    connect=42,
    serving=(49, 50),
    sendmsg=46,
    sending=(44, 307),
    refused=(
        *_EVERYWHERE,
        *(101, 310, 311, 312),  # ptrace, process_vm_readv, process_vm_writev, kcmp
        *(321, 323, 298, 300),  # bpf, userfaultfd, perf_event_open, fanotify_init
        *(165, 166, 155, 161),  # mount, umount2, pivot_root, chroot
        *(272, 308),  # unshare, setns
        *(
            246,
            320,
            174,
            175,
            176,
            313,
        ),  # kexec_load, kexec_file_load, create_module, init_module, delete_, finit_
        *(248, 249, 250),  # add_key, request_key, keyctl
        *(304, 179, 163, 167, 168, 169),  # open_by_handle_at, quotactl, acct, swapon, swapoff, reboot
        *(164, 227, 159, 305),  # settimeofday, clock_settime, adjtimex, clock_adjtime
        *(170, 171, 172, 173),  # sethostname, setdomainname, iopl, ioperm
        *(103, 153, 134, 180, 212),  # syslog, vhangup, uselib, nfsservctl, lookup_dcookie
        *(256, 279),  # migrate_pages, move_pages
    ),
    shared=(
        *(29, 30, 31, 67),  # shmget, shmat, shmctl, shmdt
        *(64, 65, 66, 220),  # semget, semop, semctl, semtimedop
        *(68, 69, 70, 71),  # msgget, msgsnd, msgrcv, msgctl
        *(240, 241),  # mq_open, mq_unlink
    ),
    marks=(
        *(90, 91, 268, 452),  # chmod, fchmod, fchmodat, fchmodat2
        *(92, 93, 94, 260),  # chown, fchown, lchown, fchownat
        *(132, 235, 261, 280),  # utime, utimes, futimesat, utimensat
        *(188, 189, 190, 463, 197, 198, 199, 466),  # setxattr, l-, f-, -at, removexattr, l-, f-, -at
    ),
)
AARCH64 = Machine(
    audit=0xC00000B7,
    foreign=0,
    socket=198,
    clone=220,
    ioctl=29,
    truncate=45,
    prlimit=261,
    seccomp=277,
    connect=203,
    serving=(200, 201),
    sendmsg=211,
    sending=(206, 269),
    refused=(
        *_EVERYWHERE,
        *(117, 270, 271, 272),
        *(280, 282, 241, 262),
        *(40, 39, 41, 51),
        *(97, 268),
        *(104, 294, 105, 106, 273),
        *(217, 218, 219),
        *(265, 60, 89, 224, 225, 142),
        *(170, 112, 171, 266),
        *(161, 162),
        *(116, 58, 42, 18),
        *(238, 239),
    ),
    shared=(*(194, 196, 195, 197), *(190, 193, 191, 192), *(186, 189, 188, 187), *(180, 181)),
    marks=(*(52, 53, 452), *(54, 55), 88, *(5, 6, 7, 463, 14, 15, 16, 466)),
)
MACHINES = {"x86_64": X86_64, "amd64": X86_64, "aarch64": AARCH64, "arm64": AARCH64}
