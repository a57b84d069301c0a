"""L1 and L0: no fence. L1 still has a session, an environment and limits of its own; L0 only the environment."""

import subprocess
from tempfile import gettempdir

from toolpost.sandbox.caps import limited, owning
from toolpost.sandbox.environment import Place, environment
from toolpost.sandbox.homes import real_home
from toolpost.sandbox.launch import Streams, launch
from toolpost.sandbox.model import Level, Spawn

GAPS = {
    Level.OFF: ("the sandbox is switched off: files, network and resources are open",),
    Level.PROCESS: ("files and network are open: only resources are limited",),
}


def start(spawn: Spawn, streams: Streams, level: Level) -> subprocess.Popen[bytes]:
    place = Place(cwd=spawn.cwd, home=real_home(), temp=gettempdir())
    env = environment(spawn.env, place, tag=spawn.tag, terminal=spawn.terminal)
    argv = spawn.argv if level is Level.OFF else limited(spawn.argv, spawn.caps)
    terminal = streams.terminal if spawn.terminal else ""
    return launch(owning(terminal, argv), cwd=spawn.cwd, env=env, streams=streams)
