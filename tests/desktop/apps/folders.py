"""Folders of a test's own, with desktop entries and programs in them."""

from pathlib import Path


class Machine:
    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.data = self.home / ".local" / "share"
        self.shared = folder / "share"
        self.bin = folder / "bin"
        for made in (self.data, self.shared, self.bin):
            made.mkdir(parents=True)

    @property
    def environ(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.data),
            "XDG_DATA_DIRS": str(self.shared),
            "PATH": str(self.bin),
            "LANG": "de_AT.UTF-8",
        }

    def program(self, name: str, text: str = "#!/bin/sh\n") -> str:
        path = self.bin / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def entry(self, name: str, *lines: str, own: bool = False) -> str:
        path = (self.data if own else self.shared) / "applications" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(["[Desktop Entry]", "Type=Application", *lines, ""]), "utf-8")
        return str(path)
