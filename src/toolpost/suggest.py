"""The nearest name, and values that would pass: what turns a refusal into a lesson.

Nothing here changes a call. Each suggestion is a guess that `validate` checks against the schema before
anyone sees it.
"""

import math
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from difflib import get_close_matches
from itertools import islice
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from toolpost.limits import NAMES_COMPARED, NAMES_READ
from toolpost.schema import Schema

Guess = Any | UnsetType


def nearest(word: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """Known words like this one, nearest first: by spelling, with case and separators set aside."""
    word = _plain(word[:_WORD_CHARS])
    plain: dict[str, list[str]] = {}
    for name in islice(known, NAMES_READ):
        plain.setdefault(_plain(name[:_WORD_CHARS]), []).append(name)
    alike = [name for name in plain if 2 * min(len(word), len(name)) >= 0.6 * (len(word) + len(name))]
    first = [word] if word in plain else []
    close = get_close_matches(word, [*first, *alike[:NAMES_COMPARED]], n=most + len(first), cutoff=0.6)
    inside = [name for name in plain if word and word in name and name not in close]
    return [name for key in (*dict.fromkeys(close), *sorted(inside)) for name in plain[key]][:most]


_WORD_CHARS = 200  # what is longer is like no name, and slow to compare


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def guess(rule: str, value: Any, part: Schema) -> list[Any]:
    """Values that may pass where `value` broke `rule` of the schema part, likeliest first."""
    tries = [_try(find, value, part) for find in _GUESSES.get(rule, ())]
    tries.extend(_shown(part))
    return [found for found in tries if found is not UNSET]


def _try(find: Callable[[Any, Schema], Guess], value: Any, part: Schema) -> Guess:
    try:
        return find(value, part)
    except (OverflowError, UnicodeError):  # a number no float can hold, a text no wire can
        return UNSET


def missing(name: str, part: Schema, examples: Iterable[dict[str, Any]]) -> list[Any]:
    """Values for a parameter that was not given: its default, else what the examples use."""
    return [*_shown(part), *exemplary(name, part, examples), *part.get("enum", [])[:1]]


def exemplary(name: str, part: Schema, examples: Iterable[dict[str, Any]]) -> list[Any]:
    """Values from example calls, but no free text: someone else's name or words are no suggestion."""
    is_chosen = "enum" in part or "const" in part or part.get("format") in _MOMENTS
    given = [example[name] for example in examples if name in example]
    return [value for value in given if is_chosen or isinstance(value, bool | int | float | None)]


_MOMENTS = {"date-time", "date", "time"}


def _shown(part: Schema) -> list[Any]:
    """What the schema itself offers."""
    default = [part["default"]] if "default" in part else []
    examples = part.get("examples", [])
    return [*default, *(examples if isinstance(examples, list) else [])]


def _enum(value: Any, part: Schema) -> Guess:
    if isinstance(value, list | dict):
        return UNSET
    options, said = part.get("enum", []), str(value)
    close = nearest(said, (option for option in options if isinstance(option, str)), most=1)
    if close:
        return close[0]
    return next((option for option in options if str(option) == said), UNSET)


def _const(_value: Any, part: Schema) -> Guess:
    return part.get("const", UNSET)


def _clamp(value: Any, part: Schema) -> Guess:
    """The nearest number within the bounds, whole where the schema wants whole numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return UNSET
    step = part.get("multipleOf") or (1 if part.get("type") == "integer" else None)
    low, high = _bounds(part, step or 1)
    clamped = min(max(value, low), high)
    return _stepped(clamped, step, low, high) if step else clamped


def _bounds(part: Schema, step: float) -> tuple[float, float]:
    low = part.get("minimum", -math.inf)
    high = part.get("maximum", math.inf)
    above, below = part.get("exclusiveMinimum"), part.get("exclusiveMaximum")
    if isinstance(above, int | float) and not isinstance(above, bool):
        low = max(low, above + step)
    if isinstance(below, int | float) and not isinstance(below, bool):
        high = min(high, below - step)
    return low, high


def _stepped(value: float, step: float, low: float, high: float) -> Guess:
    if not math.isfinite(value):
        return UNSET
    stepped = round(value / step) * step
    if stepped < low:
        stepped += step
    if stepped > high:
        stepped -= step
    return int(stepped) if float(stepped).is_integer() else stepped


def _convert(value: Any, part: Schema) -> Guess:
    """The same value in the type asked for, when nothing is lost: "5" -> 5."""
    kinds = part.get("type")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        found = _CONVERSIONS.get(str(kind), _nothing)(value)
        if found is not UNSET:
            return found
    return UNSET


def _nothing(_value: Any) -> Guess:
    return UNSET


def _integer(value: Any) -> Guess:
    number = _number(value)
    return int(number) if isinstance(number, int | float) and float(number).is_integer() else UNSET


def _number(value: Any) -> Guess:
    if isinstance(value, bool):
        return UNSET
    if isinstance(value, int | float):
        return value
    if not isinstance(value, str) or len(value) > _NUMBER_CHARS:
        return UNSET
    try:
        return int(value)
    except ValueError:
        pass
    try:
        number = float(value)
    except ValueError:
        return UNSET
    return number if math.isfinite(number) else UNSET


_NUMBER_CHARS = 40  # what is longer is no number anyone meant


def _boolean(value: Any) -> Guess:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    return words.get(str(value).strip().casefold(), UNSET)


def _string(value: Any) -> Guess:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else UNSET


def _parsed(kind: type) -> Callable[[Any], Guess]:
    """JSON that came as text, which models often send."""

    def parse(value: Any) -> Guess:
        if not isinstance(value, str):
            return UNSET
        try:
            found = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return UNSET
        return found if isinstance(found, kind) else UNSET

    return parse


def _array(value: Any) -> Guess:
    found = _parsed(list)(value)
    return [value] if found is UNSET else found


_CONVERSIONS: dict[str, Callable[[Any], Guess]] = {
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "string": _string,
    "object": _parsed(dict),
    "array": _array,
}


def _format(value: Any, part: Schema) -> Guess:
    if not isinstance(value, str):
        return UNSET
    return _FORMATS.get(str(part.get("format")), _nothing)(value.strip())


_DATE_FORMS = ("%d.%m.%Y", "%Y/%m/%d", "%b %d, %Y", "%B %d, %Y", "%d %B %Y")
_DAY_OR_MONTH_FIRST = (("%d/%m/%Y", "%m/%d/%Y"), ("%d-%m-%Y", "%m-%d-%Y"))


def _moment(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        pass
    for forms in (*((form,) for form in _DATE_FORMS), *_DAY_OR_MONTH_FIRST):
        found = {moment for form in forms if (moment := _read(value, form))}
        if found:
            return found.pop() if len(found) == 1 else None  # 01/02 is two days, and nobody knows which
    return None


def _read(value: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(value, form)
    except ValueError:
        return None


def _date_time(value: str) -> Guess:
    """Any date we can read, as RFC 3339; one without a zone is taken as UTC."""
    moment = _moment(value)
    if moment is None:
        return UNSET
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return zoned.isoformat().replace("+00:00", "Z")


def _date(value: str) -> Guess:
    moment = _moment(value)
    return UNSET if moment is None else moment.date().isoformat()


def _email(value: str) -> Guess:
    cleaned = (
        value.removeprefix("mailto:").strip("<> ").replace(" ", "").replace("(at)", "@").replace("[at]", "@")
    )
    return cleaned if "@" in cleaned else UNSET


def _uri(value: str) -> Guess:
    if "://" in value:
        return value.replace(" ", "%20")
    return f"https://{value}" if "." in value and " " not in value else UNSET


def _uuid(value: str) -> Guess:
    try:
        return str(UUID(value))
    except ValueError:
        return UNSET


_FORMATS: dict[str, Callable[[Any], Guess]] = {
    "date-time": _date_time,
    "date": _date,
    "email": _email,
    "uri": _uri,
    "uuid": _uuid,
}


def _base64(value: Any, part: Schema) -> Guess:
    """The alphabet of URLs in place of the usual one, or the padding left out: both are common."""
    if part.get("contentEncoding") != "base64" or not isinstance(value, str):
        return UNSET
    usual = value.strip().replace("-", "+").replace("_", "/").rstrip("=")
    return usual + "=" * (-len(usual) % 4)


def _decimal(value: Any, part: Schema) -> Guess:
    if part.get("format") != "decimal" or not isinstance(value, str):
        return UNSET
    bare = value.strip().lstrip("$€£ ")
    return bare if bare != value else UNSET


def _cut(value: Any, part: Schema) -> Guess:
    return value[: int(part["maxLength"])] if isinstance(value, str) else UNSET


def _cut_items(value: Any, part: Schema) -> Guess:
    return value[: int(part["maxItems"])] if isinstance(value, list) else UNSET


def _unique(value: Any, _part: Schema) -> Guess:
    if not isinstance(value, list):
        return UNSET
    first: dict[bytes, Any] = {}
    for item in value:
        first.setdefault(msgspec.json.encode(item, order="deterministic"), item)
    return list(first.values())


_GUESSES: dict[str, tuple[Callable[[Any, Schema], Guess], ...]] = {
    "enum": (_enum, _convert),
    "const": (_const,),
    "minimum": (_clamp,),
    "maximum": (_clamp,),
    "exclusiveMinimum": (_clamp,),
    "exclusiveMaximum": (_clamp,),
    "multipleOf": (_clamp,),
    "type": (_convert,),
    "convert": (_base64, _decimal),
    "format": (_format,),
    "maxLength": (_cut,),
    "maxItems": (_cut_items,),
    "uniqueItems": (_unique,),
    "anyOf": (_convert,),
    "oneOf": (_convert,),
}
