"""Things that depend on each other, put in an order: first what others need, circles together.

Tarjan's algorithm without recursion: a chain of barrels may be longer than Python's stack is deep.
"""

from collections.abc import Callable, Iterable, Iterator


def circles(start: str, needs: Callable[[str], Iterable[str]]) -> Iterator[list[str]]:
    """All that `start` needs and itself, each list after those its members need; one member most often."""
    met: dict[str, int] = {start: 0}
    lowest: dict[str, int] = {start: 0}
    open_: list[str] = [start]
    held = {start}
    path: list[tuple[str, Iterator[str]]] = [(start, iter(needs(start)))]
    while path:
        here, rest = path[-1]
        other = next((each for each in rest if each not in met or each in held), None)
        if other is None:
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[here])
            if lowest[here] == met[here]:
                yield _closed(here, open_, held)
        elif other in met:
            lowest[here] = min(lowest[here], met[other])
        else:
            met[other] = lowest[other] = len(met)
            open_.append(other)
            held.add(other)
            path.append((other, iter(needs(other))))


def _closed(first: str, open_: list[str], held: set[str]) -> list[str]:
    members: list[str] = []
    while not members or members[-1] != first:
        members.append(open_.pop())
        held.discard(members[-1])
    members.reverse()
    return members
