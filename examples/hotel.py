"""A hotel that takes reservations, and teaches an agent to mend a bad one (contract 003).

The tour:   python examples/hotel.py
As a tool:  toolpost --tools examples/hotel.py call hotel_reservation --scope hotel:write --yes \
                guest_name="John Doe" email=john.doe@example.com room_type=double guests=2 \
                check_in=2031-01-15T14:00:00Z check_out=2031-01-17T12:00:00Z
"""

import asyncio
from collections.abc import Iterable
from datetime import MAXYEAR, datetime, timedelta
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from toolpost import Bench, Call, Caller, Problem, Result, Tool
from toolpost.authorize.profiles import PROFILES
from toolpost.clock import Clock, rfc3339
from toolpost.define import Check, Example, from_schema
from toolpost.errors import BusinessRule, InvalidDate

ROOMS = {"single": 4, "double": 3, "suite": 1}
HOLDS = {"single": 1, "double": 2, "suite": 4}
RATES = {"single": 89.5, "double": 149.5, "suite": 320.0}
SCOPE = "hotel:write"

SCHEMA = {
    "type": "object",
    "properties": {
        "guest_name": {"type": "string", "description": "Full name of the guest", "minLength": 1},
        "email": {"type": "string", "format": "email", "description": "Guest email address"},
        "check_in": {"type": "string", "format": "date-time", "description": "Check-in date and time"},
        "check_out": {"type": "string", "format": "date-time", "description": "Check-out date and time"},
        "room_type": {"type": "string", "enum": ["single", "double", "suite"], "description": "Type of room"},
        "guests": {"type": "integer", "minimum": 1, "maximum": 4, "description": "Number of guests"},
    },
    "required": ["guest_name", "email", "check_in", "check_out", "room_type", "guests"],
}
BASIC = {
    "guest_name": "John Doe",
    "email": "john.doe@example.com",
    "check_in": "2025-01-15T14:00:00Z",
    "check_out": "2025-01-17T12:00:00Z",
    "room_type": "double",
    "guests": 2,
}


ANSWER = {
    "type": "object",
    "properties": {
        "reservation_id": {"type": "string", "description": "Id of the reservation"},
        "status": {"type": "string", "description": "Always confirmed"},
        "message": {"type": "string", "description": "What was done, in words"},
        "details": {"type": "object", "description": "What was booked, its price and its number"},
    },
    "required": ["reservation_id", "status", "message", "details"],
}


class InvalidCheckIn(InvalidDate):
    code = "INVALID_CHECK_IN"
    title = "Invalid Check-in Date"


class InvalidCheckOut(InvalidDate):
    code = "INVALID_CHECK_OUT"
    title = "Invalid Check-out Date"


class RoomNotAvailable(BusinessRule):
    code = "ROOM_NOT_AVAILABLE"
    title = "Room Not Available"


class RoomTooSmall(BusinessRule):
    code = "ROOM_TOO_SMALL"
    title = "Room Too Small"


class Booking(Struct, frozen=True):
    room_type: str
    arrival: datetime
    departure: datetime


class Hotel:
    """Its rooms, what is booked, and the clock it goes by."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._bookings: list[Booking] = []

    def tool(self) -> Tool:
        return from_schema(
            "hotel_reservation",
            "Make a hotel reservation with validation and ATDF error handling",
            SCHEMA,
            self.reserve,
            version="1.0.0",
            tags=["travel", "booking", "hotel"],
            examples=[Example("Basic reservation", BASIC)],
            effects=["write"],
            output_schema=ANSWER,
            scopes=[SCOPE],
            checks=[
                Check(("check_in",), self.check_arrival),
                Check(("check_in", "check_out"), self.check_departure),
            ],
        )

    def check_arrival(self, check_in: str) -> None:
        if moment(check_in) < self._clock.now():
            raise InvalidCheckIn(
                "Check-in date cannot be in the past",
                parameter="check_in",
                suggested=rfc3339(self._next_arrival()),
                current_time=rfc3339(self._clock.now()),
                provided_date=check_in,
            )

    def check_departure(self, check_in: str, check_out: str) -> None:
        """A check-in that has to be mended counts as mended, so that one answer mends both."""
        arrival = moment(check_in)
        if arrival < self._clock.now():
            arrival = self._next_arrival()
        if moment(check_out) <= arrival:
            raise InvalidCheckOut(
                "Check-out date must be after check-in",
                parameter="check_out",
                suggested=day_after(arrival),
                check_in=check_in,
                provided_date=check_out,
            )

    async def reserve(self, args: dict[str, Any]) -> dict[str, Any]:
        booking = Booking(args["room_type"], moment(args["check_in"]), moment(args["check_out"]))
        self._refuse_if_full(booking, args)
        self._bookings.append(booking)
        return {
            "reservation_id": self._clock.uuid(),
            "status": "confirmed",
            "message": "Hotel reservation created successfully",
            "details": {
                **{name: args[name] for name in BASIC},
                "total_price": price(booking),
                "confirmation_number": f"HTL-{booking.arrival.year}-{len(self._bookings):06d}",
                "cancellation_policy": "Free cancellation until 24 hours before check-in",
            },
        }

    def _refuse_if_full(self, wanted: Booking, args: dict[str, Any]) -> None:
        """Looked at while booking, not as a check before: only here is the answer still true."""
        fits = [room for room in ROOMS if HOLDS[room] >= args["guests"]]
        free = [room for room in fits if self._is_free(room, wanted)]
        if wanted.room_type not in fits:
            raise RoomTooSmall(
                f"A {wanted.room_type} room holds {HOLDS[wanted.room_type]}, not {args['guests']}",
                parameter="room_type",
                suggested=free[0] if free else UNSET,
                requested_room_type=wanted.room_type,
                available_room_types=free,
            )
        if wanted.room_type not in free:
            raise RoomNotAvailable(
                "Selected room type is not available for the requested dates",
                parameter="room_type",
                suggested=free[0] if free else UNSET,
                requested_room_type=wanted.room_type,
                available_room_types=free,
                check_in=args["check_in"],
                check_out=args["check_out"],
            )

    def _is_free(self, room: str, wanted: Booking) -> bool:
        taken = [
            booked
            for booked in self._bookings
            if booked.room_type == room
            and booked.arrival < wanted.departure
            and wanted.arrival < booked.departure
        ]
        return len(taken) < ROOMS[room]

    def _next_arrival(self) -> datetime:
        """A full hour, far enough ahead to be still in the future when it is sent back."""
        return (self._clock.now() + timedelta(hours=2)).replace(minute=0, second=0, microsecond=0)


def moment(text: str) -> datetime:
    """Any time the schema lets pass; Python knows no leap second, so the one before stands for it."""
    whole = text[:17] + "59" + text[19:] if text[17:19] == "60" else text
    return datetime.fromisoformat(whole.upper())


def day_after(arrival: datetime) -> str | UnsetType:
    """There is a last day, and no suggestion after it."""
    return rfc3339(arrival + timedelta(days=1)) if arrival.year < MAXYEAR else UNSET


def price(booking: Booking) -> float:
    nights = max((booking.departure.date() - booking.arrival.date()).days, 1)
    return round(nights * RATES[booking.room_type], 2)


hotel_reservation = Hotel().tool()
TOOLS = [hotel_reservation]


def mended(args: dict[str, Any], problems: Iterable[Problem]) -> dict[str, Any]:
    """What an agent does with the answer: each suggestion in its place."""
    return {**args, **{problem.parameter or "": problem.suggested for problem in problems}}


async def tour() -> None:
    clock = Clock()
    bench = Bench([Hotel(clock).tool()], profile=PROFILES["open"])
    arrival = clock.now().replace(microsecond=0) + timedelta(days=30)
    good = {**BASIC, "check_in": rfc3339(arrival), "check_out": rfc3339(arrival + timedelta(days=2))}
    await show(bench, "A good call", good)
    await show(
        bench, "Yesterday, and no email address", {**good, "check_in": past(), "email": "invalid-email"}
    )
    await show(bench, "A room that is no room, for too many", {**good, "room_type": "duble", "guests": 9})
    await show(bench, "The only suite", {**good, "room_type": "suite"})
    await show(bench, "The suite again", {**good, "room_type": "suite"})
    await show(bench, "A caller who may only read", good, scope="hotel:read")


def past() -> str:
    return rfc3339(Clock().now() - timedelta(days=1))


async def show(bench: Bench, title: str, args: dict[str, Any], scope: str = SCOPE) -> None:
    print(f"\n{title}\n  call     {args}")
    result = await reserve(bench, args, scope)
    for problem in result.problems:
        print(f"  error    {problem.title}: {problem.detail} ({problem.parameter})")
    while result.problems:
        if any(problem.suggested is UNSET for problem in result.problems):
            print("  only the caller can mend that")
            return
        changes = {problem.parameter: problem.suggested for problem in result.problems}
        print(f"  mended   {changes}")
        args = mended(args, result.problems)
        result = await reserve(bench, args, scope)
    print(f"  answer   {result.data['status']}: {result.data['details']['confirmation_number']}")


async def reserve(bench: Bench, args: dict[str, Any], scope: str) -> Result:
    return await bench.call(Call(tool="hotel_reservation", args=args, caller=Caller(scopes=(scope,))))


if __name__ == "__main__":
    asyncio.run(tour())
