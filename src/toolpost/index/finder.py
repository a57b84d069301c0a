"""A search through a workspace: from the index of its trees where there is one, else through the files themselves."""

from msgspec import Struct, structs

from toolpost.index.disk.damage import Damaged
from toolpost.index.fresh.live import BUILT, CHECKED, WATCHED
from toolpost.index.indexes import Indexes
from toolpost.index.search.engine import Score, answer, can_answer, covers
from toolpost.index.search.ground import Ground
from toolpost.workspace.walking.cursor import START, Cursor
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.walking.search import search
from toolpost.workspace.walking.within import Answer, Hit, Question

SCANNED = "scanned"
"""The freshness of what was read from the files just now."""
_SURENESS = (WATCHED, CHECKED, BUILT)
"""Of several trees, the least sure is told."""


class Searched(Struct, frozen=True):
    answer: Answer
    freshness: str
    """`watched`, `checked` or `built` as the index says it, or SCANNED."""


def find(
    scope: Scope,
    question: Question,
    *,
    indexes: Indexes | None,
    limit: int,
    cursor: Cursor = START,
    rank: Score | None = None,
) -> Searched:
    """One page; both ways give the same, so that one may go on where the other ended."""
    if indexes is not None and can_answer(question):
        try:
            found = _Indexed(scope, indexes).found(question, limit=limit, cursor=cursor, rank=rank)
        except Damaged:  # what was read so far is let go of; the files themselves are whole
            for place in scope.places:
                indexes.mend(place.root)
        else:
            if found is not None:
                return found
    answered = search(scope, question, limit=limit, cursor=cursor)
    if rank is not None:
        answered.hits.sort(key=rank, reverse=True)
    return Searched(answered, SCANNED)


class _Indexed:
    """A search in the indexes of all trees searched."""

    def __init__(self, scope: Scope, indexes: Indexes) -> None:
        self._scope = scope
        self._indexes = indexes

    def found(self, question: Question, *, limit: int, cursor: Cursor, rank: Score | None) -> Searched | None:
        """None where one of the trees has no index that knows of what is searched. Raises Damaged."""
        grounds = self._grounds()
        if not grounds:
            return None
        found = answer(grounds, question, limit=limit, cursor=cursor, rank=rank)
        confirmed = [self._confirmed(ground, found.hits) for ground in grounds]
        if any(one is not other for one, other in zip(confirmed, grounds, strict=True)):
            found = answer(confirmed, question, limit=limit, cursor=cursor, rank=rank)
        freshness = max((ground.snapshot.freshness for ground in confirmed), key=_SURENESS.index)
        return Searched(found, freshness)

    def _grounds(self) -> list[Ground]:
        """Of every tree searched; none where one of them is to be searched itself, as for what is ignored."""
        grounds: list[Ground] = []
        for place in self._scope.places:
            snapshot = self._indexes.now(place.root)
            if snapshot is None:
                return []
            is_file = self._scope.file is not None
            ground = Ground(snapshot, place, searched=self._scope.shown, is_file=is_file)
            if place.path and not covers(ground):
                return []
            grounds.append(ground)
        return grounds

    def _confirmed(self, ground: Ground, hits: list[Hit]) -> Ground:
        """Where nobody tells of changes, the files about to be shown are looked at again."""
        live = self._indexes.known(ground.place.root) if ground.snapshot.freshness == CHECKED else None
        if live is None:
            return ground
        before = ground.before.decode("utf-8", "surrogateescape")
        own = {hit.path.removeprefix(before) for hit in hits if hit.path.startswith(before)}
        snapshot = live.confirm(own)
        return ground if snapshot is ground.snapshot else structs.replace(ground, snapshot=snapshot)
