"""Every format by the name a user gives it."""

from collections.abc import Mapping

from toolpost.convert import ardf, atdf_1, atdf_2, functions, mcp, openapi, spec
from toolpost.convert.errors import UnknownFormat
from toolpost.convert.format import Format

FORMATS: Mapping[str, Format] = {
    form.name: form
    for form in (
        spec.FORMAT,
        atdf_1.FORMAT,
        atdf_2.FORMAT,
        ardf.FORMAT,
        mcp.FORMAT,
        openapi.FORMAT_31,
        openapi.FORMAT_30,
        functions.CHAT,
        functions.RESPONSES,
        functions.ANTHROPIC,
    )
}


def form_named(name: str, value: object = None) -> Format:
    """The format of that name; `openapi` is the version the document itself names."""
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise UnknownFormat(f"there is no format {name!r}", fix=f"choose one of {known}")
    return openapi.form_of(value) if name == openapi.FORMAT_31.name and value is not None else FORMATS[name]
