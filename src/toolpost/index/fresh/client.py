"""Asking the process that watches what changed; whatever goes wrong, nobody knows and every file is looked at."""

import os
import socket
import time
from contextlib import closing
from pathlib import Path

import msgspec

from toolpost.index.fresh.line import Broken, address, is_ours, open_folder, receive, send
from toolpost.index.fresh.told import Ask, Reply, Told
from toolpost.index.limits import FRESH_REPLY_BYTES, FRESH_WAIT_S

_replies = msgspec.json.Decoder(Reply)


def ask(path: Path, key: str, generation: int, wait_s: float = FRESH_WAIT_S) -> Told | None:
    """What changed since a generation of a root's index; None where no server at that socket can say."""
    until = time.monotonic() + wait_s
    try:
        with closing(_connected(path, wait_s)) as connection:
            if not is_ours(connection):
                return None
            send(connection, msgspec.json.encode(Ask(key, generation)), until)
            return _replies.decode(receive(connection, FRESH_REPLY_BYTES, until)).told
    except (OSError, Broken, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _connected(path: Path, wait_s: float) -> socket.socket:
    folder = open_folder(path.parent)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(wait_s)
        connection.connect(address(path, folder))
    except OSError:
        connection.close()
        raise
    finally:
        os.close(folder)
    return connection
