"""What one caller carries from call to call."""

from collections import OrderedDict

from toolpost.authorize.grants import Grants


class Session:
    def __init__(self, name: str) -> None:
        self.name = name
        self.grants = Grants()
        self.labels: set[str] = set()
        """What its calls have seen: `secret`, once a guarded file was read. Only a person clears them."""


class Sessions:
    """Sessions by name; the one unused longest is forgotten when there are too many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def forget(self, tool: str) -> None:
        """A grant ends with the tool it was given to; another of the same name is asked about anew."""
        for session in self._sessions.values():
            session.grants.drop(lambda grant: grant.rule == f"tool({tool})")

    def get(self, name: str) -> Session:
        session = self._sessions.get(name)
        if session is None:
            session = self._sessions[name] = Session(name)
            if len(self._sessions) > self._most:
                self._sessions.popitem(last=False)
        else:
            self._sessions.move_to_end(name)
        return session
