"""What can go wrong while reading or writing a tool description.

ConvertError
  +- UnknownFormat      no format fits the value, or no format has that name
  +- AmbiguousFormat    more than one format fits the value
  +- BadPatch           what travels beside a tool is not ours
"""


class ConvertError(ValueError):
    """A value that cannot be read or written: `pointer` says where, `fix` says what to do."""

    def __init__(self, message: str, *, pointer: str = "", fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.pointer = pointer
        self.fix = fix


class UnknownFormat(ConvertError):
    pass


class AmbiguousFormat(ConvertError):
    def __init__(self, candidates: list[str]) -> None:
        names = ", ".join(candidates)
        super().__init__(
            f"the value fits more than one format: {names}", fix=f"name the format: one of {names}"
        )
        self.candidates = candidates


class BadPatch(ConvertError):
    pass
