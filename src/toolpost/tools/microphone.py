"""audio.release_mic: who holds the microphone is told, and asked to let it go."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Example, Output, Tool, from_function
from toolpost.desktop.ground import DesktopGround
from toolpost.desktop.sound.holder import Holder
from toolpost.desktop.sound.microphone import Look, Microphone, Outcome
from toolpost.desktop.sound.restraint import SOUND_SERVER
from toolpost.errors import InvalidArgument, NotConfigured
from toolpost.schema import schema_of
from toolpost.tools.oneline import one_line


class ReleaseMicrophone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    dry_run: Annotated[bool, Meta(description="Only tell who holds it; nothing is ended.")] = False
    pids: Annotated[
        list[int] | None,
        Meta(description="Only these processes, of those that hold it; all of them if left out."),
    ] = None


class HolderData(Struct, frozen=True, kw_only=True):
    pid: int | None
    """None: a stream of the sound server whose process cannot be seen."""
    name: str
    command: str
    user: str
    device: str
    via: str
    released: bool
    why: str
    """How it was released, or why not."""


class Released(Struct, frozen=True, kw_only=True):
    holders: list[HolderData]
    released: int
    free: bool
    """Nobody holds it any more, but perhaps a sound server, which lets it go by itself."""
    dry_run: bool


def release_tool(ground: DesktopGround) -> Tool:
    def release_microphone(asked: ReleaseMicrophone, call: Call) -> Output:
        return release(ground.microphone, asked, call)

    return from_function(
        release_microphone,
        name="audio.release_mic",
        title="Release the microphone",
        description=(
            "Find the processes that hold the microphone, and have it let go: the sound server ends what records, "
            "else the user's own process is asked to end (SIGTERM). Nothing is killed by force; services, other "
            "users' processes and this server are left alone. Tells what happened to each."
        ),
        output_schema=schema_of(Released),
        effects=("launch",),
        tags=("desktop", "audio"),
        examples=(
            Example("let it go", {}),
            Example("only look", {"dry_run": True}),
        ),
        aliases={"dryRun": "dry_run"},
        idempotent=True,
        source="toolpost",
    )


def release(microphone: Microphone, asked: ReleaseMicrophone, call: Call) -> Output:
    if not microphone.can_look():
        raise NotConfigured(
            "This system does not tell who holds the microphone; ask the user to close programs."
        )
    look = microphone.look()
    chosen = _chosen(look, asked.pids, call)
    if asked.dry_run:
        outcomes = [_as_is(microphone, holder) for holder in chosen]
    else:
        outcomes = microphone.release(chosen)
    told = Released(
        holders=[_told(outcome) for outcome in outcomes],
        released=sum(outcome.released for outcome in outcomes),
        free=_is_free(look, outcomes),
        dry_run=asked.dry_run,
    )
    notes = _notes(look)
    lines = [_line(one) for one in told.holders] or ["Nobody holds the microphone."]
    return Output(content=(Text("\n".join([*lines, *notes])),), data=told, notes=notes)


def _chosen(look: Look, pids: list[int] | None, call: Call) -> list[Holder]:
    if pids is None:
        return list(look.holders)
    known = sorted({holder.pid for holder in look.holders if holder.pid})
    strangers = [pid for pid in pids if pid not in known]
    if strangers:
        raise InvalidArgument(
            f"Process {strangers[0]} does not hold the microphone: leave {call.said('pids')} out, or name some of "
            f"{known}.",
            parameter="pids",
            suggested=known,
        )
    return [holder for holder in look.holders if holder.pid in pids]


def _as_is(microphone: Microphone, holder: Holder) -> Outcome:
    why = microphone.why_not(holder)
    return Outcome(
        holder, released=False, why=f"It would be left alone. {why}" if why else "It would be ended."
    )


def _is_free(look: Look, outcomes: list[Outcome]) -> bool:
    let_go = {outcome.holder.sign for outcome in outcomes if outcome.released or outcome.why == SOUND_SERVER}
    return all(holder.sign in let_go for holder in look.holders)


def _told(outcome: Outcome) -> HolderData:
    holder, process = outcome.holder, outcome.holder.process
    return HolderData(
        pid=process.pid if process else None,
        name=holder.name,
        command=process.command if process else "",
        user=process.user if process else "",
        device=holder.device,
        via=holder.via,
        released=outcome.released,
        why=outcome.why,
    )


def _line(one: HolderData) -> str:
    who = f"{one.name} (process {one.pid})" if one.pid else one.name
    return one_line(f"{who} on {one.device}: {one.why}")


def _notes(look: Look) -> tuple[str, ...]:
    unseen = f"Processes of other users that could not be looked at: {look.unseen}."
    return (unseen,) if look.unseen else ()
