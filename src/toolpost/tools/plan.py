"""The plan a session works by (contract 000): every call gives the whole list, and it replaces the last one."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field, structs

from toolpost.call import Call
from toolpost.define import Check, Example, Output, Tool, from_function
from toolpost.errors import InvalidArgument
from toolpost.limits import PLAN_ITEMS, SESSIONS_KEPT
from toolpost.schema import schema_of
from toolpost.tools.json_text import parsed

Status = Literal["pending", "in_progress", "completed", "blocked"]


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the plan."""

    content: Annotated[str, Meta(description="What is to be done, such as: Map domains", min_length=1)]
    active_form: Annotated[
        str, Meta(description="The same while it is being done, such as: Mapping domains", min_length=1)
    ] = field(name="activeForm")  # the contract's word, and the one models know
    status: Annotated[Status, Meta(description="Where the step stands; one may be in_progress")] = "pending"


class Step(Struct, frozen=True):
    """A step as it is kept: by its place in the list."""

    id: str
    content: str
    active_form: str = field(name="activeForm")
    status: Status = "pending"


class Plan(Struct, frozen=True):
    items: list[Step]
    max_items: int
    current_item: Step | None


class Plans:
    """Each session's plan; the one unused longest is forgotten when there are too many."""

    def __init__(self, most: int = SESSIONS_KEPT) -> None:
        self._most = most
        self._lock = Lock()
        self._plans: OrderedDict[str, Plan] = OrderedDict()

    def current(self, session: str) -> Plan | None:
        with self._lock:
            return self._plans.get(session)

    def keep(self, session: str, plan: Plan) -> None:
        with self._lock:
            self._plans[session] = plan
            self._plans.move_to_end(session)
            if len(self._plans) > self._most:
                self._plans.popitem(last=False)


Items = Annotated[
    list[Item],
    Meta(description=f"The whole plan, at most {PLAN_ITEMS} steps: it replaces the one before"),
]
_EXAMPLE = [
    {"content": "Gather context", "activeForm": "Gathering context", "status": "in_progress"},
    {"content": "Map domains", "activeForm": "Mapping domains", "status": "pending"},
]


def tools(plans: Plans, *, demote: bool = False) -> tuple[Tool, ...]:
    """With `demote` a second step in progress is set back to pending, and said so, instead of refused (C75)."""

    def todo(items: Items, call: Call) -> Output:
        """Keep the plan of this session: the steps, which one is being worked on, which are done."""
        plan = made(items)
        plans.keep(call.caller.session, plan)
        return Output(data=plan, notes=(*_demoted(items), *_not_in_the_present(plan)))

    checks = (_refuse_too_many,) if demote else (_refuse_too_many, _refuse_two_at_once)
    tool = from_function(
        todo,
        output_schema=schema_of(Plan),
        aliases={"todos": "items"},
        ease=ease,
        checks=[Check(("items",), check) for check in checks],
        examples=[Example("Two steps", {"items": _EXAMPLE})],
        tags=["plan"],
        idempotent=True,
        blocking=False,
        source="toolpost",
    )
    return (tool,)


def made(items: Sequence[Item]) -> Plan:
    """The plan of a list: ids by place, at most one step in progress, and one whenever a step waits (C74)."""
    current = _current(items)
    steps = [_step(place, item, is_current=place == current) for place, item in enumerate(items)]
    return Plan(steps, PLAN_ITEMS, steps[current] if current is not None else None)


def _current(items: Sequence[Item]) -> int | None:
    for status in ("in_progress", "pending"):
        for place, item in enumerate(items):
            if item.status == status:
                return place
    return None


def _step(place: int, item: Item, *, is_current: bool) -> Step:
    status: Status = "pending" if item.status == "in_progress" else item.status
    return Step(f"step-{place + 1}", item.content, item.active_form, "in_progress" if is_current else status)


def ease(args: dict[str, Any]) -> dict[str, Any]:
    """The list as JSON text, `active_form`, and the ids of an earlier answer sent back: all are common."""
    items = parsed(args.get("items"))
    if not isinstance(items, list):
        return args
    return {**args, "items": [_eased(item) for item in items]}


def _eased(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    eased = {name: value for name, value in item.items() if name != "id"}
    if "active_form" in eased and "activeForm" not in eased:
        eased["activeForm"] = eased.pop("active_form")
    return eased


def _refuse_too_many(given: list[dict[str, Any]]) -> None:
    if len(given) <= PLAN_ITEMS:
        return
    items = msgspec.convert(given, list[Item])
    kept = _places_kept(items)
    left_out = [item.content for place, item in enumerate(items) if place not in kept]
    raise InvalidArgument(
        f"The plan has {len(items)} items; at most {PLAN_ITEMS} are taken. The suggestion leaves out "
        f"{_quoted(left_out)}: join steps that belong together instead, if you need them all.",
        parameter="items",
        suggested=_plain(_one_at_once([items[place] for place in kept])),
        limit=PLAN_ITEMS,
        received=len(items),
        left_out=left_out,
    )


def _refuse_two_at_once(given: list[dict[str, Any]]) -> None:
    if len(given) > PLAN_ITEMS:
        return  # said already, with a suggestion that mends both
    items = msgspec.convert(given, list[Item])
    working = [item.content for item in items if item.status == "in_progress"]
    if len(working) <= 1:
        return
    raise InvalidArgument(
        f"Only one item may be in_progress; these are: {_quoted(working)}. The suggestion keeps the first "
        "and sets the others to pending.",
        parameter="items",
        suggested=_plain(_one_at_once(items)),
        in_progress=working,
    )


def _places_kept(items: list[Item]) -> list[int]:
    """As many as a plan may have: what is done goes first, from the top, then the last ones."""
    spare = len(items) - PLAN_ITEMS
    done = [place for place, item in enumerate(items) if item.status == "completed"][:spare]
    return [place for place in range(len(items)) if place not in done][:PLAN_ITEMS]


def _one_at_once(items: list[Item]) -> list[Item]:
    current = _current(items)
    return [
        structs.replace(item, status="pending") if item.status == "in_progress" and place != current else item
        for place, item in enumerate(items)
    ]


def _plain(items: list[Item]) -> Any:
    return msgspec.to_builtins(items)


def _quoted(contents: list[str]) -> str:
    return ", ".join(f"{content[:_QUOTED_CHARS]!r}" for content in contents[:PLAN_ITEMS])


_QUOTED_CHARS = 60  # enough to know a step by


def _demoted(items: Sequence[Item]) -> tuple[str, ...]:
    working = [item.content for item in items if item.status == "in_progress"][1:]
    return (f"Only one step may be in_progress; set to pending: {_quoted(working)}.",) if working else ()


_PRESENT = ("ing", "ando", "endo", "indo", "ondo")  # English; Spanish and Portuguese, -iendo among them


def _not_in_the_present(plan: Plan) -> tuple[str, ...]:
    """A guess by the first word's ending, so it is a remark and never a refusal."""
    return tuple(
        f"activeForm of {step.id} should say what is happening, such as 'Mapping domains'; "
        f"it is {step.active_form[:_QUOTED_CHARS]!r}."
        for step in plan.items
        if not step.active_form.strip().partition(" ")[0].casefold().endswith(_PRESENT)
    )
