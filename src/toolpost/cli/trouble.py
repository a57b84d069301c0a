"""What stops a command: one clear sentence, the next step, and what the process ends with."""

from toolpost.cli.exits import Exit


class Trouble(Exception):
    def __init__(self, message: str, next_step: str = "", code: Exit = Exit.USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step
        self.code = code


class Unheard(Exception):
    """What we print goes nowhere: its reader is gone, or its disk is full."""

    def __init__(self, why: OSError) -> None:
        super().__init__(str(why))
        self.why = why
