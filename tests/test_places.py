import asyncio

import pytest

from toolpost.places import Places

WAIT_S = 20


async def _settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_a_free_place_is_taken_without_waiting() -> None:
    places = Places(1)
    assert (places.take_free(), places.take_free()) == (True, False)
    places.give()
    assert places.take_free()


async def test_who_waits_longest_is_next_and_nobody_overtakes() -> None:
    places, order = Places(1), []

    async def come(name: str) -> None:
        await places.take()
        order.append(name)

    await places.take()
    waiting = [asyncio.ensure_future(come(name)) for name in "abc"]
    await _settle()
    for _ in range(3):
        places.give()
        assert not places.take_free()
    async with asyncio.timeout(WAIT_S):
        await asyncio.gather(*waiting)
    assert order == ["a", "b", "c"]
    places.give()
    assert places.take_free()


async def test_who_stops_waiting_keeps_no_place() -> None:
    places = Places(1)
    await places.take()
    first, second = (asyncio.ensure_future(places.take()) for _ in range(2))
    await _settle()
    first.cancel()
    await asyncio.wait([first])
    places.give()
    async with asyncio.timeout(WAIT_S):
        await second


async def test_who_is_cancelled_when_its_turn_has_come_passes_it_on() -> None:
    places = Places(1)
    await places.take()
    first, second = (asyncio.ensure_future(places.take()) for _ in range(2))
    await _settle()
    places.give()  # it is the turn of the first, which has not been told yet
    first.cancel()
    async with asyncio.timeout(WAIT_S):
        await second
        with pytest.raises(asyncio.CancelledError):
            await first
    places.give()
    assert places.take_free()


async def test_a_place_given_to_one_who_is_just_leaving_goes_to_the_next() -> None:
    places = Places(1)
    await places.take()
    first, second = (asyncio.ensure_future(places.take()) for _ in range(2))
    await _settle()
    first.cancel()
    places.give()  # the first still stands in the row, but is leaving
    async with asyncio.timeout(WAIT_S):
        await second
        await asyncio.wait([first])
    assert not places.take_free()
