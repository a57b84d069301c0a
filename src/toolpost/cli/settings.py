"""Where we are, and what is set there."""

import os
from pathlib import Path
from typing import Any

from toolpost.cli.trouble import Trouble
from toolpost.config.load import Settings, load
from toolpost.config.places import user_folder


def here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise Trouble("The folder you are in no longer exists.", "cd to one that does.") from None


def own_folder() -> Path:
    return user_folder(os.environ)


def settled(**flags: Any) -> Settings:
    return load(os.environ, here(), flags)
