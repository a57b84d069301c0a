"""Lossless conversion between tool description formats. Pure: values in, values out."""

from msgspec import Struct
from msgspec.structs import replace

from toolpost.convert import lossless, patch
from toolpost.convert.card import Card, Catalogue, Example, Failure
from toolpost.convert.detect import detect
from toolpost.convert.errors import AmbiguousFormat, ConvertError, UnknownFormat
from toolpost.convert.formats import FORMATS, form_named
from toolpost.convert.wire import differences, pointer

__all__ = [
    "FORMATS",
    "AmbiguousFormat",
    "Card",
    "Catalogue",
    "Conversion",
    "ConvertError",
    "Example",
    "Failure",
    "UnknownFormat",
    "convert",
    "detect",
    "form_named",
    "read",
    "round_trip_losses",
    "write",
]


class Conversion(Struct, frozen=True):
    """A converted value, and pointers into the cards: `/tools/<index>/<field>` or `/catalogue/<field>`.

    `carried` travels beside the tools; `derived` was demanded by the target and reuses the description;
    `lost` is gone.
    """

    value: object
    source: str
    target: str
    carried: list[str]
    derived: list[str]
    lost: list[str]


def read(value: object, form: str | None = None) -> Catalogue:
    return lossless.read(form_named(form or detect(value), value), value)


def write(catalogue: Catalogue, form: str) -> object:
    return lossless.write(form_named(form), catalogue).value


def convert(value: object, to: str, from_: str | None = None, *, bare: bool = False) -> Conversion:
    """The value in another format. `bare` writes nothing beside the tools and says what that loses."""
    source = form_named(from_ or detect(value), value)
    target = form_named(to)
    catalogue = lossless.read(source, value)
    written = (lossless.write_bare if bare else lossless.write)(target, catalogue)
    places = [pointer("tools", index) for index in range(len(written.tools))]
    patches = [*zip(written.tools, places, strict=True), (written.around, "/catalogue")]
    carried = [place for one, at in patches for place in patch.carried(one, at)]
    derived = [place for one, at in patches[:-1] for place in patch.derived(_without_extra(one), at)]
    return Conversion(
        value=written.value,
        source=source.name,
        target=target.name,
        carried=[] if bare else carried,
        derived=derived,
        lost=carried if bare else [],
    )


def _without_extra(one: patch.Patch) -> patch.Patch:
    """Extras the target format writes for itself are bookkeeping, not text made for the reader."""
    return replace(one, at={key: inner for key, inner in one.at.items() if key != "extra"})


def round_trip_losses(value: object, via: str, from_: str | None = None, *, bare: bool = False) -> list[str]:
    """Pointers into the value to whatever does not come back the same through another format."""
    there = convert(value, via, from_, bare=bare)
    back = convert(there.value, there.source, via, bare=bare)
    return differences(value, back.value)
